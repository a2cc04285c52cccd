/** Short codes, names and numbers; never words of people or vendors. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface RequestName {
  readonly teamId: string;
  readonly requestId: string;
}

/** Work that may add facts to its span once it knows them. */
export type Spanned<T> = (note: (facts: SpanFacts) => void) => Promise<T>;

/** A `server` span is about something that came in, a `client` span about a request to another system. */
export type SpanSide = 'internal' | 'server' | 'client';

/** Traces each request on its way from the command to the page. */
export interface Tracing {
  /** The root span of a request. */
  request<T>(of: RequestName, facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** A span of a request, in any process and however much later. */
  of<T>(request: RequestName, name: string, facts: SpanFacts, work: Spanned<T>, side?: SpanSide): Promise<T>;
  /** A child of the current span. Without a current span, the work runs untraced. */
  within<T>(name: string, facts: SpanFacts, work: () => Promise<T>, side?: SpanSide): Promise<T>;
  /** Like `within`, for synchronous work. */
  at<T>(name: string, work: () => T): T;
  /** The current span's fields for a log line. */
  ids(): SpanFacts;
  /** Exports a log line (JSON). */
  line(line: string): void;
  /** Sends remaining data; gives up after a moment. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  request: (_of, _facts, work) => work(),
  of: (_request, _name, _facts, work) => work(() => undefined),
  within: (_name, _facts, work) => work(),
  at: (_name, work) => work(),
  ids: () => ({}),
  line: () => undefined,
  close: async () => undefined,
};
