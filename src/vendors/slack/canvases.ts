import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { describeError, VendorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { markdownOf } from '../../core/markdown.ts';
import { type Call, readAnswer } from './call.ts';
import type { SlackClock } from './clock-skew.ts';
import { canvasScopes } from './manifest.ts';
import type { PostedCanvas } from './port.ts';

/** Canvases that the bot created. Each has the key of its write as its last line, where people and we find it again. */
export interface Canvases {
  /** A new canvas in the tabs of a channel: headings, lists and paragraphs of inert text. One attempt. */
  createCanvas(of: NewCanvas, signal: AbortSignal): Promise<PostedCanvas>;
  /** The canvas of ours with this key, created since `since`; null where Slack lists none. */
  canvasByKey(key: string, since: Date, signal: AbortSignal): Promise<PostedCanvas | null>;
  /** Scopes that the token lacks for canvases; none where Slack does not name its scopes. */
  missingForCanvases(signal: AbortSignal): Promise<readonly string[]>;
}

export interface NewCanvas {
  readonly channel: string;
  readonly title: string;
  readonly text: string;
  readonly key: string;
}

/** Maximum canvases that are looked through for a key. */
const maxListed = 100;
/** Remaining clock difference after correcting by Slack's responses, in seconds. */
const skewSeconds = 60;

const made = z.object({ canvas_id: z.string().regex(/^F[A-Z0-9]{2,}$/) });
const file = z.object({ id: z.string(), permalink: z.string().default('') });
const listed = z.object({
  files: z.array(file),
  paging: z.object({ pages: z.number() }).optional(),
});
const sections = z.object({ sections: z.array(z.object({ id: z.string() })) });

export function createCanvases(
  call: Call,
  { botUserId, clock, log }: { botUserId: () => Promise<string>; clock: SlackClock; log: Log },
): Canvases {
  const has = async (canvas: string, key: string, signal: AbortSignal): Promise<boolean> => {
    const criteria = { contains_text: key };
    const run = (client: WebClient) => client.canvases.sections.lookup({ canvas_id: canvas, criteria });
    const raw = await call('canvases.sections.lookup', 'again', run, signal);
    return readAnswer(sections, raw, 'canvases.sections.lookup').sections.length > 0;
  };
  return {
    async createCanvas({ channel, title, text, key }, signal) {
      const content = { type: 'markdown', markdown: inert(`${text}\n\nReference ${key}`) } as const;
      const run = (client: WebClient) =>
        client.canvases.create({ channel_id: channel, title, document_content: content });
      const { canvas_id: id } = readMade(await call('canvases.create', 'never', run, signal));
      return { id, link: await linkOf(call, id, log, signal) };
    },
    async canvasByKey(key, since, signal) {
      const from = String(Math.floor(clock.at(since).getTime() / 1_000) - skewSeconds);
      const user = await botUserId();
      const run = (client: WebClient) => client.files.list({ user, ts_from: from, count: maxListed });
      const { files, paging } = readAnswer(
        listed,
        await call('files.list', 'again', run, signal),
        'files.list',
      );
      for (const { id, permalink } of files) if (await has(id, key, signal)) return { id, link: permalink };
      if ((paging?.pages ?? 1) <= 1) return null;
      throw new VendorError('slack_cannot_tell', `There are more than ${maxListed} canvases since then.`, {
        ...{ retryable: false, mayHaveHappened: false, facts: {} },
      });
    },
    async missingForCanvases(signal) {
      const answer = await call('auth.test', 'again', (client) => client.auth.test(), signal);
      const granted = answer.response_metadata?.scopes;
      return canvasScopes.filter((scope) => granted?.includes(scope) === false);
    },
  };
}

/** Slack would make a link of a bare address, too. */
function inert(text: string): string {
  return markdownOf(text).replaceAll('://', '\\://');
}

/** A canvas whose id cannot be read may exist all the same. */
function readMade(raw: unknown): z.infer<typeof made> {
  const parsed = made.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new VendorError('slack_bad_answer', 'Slack sent an unreadable response.', {
    retryable: true,
    mayHaveHappened: true,
    facts: { method: 'canvases.create' },
    cause: parsed.error,
  });
}

/** Its address by Slack; empty where Slack cannot say it now, as the canvas exists without it. */
async function linkOf(call: Call, id: string, log: Log, signal: AbortSignal): Promise<string> {
  try {
    const answer = await call('files.info', 'again', (client) => client.files.info({ file: id }), signal);
    return answer.file?.permalink ?? '';
  } catch (error) {
    log.warn(describeError(error), 'A canvas was created, but Slack did not give its address');
    return '';
  }
}
