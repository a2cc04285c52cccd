import { randomUUID } from 'node:crypto';
import { api } from '@pagerduty/pdjs';
import type { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';
import { observe } from './call-metrics.ts';

export interface RestAccess {
  /** `https://api.pagerduty.com`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly now: () => Date;
}

/** Writes are made as a user of the account. */
export interface RestWriteAccess extends RestAccess {
  /** E-mail address of that user. */
  readonly from: string;
}

interface Get {
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly signal: AbortSignal;
}

interface Change {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: object;
  readonly signal: AbortSignal;
}

const vendor = 'PagerDuty';
const permission = 'Notes, acknowledging and resolving need a PAGERDUTY_API_TOKEN that is not read-only.';
/** PagerDuty's error code for a From header that names no user of the account. */
const requesterUnknown = 1_008;

/** GET below the configured address, parsed by `schema`. Throws a VendorError for everything else. */
export function restGet<S extends z.ZodType>(access: RestAccess, schema: S, get: Get): Promise<z.infer<S>> {
  const { path, query, signal } = get;
  const parts = { method: 'GET', queryParameters: { ...query } };
  return call(access, schema, { path, signal, write: false, parts });
}

/** POST or PUT, sent once. `mayHaveHappened` of its VendorErrors is reliable. */
export async function restWrite<S extends z.ZodType>(
  access: RestWriteAccess,
  schema: S,
  { method, path, body, signal }: Change,
): Promise<z.infer<S>> {
  // The library retries a 429 by itself; `observe` ends the request first, and 1 ms is for the case that it does not.
  const parts = { method, data: body, headers: { from: access.from }, retryTimeout: 1 };
  try {
    return await call(access, schema, { path, signal, write: true, parts });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    if (error.facts.number !== requesterUnknown) throw error;
    const message = `PagerDuty has no user ${access.from}, in whose name this would be written: check PAGERDUTY_FROM_EMAIL.`;
    throw new VendorError('from_unknown', message, {
      retryable: false,
      mayHaveHappened: false,
      cause: error,
    });
  }
}

async function call<S extends z.ZodType>(
  access: RestAccess,
  schema: S,
  about: { path: string; signal: AbortSignal; write: boolean; parts: { method: string; headers?: object } },
): Promise<z.infer<S>> {
  const { path, signal, write, parts } = about;
  const base = configuredUrl(access.apiUrl);
  const url = below(base, path).href;
  const { outcome, seen } = await observe(randomUUID(), signal, ({ headers, signal: either }) =>
    // Nothing is compressed, so the size is known; the library's own timeout only keeps the process alive.
    api(
      Object.assign(
        { url, token: access.token, requestTimeout: 0, ...parts, headers: { ...parts.headers, ...headers } },
        { redirect: 'manual' as const, compress: false, signal: either },
      ),
    ),
  );
  const status = seen.status ?? (outcome.ok ? outcome.value.status : undefined);
  if (status !== undefined && status !== 200 && status !== 201) {
    const body: unknown = outcome.ok ? outcome.value.data : null;
    throw refusal({
      ...{ vendor, status, write, detail: errorText(body), secrets: [access.token] },
      settings: 'PAGERDUTY_API_TOKEN',
      ...(write ? { permission } : {}),
      retryAfterMs: retryAfterMs(seen.retryAfter, access.now),
      number: errorNumber(body),
    });
  }
  if (!outcome.ok) {
    if (status !== undefined && !signal.aborted) throw badAnswer(vendor, 'it is not JSON', { write });
    throw noAnswer(outcome.error, { vendor, host: base.host, write, signal });
  }
  const parsed = schema.safeParse(outcome.value.data);
  if (parsed.success) return parsed.data;
  throw badAnswer(vendor, 'a field is missing', { write, cause: parsed.error });
}

/**
 * PagerDuty's own words. REST answers `{ error: { message, errors } }`, Events v2 `{ message, errors }`; a wrong
 * token gives `{ error: 'text' }`.
 */
export function errorText(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const inner = 'error' in body ? body.error : body;
  if (typeof inner === 'string') return inner;
  if (typeof inner !== 'object' || inner === null) return '';
  const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : '';
  const errors = 'errors' in inner && Array.isArray(inner.errors) ? inner.errors : [];
  const causes = errors.filter((text) => typeof text === 'string' && text !== '');
  return [message, causes.join(', ')].filter(Boolean).join(': ');
}

/** PagerDuty's numeric error code, or null. Only REST has one. */
function errorNumber(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'number' ? error.code : null;
}
