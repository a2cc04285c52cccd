import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { FaultKind, Vendor } from './vendor.ts';
import type { Now } from './world.ts';

/** The environment shared by the sandbox's HTTP applications; vendor code sets `authOk` once it has identified the caller. */
export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: { authOk: boolean; fault: FaultKind; sentStatus: number };
}

/** One request to a vendor, whether or not it was answered. */
export interface JournalEntry {
  /** Counts up from 1 in order of arrival. */
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Milliseconds (with fractions) on the monotonic clock of the sandbox's process, for measuring. */
  readonly clockMs: number;
  readonly vendor: Vendor;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Parsed JSON, a form as an object of strings, other text verbatim, or null. Never headers or tokens. */
  readonly body: unknown;
  /** Null until an answer is sent, and permanently when a fault swallowed it. */
  status: number | null;
  authOk: boolean;
  fault?: FaultKind;
}

export interface JournalFilter {
  readonly vendor?: Vendor;
  readonly method?: string;
  /** A prefix of the path. */
  readonly path?: string;
  /** Only entries with a greater id. */
  readonly after?: number;
}

const maxEntries = 5_000;

/** Every vendor request, in order of arrival; above 5,000 the oldest are dropped. */
export class Journal {
  readonly #now: Now;
  #entries: JournalEntry[] = [];
  #lastId = 0;

  constructor(now: Now) {
    this.#now = now;
  }

  record(request: Omit<JournalEntry, 'id' | 'at' | 'clockMs' | 'status' | 'authOk'>): JournalEntry {
    this.#lastId += 1;
    const entry: JournalEntry = {
      id: this.#lastId,
      at: this.#now().toISOString(),
      clockMs: performance.now(),
      ...request,
      status: null,
      authOk: false,
    };
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) this.#entries.shift();
    return entry;
  }

  list(filter: JournalFilter = {}): readonly JournalEntry[] {
    return this.#entries.filter(
      (entry) =>
        (filter.vendor === undefined || entry.vendor === filter.vendor) &&
        (filter.method === undefined || entry.method === filter.method.toUpperCase()) &&
        (filter.path === undefined || entry.path.startsWith(filter.path)) &&
        (filter.after === undefined || entry.id > filter.after),
    );
  }

  clear(): void {
    this.#entries = [];
  }

  /** Must be the outermost, before `Faults.middleware`, so that it also records swallowed requests. */
  middleware(vendor: Vendor): MiddlewareHandler<SandboxEnv> {
    return async (context, next) => {
      const entry = this.record({
        vendor,
        method: context.req.method,
        path: context.req.path,
        query: { ...context.req.queries() },
        body: await readBody(context),
      });
      await next();
      entry.authOk = context.get('authOk') ?? false;
      const fault = context.get('fault');
      if (fault !== undefined) entry.fault = fault;
      const swallowed = fault === 'hang' || fault === 'reset' || fault === 'lost-answer';
      entry.status = swallowed ? null : (context.get('sentStatus') ?? context.res.status);
    };
  }
}

async function readBody(context: Context<SandboxEnv>): Promise<unknown> {
  const type = context.req.header('content-type') ?? '';
  if (type.startsWith('multipart/') || type.startsWith('application/octet-stream')) return null;
  const text = await context.req.text();
  if (text === '') return null;
  if (type.startsWith('application/x-www-form-urlencoded')) return formBody(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Slack clients send their token inside the form: it is left out of the journal. */
function formBody(text: string): Record<string, string> {
  const fields = Object.fromEntries(new URLSearchParams(text));
  delete fields.token;
  return fields;
}
