import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mustOnlyRead } from '../../../src/vendors/sql/guard.ts';
import type { SqlDialect } from '../../../src/vendors/sql/port.ts';

const check = (dialect: SqlDialect, text: string) => () => mustOnlyRead(text, dialect);

test.each([
  ['postgres', "select set_config('statement_timeout', '0', true), generate_series(1, 1e11)", 'set_config'],
  ['postgres', "select pg_catalog.\"set_config\"('x', 'y', true)", 'set_config'],
  ['postgres', "select query_to_xml('select set_' || 'config(1)', true, true, '')", 'query_to_xml'],
  ['postgres', "select * from dblink('host=evil', 'select 1') as t(x int)", 'dblink'],
  ['postgres', 'select pg_advisory_lock(7)', 'pg_advisory_lock'],
  ['postgres', 'select pg_terminate_backend(pid) from pg_stat_activity', 'pg_terminate_backend'],
  ['postgres', "select pg_logical_emit_message(false, 'a', 'b')", 'pg_logical_emit_message'],
  ['postgres', "select 1 as a, $$'$$, set_config('a.b', 'c', true), $$'$$", 'set_config'],
  ['postgres', "select E'\\'', set_config('a.b', '\\', true)", 'set_config'],
  ['postgres', "select '\\', lo_import(1), '\\'", 'lo_import'],
  ['postgres', 'select 1 into copied', 'into'],
  ['postgres', 'select 1.into copied', 'into'],
  ['postgres', 'select * from orders for no key update', 'for no key'],
  ['mysql', "select get_lock('x', 0)", 'get_lock'],
  ['mysql', "select `load_file` ('/etc/passwd')", 'load_file'],
  ['mysql', 'select benchmark(100000000000, 1)', 'benchmark'],
  ['mysql', "select 1 # '\n into outfile '/tmp/x'", 'into'],
  ['mysql', "select 1 -- '\r\n into outfile '/tmp/x'", 'into'],
  ['mysql', "select 1--'' into outfile '/tmp/x'", 'into'],
  ['mysql', 'select * from orders lock in share mode', 'lock in'],
] as const)('a handwritten query of %s can only read tables: %s', (dialect, text, found) => {
  expect(check(dialect, text)).toThrow(`may not use “${found}”`);
});

test.each([
  ['postgres', "select U&\"set\\005fconfig\"('a.b', 'c', true)"],
  ['postgres', 'select 1 /* /* */ , set_config(1) */'],
  ['postgres', 'select /*+ Set(statement_timeout 0) */ 1'],
  ['postgres', "select E'a'\n'\\', set_config(1, '\\'"],
  ['postgres', "select 'open"],
  ['postgres', 'select $a$ open $A$'],
  ['mysql', 'select /*+ MAX_EXECUTION_TIME(0) */ 1'],
  ['mysql', 'select /*!50000 get_lock(1, 1) */ 1'],
  ['mysql', 'select /*M!100100 get_lock(1, 1) */ 1'],
  ['mysql', "select '\\', get_lock(1, 1), '\\'"],
  ['mysql', 'select "\\", get_lock(1, 1), "\\"'],
  ['mysql', 'select 1 -- \u000b\u2028'],
] as const)('an ambiguous handwritten query of %s is refused: %s', (dialect, text) => {
  expect(check(dialect, text)).toThrow('I cannot tell where the strings and comments');
});

test.each([
  ['postgres', "select 'set_config(1)', $x$ into $x$, E'it\\'s into', \"into\" from t -- into outfile"],
  ['postgres', "select substring(a from 2 for 3), set_config from t where b like '%\\' /* lo_x() */"],
  ['postgres', 'select 5 # 3, $1::int, a.b$c from t'],
  ['mysql', 'select `into`, "get_lock" from t where a = \'into outfile\' # get_lock(1)'],
  ['mysql', "select 'C:\\\\dir\\\\', 5--4 from t"],
] as const)('words in strings, comments and quoted names of %s are harmless: %s', (dialect, text) => {
  expect(check(dialect, text)).not.toThrow();
});

const quotes = {
  postgres: [
    (text: string) => `'${text.replaceAll("'", "''")}'`,
    (text: string) => `E'${text.replaceAll(/['\\]/g, '\\$&')}' ||`,
    (text: string) => `$q$${text.replaceAll('$', '')}$q$`,
    (text: string) => `"${text.replaceAll('"', '""')}"`,
    (text: string) => `/* ${text.replaceAll(/[/*]/g, '')} */`,
    (text: string) => `-- ${text.replaceAll(/[\r\n]/g, ' ')}\n`,
  ],
  mysql: [
    (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
    (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`,
    (text: string) => `\`${text.replaceAll('`', '``')}\``,
    (text: string) => `/* ${text.replaceAll(/[/*]/g, '')} */`,
    (text: string) => `# ${text.replaceAll('\n', ' ')}\n`,
  ],
} as const;
const attacks = {
  postgres: ['set_config(', 'dblink (', 'into', 'lo_import("'],
  mysql: ['get_lock(', 'into', 'load_file (', 'for share'],
};
/** Pieces that open and close strings in one way or another. */
const noise = fc
  .array(fc.constantFrom(...'\'"`\\$*/-# ;aE\n'.split(''), '$q$', ' into ', 'set_config(1)', 'get_lock(1)'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

test.each(['postgres', 'mysql'] as const)(
  '%s: a forbidden word is found anywhere outside a string',
  (dialect) => {
    const written = fc
      .tuple(noise, fc.constantFrom(...quotes[dialect]))
      .map(([text, quote]) => ` ${quote(text)} `);
    const property = fc.property(
      fc.array(written, { maxLength: 6 }),
      fc.array(written, { maxLength: 6 }),
      fc.constantFrom(...attacks[dialect]),
      (before, after, attack) => {
        const harmless = `select ${before.join(',')} , ${after.join(',')}`;
        expect(check(dialect, harmless)).not.toThrow();
        expect(check(dialect, `select ${before.join(',')} , ${attack} ${after.join(',')}`)).toThrow();
      },
    );
    fc.assert(property, { numRuns: 500 });
  },
);
