/** Short codes, names and numbers; never words of people or vendors. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface RequestName {
  readonly teamId: string;
  readonly requestId: string;
}

/** Work that may add facts to its span once it knows them. */
export type Spanned<T> = (note: (facts: SpanFacts) => void) => Promise<T>;

/** Where each request is on its way from the command to the page. */
export interface Tracing {
  /** The span of the request itself, to which all others belong. */
  request<T>(of: RequestName, facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** A span of a request, in whatever process and however much later. */
  of<T>(request: RequestName, name: string, facts: SpanFacts, work: Spanned<T>): Promise<T>;
  /** A span below the one under way. Where none is, the work is done without. */
  within<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** The same for work that waits for nothing. */
  at<T>(name: string, work: () => T): T;
  /** What a line of the log says of the span under way. */
  ids(): SpanFacts;
  /** Takes a line of the log, as JSON. */
  line(line: string): void;
  /** Sends what there still is; gives up after a moment. */
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
