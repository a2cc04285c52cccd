import { world } from '../../sandbox/world.ts';
import { plain } from '../../src/blocks/layout.ts';
import type { CommandEvent, MentionEvent, SlackHandlers } from '../../src/vendors/slack/events.ts';
import { createSlackEdge, type EdgeMode, type SlackEdge } from '../../src/vendors/slack/receiver.ts';
import { startWorkspace, type TestWorkspace } from './slack-workspace.ts';

export interface Taken {
  readonly commands: CommandEvent[];
  readonly mentions: MentionEvent[];
  readonly clicks: string[];
  readonly missed: Date[];
}

/** Handlers that note what was taken and do nothing. */
export function recordingHandlers(): { taken: Taken; handlers: SlackHandlers } {
  const taken: Taken = { commands: [], mentions: [], clicks: [], missed: [] };
  const known = new Set<string>();
  const handlers: SlackHandlers = {
    async accept({ key }) {
      const fresh = !known.has(key);
      known.add(key);
      return fresh;
    },
    async work(event) {
      if (event.type === 'command') taken.commands.push(event);
      if (event.type === 'mention') taken.mentions.push(event);
      if (event.type === 'action') taken.clicks.push(event.actionId);
    },
    acceptAppMessage: async () => false,
    workAppMessage: async () => undefined,
    submit: async () => ({ answer: { kind: 'close' }, work: async () => undefined }),
    missed: async (minute) => void taken.missed.push(minute),
    stillWorking: () => ({ type: 'modal', title: plain('Working', 24), blocks: [] }),
  };
  return { taken, handlers };
}

export interface OpenEdge {
  readonly workspace: TestWorkspace;
  readonly edge: SlackEdge;
  readonly taken: Taken;
  /** Where signed requests go; empty with Socket Mode. */
  readonly url: string;
  close(): Promise<void>;
}

/** The edge on a local Slack, connected. */
export async function openEdge(kind: 'socket' | 'http'): Promise<OpenEdge> {
  const workspace = await startWorkspace({ mode: kind });
  const { taken, handlers } = recordingHandlers();
  const { appToken, signingSecret } = world.slack;
  const mode: EdgeMode =
    kind === 'socket' ? { kind, appToken } : { kind, signingSecret, port: 0, host: '127.0.0.1' };
  const { gateway, log, slack } = workspace;
  const installations = { of: async () => ({ handlers, gateway }), removed: async () => undefined };
  const about = { mode, apiUrl: slack.apiUrl, installations, log, fetch };
  const edge = createSlackEdge({ ...about, now: () => new Date() });
  const port = await edge.start();
  const url = port === null ? '' : `http://127.0.0.1:${port}/slack/events`;
  if (port !== null) slack.requestUrl = url;
  const close = async (): Promise<void> => {
    await edge.stop();
    await workspace.close();
  };
  return { workspace, edge, taken, url, close };
}
