import { visibleText } from '../../core/inert.ts';
import { type BoundQuery, QueryError, type QueryValue } from '../../core/queries/bind.ts';
import { piecesOf, writeQuery } from '../../core/queries/template.ts';

/** Operators and functions that reach out of the workspace, or run code of others. */
const reachesOut =
  /\b(externaldata|evaluate|http_request\w*|invoke|workspace|app|adx|arg|cluster|database|external_table|resource)\b(?=\s*[([]|\s+\w)/i;

/**
 * The query as Azure Monitor takes it. Its API has no slot for values, so they stand as typed defaults of declared
 * parameters in front of the query, and the query names them; its own text is the operator's.
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
    .replaceAll('\t', '\\t');
  return `string = "${safe}"`;
}

function mustStayInside(text: string): void {
  const [strings, open] = [/"(?:[^"\\]|\\[\s\S])*("?)|'(?:[^'\\]|\\[\s\S])*('?)/g, { found: false }];
  const bare = text
    .replaceAll(strings, (_all, double?: string, single?: string) => {
      open.found ||= (double ?? single) === '';
      return '""';
    })
    .replaceAll(/\/\/.*/g, '');
  if (open.found) throw new QueryError('query_statement', 'A handwritten query must have no open quotes.');
  const found = reachesOut.exec(bare)?.[1];
  if (found !== undefined) {
    throw new QueryError(
      'query_statement',
      `A handwritten query may not use “${found}”: it reads one workspace and nothing else.`,
    );
  }
  if (
    /^\s*\./.test(bare) ||
    (bare.replace(/;\s*$/, '').includes(';') === true && !/^\s*(let|declare)\b/.test(bare))
  ) {
    throw new QueryError('query_statement', 'A handwritten query must be one query, not a server command.');
  }
}

/** Ready for an operator behind it: the last line may be a comment. */
function withoutEnd(text: string): string {
  return `${text.trim().replace(/(?<!;);+\s*$/, '')}\n`;
}
