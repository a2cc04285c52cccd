/** A wiki's port for tools, with the same fields as every other source of runbooks. */

export interface PageQuery {
  readonly words: string;
  readonly service: string | null;
  readonly code: string | null;
}

export interface PageHit {
  readonly title: string;
  readonly section: string;
  /** Name of the space. */
  readonly place: string;
  /** Address of the page; empty if Confluence returned none on its own host. */
  readonly address: string;
  /** ISO 8601, or null. */
  readonly changed: string | null;
  readonly excerpt: string;
}

export interface PageSource {
  search(
    query: PageQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ readonly total: number; readonly hits: readonly PageHit[] }>;
}
