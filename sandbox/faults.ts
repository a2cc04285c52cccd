import { setTimeout as pause } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler, Next } from 'hono';
import type { SandboxEnv } from './journal.ts';
import type { FaultKind, Vendor } from './vendor.ts';

export interface Fault {
  readonly vendor: Vendor;
  /** If absent, every request to the vendor matches. `path` is a prefix unless `exact` is true. */
  readonly match?: { readonly method?: string; readonly path?: string; readonly exact?: boolean };
  readonly kind: FaultKind;
  /** For `status`; 503 if absent. */
  readonly status?: number;
  /** For `status`: how long the vendor asks to wait, in the header in which it says so. */
  readonly retryAfterSeconds?: number;
  /** For `delay`, milliseconds; if absent, until the fault is removed. */
  readonly delayMs?: number;
  /** Number of requests it affects before it removes itself; unlimited if absent. */
  readonly times?: number;
  /** For `status`: replaces the vendor's own error body. A string is sent as text, anything else as JSON. */
  readonly body?: unknown;
}

export interface ActiveFault extends Fault {
  readonly id: string;
  readonly hits: number;
}

/** Deliberate failures between the bot and a vendor. The first matching fault wins. */
export class Faults {
  #active: ActiveFault[] = [];
  #lastId = 0;

  /** Returns the id for `remove`. */
  add(fault: Fault): string {
    this.#lastId += 1;
    const id = `fault-${this.#lastId}`;
    this.#active.push({ ...fault, id, hits: 0 });
    return id;
  }

  /** Returns false when there is no such fault (any more). */
  remove(id: string): boolean {
    const before = this.#active.length;
    this.#active = this.#active.filter((fault) => fault.id !== id);
    return this.#active.length < before;
  }

  clear(): void {
    this.#active = [];
  }

  list(): readonly ActiveFault[] {
    return this.#active;
  }

  /** Must come after `Journal.middleware` and before everything else. */
  middleware(vendor: Vendor): MiddlewareHandler<SandboxEnv> {
    return async (context, next) => {
      const fault = this.#take(vendor, context.req.method, context.req.path);
      if (fault === undefined) return next();
      context.set('fault', fault.kind);
      return applyFault(fault, context, next, () => this.#active.some(({ id }) => id === fault.id));
    };
  }

  #take(vendor: Vendor, method: string, path: string): ActiveFault | undefined {
    const fault = this.#active.find((one) => one.vendor === vendor && matches(one, method, path));
    if (fault === undefined) return undefined;
    const hits = fault.hits + 1;
    const spent = fault.times !== undefined && hits >= fault.times;
    this.#active = this.#active.flatMap((one) => (one !== fault ? [one] : spent ? [] : [{ ...fault, hits }]));
    return fault;
  }
}

function matches(fault: Fault, method: string, path: string): boolean {
  const wanted = fault.match;
  if (wanted?.method !== undefined && wanted.method.toUpperCase() !== method) return false;
  if (wanted?.path === undefined) return true;
  return wanted.exact === true ? path === wanted.path : path.startsWith(wanted.path);
}

async function applyFault(fault: Fault, context: Context<SandboxEnv>, next: Next, isThere: () => boolean) {
  switch (fault.kind) {
    case 'status':
      context.res = statusAnswer(fault);
      return;
    case 'hang':
      await closed(context);
      return alreadySent(context);
    case 'reset':
      context.env.incoming.socket.destroy();
      return alreadySent(context);
    case 'lost-answer':
      await next();
      context.env.incoming.socket.destroy();
      return alreadySent(context);
    case 'truncate':
      await next();
      await sendHalf(context);
      return alreadySent(context);
    case 'delay':
      if (fault.delayMs !== undefined) await pause(fault.delayMs);
      else while (isThere()) await pause(5, undefined, { ref: false });
      return next();
  }
}

/** Hono merges a second response into the first, so the first must be dropped. */
function alreadySent(context: Context<SandboxEnv>): void {
  context.res = undefined;
  context.res = RESPONSE_ALREADY_SENT;
}

function statusAnswer(fault: Fault): Response {
  const status = fault.status ?? 503;
  const headers = new Headers();
  // PagerDuty's REST API has a header of its own for it.
  const pause = fault.vendor === 'pagerduty-rest' ? 'ratelimit-reset' : 'retry-after';
  if (fault.retryAfterSeconds !== undefined) headers.set(pause, String(fault.retryAfterSeconds));
  const body = fault.body ?? vendorBody(fault.vendor, status);
  if (typeof body === 'string') return new Response(body, { status, headers });
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers });
}

/** Each vendor's wording for 429; for other statuses its error envelope. */
function vendorBody(vendor: Vendor, status: number): unknown {
  const limited = status === 429;
  switch (vendor) {
    case 'slack':
      return limited ? { ok: false, error: 'ratelimited' } : { ok: false, error: 'internal_error' };
    case 'jira':
      return { errorMessages: [limited ? 'Rate limit exceeded.' : 'Internal server error'], errors: {} };
    case 'confluence':
      return {
        statusCode: limited ? 429 : 500,
        message: limited ? 'Rate limit exceeded' : 'Internal Server Error',
      };
    case 'azure':
      return {
        error: { code: limited ? 'ThrottledError' : 'ServiceError', message: 'The request was not served' },
      };
    case 'deploys':
      return { error: limited ? 'slow down' : 'internal error' };
    case 'prometheus':
      return {
        status: 'error',
        errorType: limited ? 'throttled' : 'internal',
        error: limited ? 'too many queries' : 'internal error',
      };
    case 'splunk':
      return { messages: [{ type: 'ERROR', text: limited ? 'Too many searches' : 'Internal Server Error' }] };
    case 'pagerduty-events':
      return limited
        ? { status: 'throttle exceeded', message: 'Requests for this service are arriving too quickly.' }
        : { status: 'error', message: 'Internal Server Error' };
    case 'pagerduty-rest':
      return limited
        ? { error: { message: 'Rate Limit Exceeded', code: 2020 } }
        : { error: { message: 'Internal Server Error', code: 2000 } };
  }
}

function closed(context: Context<SandboxEnv>): Promise<void> {
  const { socket } = context.env.incoming;
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function sendHalf(context: Context<SandboxEnv>): Promise<void> {
  const bytes = Buffer.from(await context.res.arrayBuffer());
  const { outgoing } = context.env;
  const { status } = context.res;
  const headers = { ...Object.fromEntries(context.res.headers), 'content-length': String(bytes.length) };
  context.set('sentStatus', status);
  outgoing.writeHead(status, headers);
  await new Promise<void>((resolve) => {
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => resolve());
  });
  context.env.incoming.socket.destroy();
}
