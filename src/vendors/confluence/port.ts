/** A wiki's port for tools. A search hit has the fields of every source of runbooks. */

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

export interface WikiPage {
  readonly id: string;
  readonly url: string;
}

export interface WikiReader {
  /** The space with this key. Throws where there is none that the account sees. */
  space(key: string, signal: AbortSignal): Promise<{ readonly id: string; readonly name: string }>;
  /** The page with this title, with the marks of writes in it; titles are unique in a space. */
  pageTitled(
    asked: { readonly space: string; readonly title: string },
    signal: AbortSignal,
  ): Promise<(WikiPage & { readonly marks: readonly string[] }) | null>;
}

export interface WikiWriter {
  /** Creates a page with plain text and a mark that people do not see. Throws where the title is taken. */
  create(
    page: {
      readonly space: string;
      readonly title: string;
      readonly text: string;
      readonly mark: string;
    },
    signal: AbortSignal,
  ): Promise<WikiPage>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly wiki: WikiReader;
  }
  interface Writers {
    readonly wiki: WikiWriter;
  }
}
