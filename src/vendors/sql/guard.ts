import { QueryError } from '../../core/queries/bind.ts';
import { callsIn, type Lexeme, type Token, tokensOf } from '../../core/queries/tokens.ts';
import type { SqlDialect } from './port.ts';

/** Hints and executed comments can change limits, and where a nested comment ends depends on the server. */
const comment = /\/\*(?!\+|M?!)(?:(?!\/\*|\*\/).)*\*\//sy;

/** With `standard_conforming_strings` on, which the bot sets for each transaction. */
const postgres: readonly Lexeme[] = [
  ['skip', /[ \t\r\n]+/y],
  ['skip', /--[^\r\n]*/y],
  ['skip', comment],
  ['unclear', /\/\*|u&['"]/iy],
  ['string', /e'(?:[^'\\]|\\.|'')*'/isy],
  ['string', /'(?:[^']|'')*'/y],
  ['string', /\$((?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$.*?\$\1\$/sy],
  ['sign', /\$?\d+/y],
  ['name', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['quoted', /"(?:[^"]|"")*"/y],
  ['sign', /[^'"`$]/y],
];

/** Whether a backslash escapes a quote, and what double quotes are, depends on `sql_mode`: neither may matter here. */
const mysql: readonly Lexeme[] = [
  ['skip', /[ \t\r\n]+/y],
  ['skip', /(?:#|--(?=[ \t\r\n]|$))[^\n]*/y],
  ['skip', comment],
  ['unclear', /\/\*/y],
  ['string', /'(?:[^'\\]|\\[^'"]|'')*'/y],
  ['quoted', /"(?:[^"\\]|\\[^'"]|"")*"/y],
  ['quoted', /`(?:[^`]|``)*`/y],
  ['sign', /\d+/y],
  ['name', /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['sign', /[^'"`]/y],
];

/**
 * Functions that a read-only role may call but that do more than read tables: they change the session, run text as a
 * statement, hold locks, stop other sessions, or reach files, the log and other hosts.
 */
const refusedCalls: Readonly<Record<SqlDialect, RegExp>> = {
  postgres:
    /^(set_config|query_to_xml\w*|cursor_to_xml\w*|ts_stat|ts_rewrite|crosstab\w*|connectby|xpath_table|dblink\w*|lo_\w+|lo(read|write)|pg_(try_)?advisory\w*|pg_(cancel|terminate)_backend|pg_notify|pg_(read|ls|stat|file|logical|replication|create|drop|switch|start|stop|backup|wal|log|export|promote|reload|rotate|prewarm|stat_reset)\w*|http\w*|aws_\w+|query_export_to_s3|table_import_from_s3)$/,
  mysql:
    /^(benchmark|get_lock|release_lock|release_all_locks|load_file|sys_\w+|(source|master)_(pos|gtid)_wait|wait_for_executed_gtid_set|wait_until_sql_thread_after_gtids|nextval|setval|lastval)$/,
};

/** Word sequences that make a SELECT write files or lock rows. */
const refusedWords = [
  ['into'],
  ['outfile'],
  ['dumpfile'],
  ['for', 'update'],
  ['for', 'share'],
  ['for', 'key', 'share'],
  ['for', 'no', 'key'],
  ['lock', 'in'],
] as const;

const unclear =
  "I cannot tell where the strings and comments of this query end. Write strings as '…', without backslashes before quotes and U& escapes, and leave out hints and comments in comments.";

/** Throws a QueryError unless a person's statement only reads tables. */
export function mustOnlyRead(text: string, dialect: SqlDialect): void {
  if (!/^\s*(select|with|values|table)\b/i.test(text)) {
    throw refused('Only one statement that reads is run: it has to begin with SELECT or WITH.');
  }
  const tokens = tokensOf(text, dialect === 'postgres' ? postgres : mysql);
  if (tokens === null || tokens.some((token, index) => goesOn(token, tokens[index + 1])))
    throw refused(unclear);
  const found = callsIn(tokens).find((name) => refusedCalls[dialect].test(name)) ?? refusedIn(tokens);
  if (found !== undefined) throw refused(`A handwritten query may not use “${found}”: it only reads tables.`);
}

/** A string after an E'…' belongs to it, including its escapes. */
function goesOn({ kind, text }: Token, next: Token | undefined): boolean {
  return kind === 'string' && /^e'/i.test(text) && next?.kind === 'string';
}

function refusedIn(tokens: readonly Token[]): string | undefined {
  const words = tokens.map(({ kind, text }) => (kind === 'name' ? text.toLowerCase() : null));
  const found = refusedWords.find((phrase) =>
    words.some((_word, at) => phrase.every((word, offset) => words[at + offset] === word)),
  );
  return found?.join(' ');
}

function refused(message: string): QueryError {
  return new QueryError('query_statement', message);
}
