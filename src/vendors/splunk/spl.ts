import { visibleText } from '../../core/clean-text.ts';
import { type BoundQuery, QueryError, type QueryValue } from '../../core/queries/bind.ts';
import { writeQuery } from '../../core/queries/template.ts';
import { type Lexeme, type Token, tokensOf } from '../../core/queries/tokens.ts';

/** Commands that only read events and change nothing, on the server or elsewhere. */
const readingCommands = new Set(
  'search where stats eventstats streamstats timechart chart top rare table fields sort head tail dedup rename eval rex regex bin bucket fillnull transaction reverse convert makemv mvexpand spath iplocation addtotals tstats'.split(
    ' ',
  ),
);

/**
 * The search in Splunk's format. Throws a QueryError for a value that cannot be quoted, and for text that is more than
 * a search.
 */
export function splText({ text, template, values, from, to }: BoundQuery): string {
  if (template === null) mustOnlyRead(text);
  const all: Readonly<Record<string, QueryValue>> = { ...values, from, to };
  const write = (name: string): string => literal(name, all[name] ?? '');
  const written = (template === null ? text : writeQuery(text, write)).trim();
  return /^(\||search\b)/i.test(written) ? written : `search ${written}`;
}

/** A quoted string. Even inside quotes a star is a wildcard and a backtick a macro, so both are rejected. */
function literal(name: string, value: QueryValue): string {
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return String(Math.floor(value.getTime() / 1_000));
  if (/[*`\n\r\t]/.test(value) || visibleText(value) !== value) {
    throw new QueryError(
      'query_argument',
      `${name} must be plain words for Splunk, without stars, backticks and line breaks.`,
    );
  }
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/**
 * Splunk's own parser decides where a quote ends, and treats quotes, backslashes and apostrophes depending on the
 * command: anything it could read differently is refused, and so are macros (backticks) and searches in brackets.
 */
const lexemes: readonly Lexeme[] = [
  ['skip', /\s+/y],
  ['unclear', /\\["'`|]|[[\]`]/y],
  ['string', /"(?:[^"\\]|\\.)*"/sy],
  ['quoted', /'[^'"\\|`[\]\r\n]*'/y],
  ['name', /\w+/y],
  ['sign', /[^"'`]/y],
];

/** A person's search: only commands that read, without a subsearch or macro. */
function mustOnlyRead(text: string): void {
  const tokens = /\\\\"/.test(text) ? null : tokensOf(text, lexemes);
  if (tokens === null) {
    throw new QueryError(
      'query_statement',
      'A search that is written by hand has no macros, no searches inside of it, no open quotes and no backslashes before quotes outside of quotes.',
    );
  }
  const bad = tokens
    .flatMap((token, at) => (token.text === '|' && token.kind === 'sign' ? [commandAt(tokens, at + 1)] : []))
    .find((command) => !readingCommands.has(command));
  if (bad !== undefined) {
    throw new QueryError(
      'query_statement',
      `A search that is written by hand may not use “${bad}”: it only reads.`,
    );
  }
}

function commandAt(tokens: readonly Token[], at: number): string {
  const [name, next] = [tokens[at], tokens[at + 1]];
  const command = name?.kind === 'name' ? name.text.toLowerCase() : '';
  return next?.text === '-' || next?.text === '.' ? `${command}${next.text}` : command;
}
