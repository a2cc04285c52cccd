import { randomUUID } from 'node:crypto';
import { api } from '@pagerduty/pdjs';
import type { z } from 'zod';
import { below, configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';
import { errorText } from './error-text.ts';
import { observe } from './observed.ts';

export interface RestAccess {
  /** `https://api.pagerduty.com`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly now: () => Date;
}

const vendor = 'PagerDuty';
/** Bytes. An answer above this is refused. */
const maxAnswer = 8_000_000;

type Query = Readonly<Record<string, string | string[]>>;

/** GET below the configured address, parsed by `schema`. Throws a VendorError for everything else. */
export async function restGet<S extends z.ZodType>(
  access: RestAccess,
  schema: S,
  { path, query, signal }: { readonly path: string; readonly query: Query; readonly signal: AbortSignal },
): Promise<z.infer<S>> {
  const base = configuredUrl(access.apiUrl);
  const url = below(base, path).href;
  const { outcome, seen } = await observe(randomUUID(), signal, (options) =>
    // `size` is a limit of the fetch below the library; its own timeout only keeps the process alive.
    api(
      Object.assign(
        { url, token: access.token, method: 'GET', queryParameters: { ...query }, requestTimeout: 0 },
        { redirect: 'manual' as const, size: maxAnswer, ...options },
      ),
    ),
  );
  const status = seen.status ?? (outcome.ok ? outcome.value.status : undefined);
  if (status !== undefined && status !== 200) {
    throw refusal({
      vendor,
      status,
      detail: outcome.ok ? errorText(outcome.value.data) : '',
      secrets: [access.token],
      settings: 'PAGERDUTY_API_TOKEN',
      retryAfterMs: retryAfterMs(seen.retryAfter, access.now),
      write: false,
    });
  }
  if (!outcome.ok) {
    if (status === 200 && !signal.aborted) throw badAnswer(vendor, 'it is not JSON', { write: false });
    throw noAnswer(outcome.error, { vendor, host: base.host, write: false, signal });
  }
  const parsed = schema.safeParse(outcome.value.data);
  if (parsed.success) return parsed.data;
  throw badAnswer(vendor, 'a field is missing', { write: false, cause: parsed.error });
}
