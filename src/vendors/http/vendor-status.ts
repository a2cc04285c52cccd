import { cut, oneLine, withStop } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';

/** A vendor's error response. */
export interface Refusal {
  /** `Jira`, `PagerDuty`: the name people use. */
  readonly vendor: string;
  readonly status: number;
  /** The vendor's own explanation; goes into the message inert and truncated. */
  readonly detail: string;
  /** Secrets in the request: vendors and proxies repeat what they were sent. */
  readonly secrets: readonly string[];
  /** Settings to check when the token is rejected. */
  readonly settings: string;
  /** Advice for a missing permission; a sentence. */
  readonly permission?: string;
  readonly retryAfterMs?: number | undefined;
  /** The vendor's numeric error code. */
  readonly number?: number | null;
  /** True for a write: then a 5xx answer leaves open whether it happened. */
  readonly write: boolean;
}

interface Verdict {
  readonly code: string;
  readonly sentence: string;
  readonly retryable: boolean;
}

function verdict({ vendor, status, settings, retryAfterMs }: Refusal): Verdict {
  if (status === 401) return no('token_invalid', `${vendor} says the token is not valid: check ${settings}`);
  if (status === 403) return no('forbidden', `${vendor} does not allow this with the bot’s token`);
  if (status === 404) return no('not_found', `${vendor} does not know what was asked for`);
  if (status === 429) {
    const wait =
      retryAfterMs === undefined ? ' and did not say how long' : ` for ${Math.ceil(retryAfterMs / 1_000)} s`;
    return { code: 'rate_limited', sentence: `${vendor} asked the bot to wait${wait}`, retryable: true };
  }
  if (status >= 500) {
    return {
      code: 'vendor_down',
      sentence: `${vendor} had an error on its side (HTTP ${status})`,
      retryable: true,
    };
  }
  if (status >= 300 && status < 400) {
    return no('redirected', `${vendor} sent the bot to another address, which it does not follow`);
  }
  return no('refused', `${vendor} did not accept the request (HTTP ${status})`);
}

function no(code: string, sentence: string): Verdict {
  return { code, sentence, retryable: false };
}

/** The VendorError for an HTTP status other than 2xx. */
export function refusal(about: Refusal): VendorError {
  const { code, sentence, retryable } = verdict(about);
  const bare = about.secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), about.detail);
  const detail = cut(oneLine(bare), 300);
  const said = detail === '' ? sentence : `${sentence}: ${detail}`;
  const advice = about.status === 403 && about.permission !== undefined ? ` ${about.permission}` : '';
  const message = `${withStop(said)}${advice}`;
  return new VendorError(code, message, {
    retryable,
    mayHaveHappened: about.write && (about.status >= 500 || (about.status >= 300 && about.status < 400)),
    ...(about.retryAfterMs === undefined ? {} : { retryAfterMs: about.retryAfterMs }),
    facts: { vendor: about.vendor, status: about.status, ...(about.number ? { number: about.number } : {}) },
  });
}

/** Retry-After in milliseconds: seconds or an HTTP date. Undefined when it is unusable. */
export function retryAfterMs(header: string | null | undefined, now: () => Date): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now().getTime());
}
