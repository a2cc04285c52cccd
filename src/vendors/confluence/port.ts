/** What tools may ask of a wiki, in the shape that every place with runbooks has. */

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
  /** Address of the page; empty when Confluence gave none on its own host. */
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
