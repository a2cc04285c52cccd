import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { VendorError } from '../../core/errors.ts';
import { botToken, refusesToken, tokenTrouble } from './tokens.ts';

/** Slack errors after which the same call may work. */
const transient = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  'team_added_to_org',
  'external_channel_migrating',
]);
/** Part of the work may have been done after these: a canvas is there before its tab. */
const halfDone = new Set(['internal_error', 'fatal_error', 'request_timeout', 'canvas_tab_creation_failed']);
/** The request never reached Slack. */
const unsentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']);

const explanations: Readonly<Record<string, string>> = {
  not_in_channel: 'Countersign is not in that channel. Invite it with /invite.',
  channel_not_found:
    'Slack does not show that channel to Countersign. If it is private, invite it with /invite.',
  is_archived: 'That channel is archived.',
  restricted_action: 'The settings of that channel or workspace do not let Countersign post there.',
  free_team_canvas_tab_already_exists:
    'On its plan, Slack allows one canvas per channel, and this channel has one. Publish it elsewhere.',
  canvas_disabled_user_team: 'Canvases are turned off in this Slack workspace.',
  expired_trigger_id: 'That click is too old to open a window. Please click again.',
};

/** The VendorError for an error of a Web API call with the token of that name, with the code `slack_<slack's code>`. */
export function slackError(error: unknown, method: string, token = botToken): VendorError {
  if (error instanceof VendorError) return error;
  if (error instanceof WebAPIRateLimitedError) {
    return new VendorError('slack_rate_limited', 'Slack is rate limiting us.', {
      retryable: true,
      mayHaveHappened: false,
      retryAfterMs: error.retryAfter * 1000,
      facts: { method },
      cause: error,
    });
  }
  if (error instanceof WebAPIPlatformError) return platformError(error, method, token);
  if (error instanceof WebAPIHTTPError) {
    const retryable = error.statusCode >= 500 || error.statusCode === 429;
    return new VendorError('slack_http', `Slack answered with status ${error.statusCode}.`, {
      retryable,
      mayHaveHappened: error.statusCode >= 500,
      facts: { method, status: error.statusCode },
      cause: error,
    });
  }
  const original = error instanceof WebAPIRequestError ? error.original : null;
  const sent = original === null || !unsentCodes.has(networkCode(original));
  const about = { retryable: true, mayHaveHappened: sent, facts: { method }, cause: error };
  return original?.name === 'TimeoutError'
    ? new VendorError('slack_silent', 'Slack did not answer in time.', about)
    : new VendorError('slack_unreachable', 'Slack could not be reached.', about);
}

function platformError(error: WebAPIPlatformError, method: string, token: string): VendorError {
  const { code, needed, problems } = readAnswer(error);
  // For a body that is not JSON, the library puts it in place of the code.
  if (!/^[a-z0-9_]{1,80}$/.test(code)) {
    return new VendorError('slack_bad_answer', 'Slack sent an unreadable response.', {
      retryable: true,
      mayHaveHappened: true,
      facts: { method },
    });
  }
  const why = explanations[code] ?? tokenTrouble(code, token, needed) ?? `Slack refused ${method}: ${code}.`;
  return new VendorError(`slack_${code}`, why, {
    retryable: transient.has(code),
    mayHaveHappened: halfDone.has(code),
    refusesUs: refusesToken(code),
    facts: { method, slack: code, ...(problems.length > 0 ? { problems } : {}) },
    cause: error,
  });
}

function readAnswer({ data }: WebAPIPlatformError): { code: string; needed: string; problems: string[] } {
  const messages = data.response_metadata?.messages ?? [];
  const needed = 'needed' in data && typeof data.needed === 'string' ? data.needed.slice(0, 200) : '';
  const problems = messages.slice(0, 5).map((text) => text.slice(0, 200));
  return { code: String(data.error), needed, problems };
}

function networkCode(error: Error): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && unsentCodes.has(cause.code)) return cause.code;
  }
  return '';
}
