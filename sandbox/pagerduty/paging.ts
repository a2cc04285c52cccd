import type { Context } from 'hono';
import type { SandboxEnv } from '../journal.ts';
import { invalid } from './rest-errors.ts';

const maxLimit = 100;
const maxOffset = 10_000;

/** One page of a named list, with PagerDuty's classic pagination: limit 25, at most 100. */
export function pageOf<T>(
  context: Context<SandboxEnv>,
  name: string,
  all: readonly T[],
  render: (item: T) => Record<string, unknown>,
): Response {
  const limit = Math.min(whole(context, 'limit', 25), maxLimit);
  const offset = whole(context, 'offset', 0);
  if (offset + limit > maxOffset) throw invalid('Offset must be less than 10000.');
  return context.json({
    [name]: all.slice(offset, offset + limit).map(render),
    limit,
    offset,
    total: context.req.query('total') === 'true' ? all.length : null,
    more: offset + limit < all.length,
  });
}

/** A list parameter such as `statuses[]`; undefined if absent. */
export function listParameter(context: Context<SandboxEnv>, name: string): readonly string[] | undefined {
  return context.req.queries(`${name}[]`);
}

export function checkIncludes(context: Context<SandboxEnv>, known: readonly string[]): void {
  const other = listParameter(context, 'include')?.find((name) => !known.includes(name));
  if (other !== undefined) throw invalid(`Include '${other}' is not valid.`);
}

export function timeParameter(context: Context<SandboxEnv>, name: string): Date | undefined {
  const text = context.req.query(name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalid(`${name} is not a valid ISO 8601 time.`);
  return time;
}

function whole(context: Context<SandboxEnv>, name: string, fallback: number): number {
  const text = context.req.query(name);
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw invalid(`${name} must be a whole number.`);
  return Number(text);
}
