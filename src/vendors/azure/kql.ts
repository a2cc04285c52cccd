import { visibleText } from '../../core/clean-text.ts';
import { type BoundQuery, QueryError, type QueryValue } from '../../core/queries/bind.ts';
import { piecesOf, writeQuery } from '../../core/queries/template.ts';
import { callsIn, type Lexeme, type Token, tokensOf } from '../../core/queries/tokens.ts';

/**
 * The query in the form Azure Monitor accepts. Its API has no parameters for values, so they become typed defaults of
 * declared parameters before the query, which refers to them by name; the query text itself is the operator's.
 */
export function kqlText({ text, template, values, from, to }: BoundQuery): string {
  if (template === null) {
    mustStayInside(text);
    return withoutEnd(text);
  }
  const all: Readonly<Record<string, QueryValue>> = { ...values, from, to };
  const used = new Set(piecesOf(text).flatMap((piece) => ('name' in piece ? [piece.name] : [])));
  const declared = [...used].map((name) => `p_${name}:${literal(all[name] ?? '')}`);
  const head = declared.length === 0 ? '' : `declare query_parameters(${declared.join(', ')});\n`;
  return head + withoutEnd(writeQuery(text, (name) => `p_${name}`));
}

/** Type and value of a parameter. */
function literal(value: QueryValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `long = ${value}` : `real = ${value}`;
  if (value instanceof Date) return `datetime = datetime(${value.toISOString()})`;
  const safe = visibleText(value)
    .replaceAll(/[\\"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\t', '\\t');
  return `string = "${safe}"`;
}

/** Allows another operator to follow: the last line may be a comment. */
function withoutEnd(text: string): string {
  return `${text.trim().replace(/(?<!;);+\s*$/, '')}\n`;
}

const escapes = String.raw`\\(?:[\\'"abfnrtv]|[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})`;
const typed =
  'bool|boolean|date|datetime|decimal|double|guid|int|int32|int64|long|real|time|timespan|uniqueid|uuid';

/**
 * Kusto's strings: with escapes, verbatim (@"…"), multi-line (```…```), each optionally hidden (h"…"). Literals such as
 * datetime(…) are read up to their bracket, whatever they contain. `~~~` is a string only on some servers.
 */
const lexemes: readonly Lexeme[] = [
  ['skip', /\s+/y],
  ['skip', /\/\/[^\r\n]*/y],
  ['string', /[hH]?@?```.*?```/sy],
  ['string', /[hH]?@"(?:[^"\r\n]|"")*"/y],
  ['string', /[hH]?@'(?:[^'\r\n]|'')*'/y],
  ['string', new RegExp(`[hH]?"(?:[^"\\\\\\r\\n]|${escapes})*"`, 'y')],
  ['string', new RegExp(`[hH]?'(?:[^'\\\\\\r\\n]|${escapes})*'`, 'y')],
  ['sign', new RegExp(String.raw`(?:${typed})\((?:[\w.,:+ \t-]|\/(?!\/))*\)`, 'iy')],
  ['unclear', new RegExp(String.raw`h?@['"\`]|~~~|#|(?:${typed})\(`, 'iy')],
  ['sign', /\d+/y],
  ['name', /[\p{L}_$][\p{L}\p{N}_]*/uy],
  ['sign', /[^'"`]/uy],
];

/** Operators that reach outside the workspace, or run other people's code. */
const operators = new Set(['externaldata', 'external_table', 'evaluate', 'invoke']);
/** Functions that do the same; as column names they are common. */
const functions = /^(workspace|app|adx|arg|cluster|database|resource|http_request\w*)$/;

/** Throws a QueryError unless a person's text is a single query of one workspace. */
function mustStayInside(text: string): void {
  const tokens = tokensOf(text, lexemes);
  if (tokens === null) {
    throw refused(
      'I cannot tell where the strings and comments of this handwritten query end. Close each string in its line, and leave out ~~~, # and unknown escapes.',
    );
  }
  const found = reachesOut(tokens);
  if (found !== undefined) {
    throw refused(`A handwritten query may not use “${found}”: it reads one workspace and nothing else.`);
  }
  const statements = statementsOf(tokens);
  const last = statements.pop()?.[0]?.text;
  if (last === undefined || /^(\.|set|alias|declare|restrict)$/i.test(last) || !statements.every(isLet)) {
    throw refused(
      'A handwritten query must be one query, with only let in front of it, and no server command.',
    );
  }
}

function reachesOut(tokens: readonly Token[]): string | undefined {
  const words = tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text.toLowerCase());
  return (
    words.find((word) => operators.has(word)) ??
    callsIn(tokens).find((name) => functions.test(name)) ??
    bracketedCall(tokens)
  );
}

/** `['workspace']("x")`: a bracketed name can be called, too. */
function bracketedCall(tokens: readonly Token[]): string | undefined {
  const called = tokens.findIndex(
    ({ kind }, at) => kind === 'string' && tokens[at + 1]?.text === ']' && tokens[at + 2]?.text === '(',
  );
  return tokens[called]?.text;
}

/** The statements between semicolons; those within a function's braces belong to it. */
function statementsOf(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '{') depth += 1;
    if (token.text === '}') depth -= 1;
    if (token.text === ';' && depth === 0) statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

function isLet([first]: readonly Token[]): boolean {
  return first?.text === 'let';
}

function refused(message: string): QueryError {
  return new QueryError('query_statement', message);
}
