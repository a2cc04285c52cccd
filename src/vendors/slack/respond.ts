import { shortened } from '../../blocks/fit.ts';
import type { Message } from '../../blocks/message.ts';
import { VendorError } from '../../core/errors.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { assertSlackAddress } from './origins.ts';
import { attempt } from './retry.ts';

/** Maximum characters of Slack's reply to a response: normally a word or two. */
const maxAnswer = 100_000;

/** Responds through the response_url of an interaction, privately to the person. Slack accepts five responses in 30 minutes. */
export type Respond = (responseUrl: string, message: Message) => Promise<void>;

export function createResponder(options: {
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}): Respond {
  return async (responseUrl, message) => {
    assertSlackAddress(responseUrl, options.apiUrl);
    const body = {
      ...shortened(message),
      response_type: 'ephemeral',
      replace_original: false,
      unfurl_links: false,
      unfurl_media: false,
    };
    await attempt('response_url', 'once', () => send(options, responseUrl, JSON.stringify(body)));
  };
}

async function send(
  options: { fetch: typeof globalThis.fetch; timeoutMs: number },
  url: string,
  body: string,
): Promise<void> {
  const answer = await options.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(options.timeoutMs),
  });
  const said = await boundedText(answer, { vendor: 'Slack', max: maxAnswer, write: true });
  const code = refusedAs(said);
  if (answer.ok && code === null) return;
  const wait = Number(answer.headers.get('retry-after'));
  throw new VendorError('slack_respond', `Slack refused the response (status ${answer.status}).`, {
    retryable: answer.status === 429 || answer.status >= 500,
    mayHaveHappened: answer.status >= 500,
    ...(wait > 0 ? { retryAfterMs: wait * 1000 } : {}),
    facts: { status: answer.status, ...(code === null ? {} : { slack: code }) },
  });
}

/** Slack's code in `{"ok":false,"error":"invalid_blocks"}`, which it also sends with status 200. Null for a plain `ok`. */
function refusedAs(text: string): string | null {
  return (
    /^\s*\{\s*"ok"\s*:\s*false\s*,\s*"error"\s*:\s*"([a-z0-9_]{1,80})"/.exec(text.slice(0, 500))?.[1] ?? null
  );
}
