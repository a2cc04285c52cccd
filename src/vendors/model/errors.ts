import { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { VendorError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';

/** Context of an error: the model, the key to hide, and the signals. */
export interface ErrorContext {
  readonly model: string;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly cancelled: boolean;
  readonly timedOut: boolean;
}

/** Vendor text without the key or anything that looks like one, truncated to 200 characters. */
function safeText(text: string, apiKey: string | null): string {
  const bare = apiKey ? text.replaceAll(apiKey, '…') : text;
  return bare
    .replace(/\b(?:sk|bearer|key)[-_ ][\w*.-]{4}[\w*.-]*/gi, '…')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}

/** Error messages without a reason. */
const nothing = /^\d+ (?:\{\}|""|status code \(no body\)|(?:bad request|unprocessable entity)\.?)$/i;

function fromStatus(error: APIError, context: ErrorContext): VendorError {
  const status = error.status ?? 0;
  const facts: JsonObject = { model: context.model, status };
  if (typeof error.code === 'string') facts.code = error.code.slice(0, 60);
  const isRefused = status === 400 || status === 422;
  if (isRefused && typeof error.param === 'string') facts.parameter = error.param.slice(0, 60);
  if (isRefused && nothing.test(error.message)) facts.isSilent = true;
  const make = (code: string, message: string, retryable: boolean, retryAfterMs?: number) =>
    new VendorError(code, message, {
      retryable,
      mayHaveHappened: false,
      facts,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  if (status === 401 || status === 403)
    return make('model_auth', 'the model host refused the key; check OPENAI_API_KEY', false);
  // Hosts report in JSON which model is missing, OpenAI also an unknown address; others send a web page.
  const aboutModel = error.error !== undefined && /model|deployment/i.test(error.message);
  if (status === 404 && !aboutModel)
    return make('model_address', 'nothing answers chat completions below OPENAI_BASE_URL', false);
  if (status === 404) return make('model_missing', `the model host knows no model "${context.model}"`, false);
  if (error.code === 'content_filter')
    return make('model_filtered', 'the filter of the model host refused the request', false);
  if (error.code === 'insufficient_quota')
    return make('model_quota', 'the model account has no credit left', false);
  if (status === 429)
    return make('model_rate_limited', 'the model host asks to wait', true, retryAfter(error.headers));
  if (status >= 500 || status === 408)
    return make('model_unavailable', `the model host answered ${status}`, true, retryAfter(error.headers));
  const detail = safeText(error.message, context.apiKey);
  return make('model_request', `the model host refused the request: ${detail}`, false);
}

/** Milliseconds of a Retry-After header in seconds; the date form is not used by these hosts. */
function retryAfter(headers: Headers | undefined): number | undefined {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** A thrown VendorError inside the chain of causes: the library wraps what its fetch throws. */
function vendorCause(error: unknown): VendorError | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof VendorError) return current;
  }
  return null;
}

/**
 * Turns any error of the library into a VendorError: `model_timeout`, `model_cancelled`, `model_auth`, `model_missing`,
 * `model_address`, `model_quota`, `model_rate_limited`, `model_unavailable`, `model_request`, `model_filtered`,
 * `model_response`, `model_redirected` or `model_egress`. The original is dropped, since it holds headers.
 */
export function modelError(error: unknown, context: ErrorContext): VendorError {
  const about = { retryable: true, mayHaveHappened: false, facts: { model: context.model } };
  const own = vendorCause(error);
  if (own) return own;
  if (context.cancelled) {
    return new VendorError('model_cancelled', 'the call to the model was cancelled', {
      ...about,
      retryable: false,
    });
  }
  if (context.timedOut || error instanceof APIConnectionTimeoutError) {
    return new VendorError(
      'model_timeout',
      `the model did not answer in ${context.timeoutMs / 1_000} s`,
      about,
    );
  }
  if (error instanceof APIError && !(error instanceof APIUserAbortError) && error.status !== undefined) {
    return fromStatus(error, context);
  }
  if (error instanceof SyntaxError) {
    return new VendorError('model_response', 'the model host answered with something other than JSON', about);
  }
  return new VendorError('model_unavailable', 'the model host could not be reached', about);
}
