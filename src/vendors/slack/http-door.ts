import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../core/log.ts';
import { end, oneHeader, type Route, refuse } from '../http/door.ts';
import { isFields } from './known-payloads.ts';
import { checkHeaders, checkSignature, type SignatureVerdict } from './signature.ts';

/** A view has at most 250 kB, and less than twice that as an encoded form; all other payloads are far smaller. */
const maxBytes = 512 * 1024;

/** A request whose bytes have been read; Bolt takes them from here. */
export type SignedRequest = IncomingMessage & { rawBody: Buffer };

interface SlackRoute {
  readonly signingSecret: string;
  readonly now: () => Date;
  readonly log: Log;
  readonly enter: (request: SignedRequest, response: ServerResponse) => void;
}

/** Admits requests that Slack signed within five minutes; the inbox recognises repetitions. */
export function slackRoute({ signingSecret: secret, now, log, enter }: SlackRoute): Route {
  const signed = (request: IncomingMessage) => ({
    timestamp: oneHeader(request, 'x-slack-request-timestamp'),
    signature: oneHeader(request, 'x-slack-signature'),
    nowMs: now().getTime(),
  });
  const turnedAway = (verdict: SignatureVerdict): void =>
    log.warn({ verdict }, 'Request without a valid Slack signature');
  return {
    path: '/slack/events',
    maxBytes,
    admits(request) {
      const verdict = checkHeaders(signed(request));
      if (verdict === 'plausible') return true;
      turnedAway(verdict);
      return false;
    },
    enter(body, request, response) {
      const verdict = checkSignature({ ...signed(request), secret, body });
      if (verdict !== 'genuine') {
        turnedAway(verdict);
        return refuse(response, 401);
      }
      if (!holdsFields(body, request.headers['content-type'])) {
        log.warn({ type: 'unreadable' }, 'Unexpected payload');
        return end(response, 200);
      }
      enter(Object.assign(request, { rawBody: body }), response);
    },
  };
}

/** For JSON that is not an object, Bolt throws an uncaught error and answers Slack late. */
function holdsFields(body: Buffer, contentType: string | undefined): boolean {
  try {
    const form = contentType?.startsWith('application/x-www-form-urlencoded');
    const source = form ? new URLSearchParams(body.toString()).get('payload') : body.toString();
    return source === null || isFields(JSON.parse(source));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
