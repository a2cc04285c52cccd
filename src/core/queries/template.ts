/** Languages of queries; a tool that takes vetted queries declares the one it speaks. */
export const queryLanguages = ['kql', 'spl', 'sql', 'promql'] as const;
export type QueryLanguage = (typeof queryLanguages)[number];

/** The kinds of things that a column may name, with the result that lists them. */
export const queryTargets = { issue: 'issues', service: 'services', incident: 'incidents' } as const;
export type QueryTarget = keyof typeof queryTargets;

export const parameterTypes = ['service', 'word', 'text', 'code', 'number', 'status', 'host'] as const;
export type ParameterType = (typeof parameterTypes)[number];

export interface QueryParameter {
  readonly type: ParameterType;
  /** Its default; required if there is none. */
  readonly default?: string | number | undefined;
  readonly describe: string;
  /** Words right before its value: "of customer". */
  readonly cues: readonly string[];
}

/** The placeholders of a parameter: a status code such as 503 or 5xx has a first and a last one. */
export const placesOf = (name: string, type: ParameterType | undefined): string[] =>
  type === 'status' ? [`${name}_from`, `${name}_to`] : [name];

/** A query vetted by the operator. */
export interface QueryTemplate {
  readonly name: string;
  readonly language: QueryLanguage;
  /** Name of the database or workspace it runs on. */
  readonly source: string;
  /** Its names among people: "errors", "failed requests". */
  readonly says: readonly string[];
  /** Services it covers; empty for all. */
  readonly services: readonly string[];
  readonly parameters: Readonly<Record<string, QueryParameter>>;
  /** ISO 8601 duration before now, when no time is given. */
  readonly window: string;
  /** Column whose sum is the number of entries; absent where each row is one. */
  readonly count?: string | undefined;
  /** Column with error codes or signatures, most frequent first. */
  readonly code?: string | undefined;
  /** Columns by which its entries may be grouped. */
  readonly groups?: readonly string[] | undefined;
  /** Columns with names of things that a write may be for each of. */
  readonly targets?: Readonly<Partial<Record<QueryTarget, string | undefined>>> | undefined;
  /** The unit of its numbers: s, ms, bytes, requests/s. */
  readonly unit?: string | undefined;
  /** The query, with `{name}` for each parameter, and `{from}` and `{to}` for the time. */
  readonly text: string;
}

/** Spans of time that entries are grouped by. */
export const timeGroups = ['hour', 'day', 'week'] as const;

/** Placeholder names for the two ends of the time range. */
export const timeNames = ['from', 'to'] as const;

/** A part of a template: verbatim text, or the name of a parameter. */
export type Piece = { readonly text: string } | { readonly name: string };

/** Splits a template into parts. Braces around anything but a plain name are text. */
export function piecesOf(template: string): Piece[] {
  return template
    .split(/\{([a-z][a-z_]*)\}/)
    .map((part, index) => (index % 2 === 1 ? { name: part } : { text: part }))
    .filter((piece) => 'name' in piece || piece.text !== '');
}

/** The template with each parameter replaced by `write`. */
export function writeQuery(template: string, write: (name: string) => string): string {
  return piecesOf(template)
    .map((piece) => ('name' in piece ? write(piece.name) : piece.text))
    .join('');
}
