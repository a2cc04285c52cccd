import { systemNames } from '../core/askable.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Revision } from '../core/revision.ts';
import type { NewMessage } from '../store/outbox-messages.ts';
import type { ShownStep } from './progress.ts';

/** The line beside the bot's name in a thread: it says what is being done, and Slack's stop button stands with it. */

/** A thread in which the bot is at work, by the message that starts it; `goal` names it for its person. */
export interface DoingAt {
  readonly teamId: string;
  readonly channel: string;
  readonly threadTs: string;
  readonly goal: string;
}

const maxTitle = 200;

export function doingKey({ channel, threadTs }: DoingAt): string {
  return `doing:${channel}:${threadTs}`;
}

/** Says what the bot is doing in a thread; empty words end that. */
export function doingMessage(at: DoingAt, words: string): NewMessage {
  const { teamId, channel, threadTs, goal } = at;
  const key = doingKey(at);
  const place = { kind: 'doing', channel, threadTs, title: cut(oneLine(goal), maxTitle) } as const;
  const message = { text: words, blocks: [] };
  return { teamId, conversation: key, key, kind: 'update', payload: { place, message, fallback: null } };
}

/** "is reading Jira and PagerDuty…", by the steps under way. */
export function doingWords(
  { sealed }: Revision,
  now: readonly ShownStep[],
  manifests: ReadonlyMap<string, Manifest>,
): string {
  const underWay = new Set(now.flatMap(({ stepId, running }) => (running ? [stepId] : [])));
  const steps = sealed.plan.steps.filter(({ id }) => underWay.has(id));
  const tools = steps.flatMap(({ tool }) => manifests.get(tool) ?? []);
  const writes = tools.filter(({ effect }) => effect === 'write');
  const shown = writes.length > 0 ? writes : tools;
  const systems = [...new Set(shown.flatMap(({ system }) => systemNames[system] ?? []))];
  if (systems.length === 0) return 'is working on it…';
  return `${writes.length > 0 ? 'is writing to' : 'is reading'} ${systems.join(' and ')}…`;
}
