import { visibleText } from '../../core/inert.ts';
import { type BoundQuery, QueryError, type QueryValue } from '../../core/queries/bind.ts';
import { writeQuery } from '../../core/queries/template.ts';

/** Commands that look at events and change nothing, on the server or elsewhere. */
const readingCommands = new Set(
  'search where stats eventstats streamstats timechart chart top rare table fields sort head tail dedup rename eval rex regex bin bucket fillnull transaction reverse convert makemv mvexpand spath iplocation addtotals tstats'.split(
    ' ',
  ),
);

/** The search as Splunk takes it. Throws a QueryError for a value that quotes cannot hold, and for what is not only a search. */
export function splText({ text, template, values, from, to }: BoundQuery): string {
  if (template === null) mustOnlyRead(text);
  const all: Readonly<Record<string, QueryValue>> = { ...values, from, to };
  const write = (name: string): string => literal(name, all[name] ?? '');
  const written = (template === null ? text : writeQuery(text, write)).trim();
  return /^(\||search\b)/i.test(written) ? written : `search ${written}`;
}

/** A quoted string. Inside of quotes a star is still a wildcard and a backtick still a macro, so neither is taken. */
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

/** A search that a person wrote: commands that read, no search inside of it, no macro. */
function mustOnlyRead(text: string): void {
  const bare = text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"?/g, '""');
  if (/["[\]`]/.test(bare)) {
    throw new QueryError(
      'query_statement',
      'A search that is written by hand has no macros, no searches inside of it and no open quotes.',
    );
  }
  const [first = '', ...others] = bare.split('|').map((part) => part.trim());
  const commands = others.map((part) => /^\w+/.exec(part)?.[0]?.toLowerCase() ?? '');
  const bad = commands.find(
    (command, index) =>
      !readingCommands.has(command) && !(first === '' && index === 0 && command === 'tstats'),
  );
  if (bad !== undefined) {
    throw new QueryError(
      'query_statement',
      `A search that is written by hand may not use “${bad}”: it only reads.`,
    );
  }
}
