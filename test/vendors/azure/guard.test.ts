import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kqlText } from '../../../src/vendors/azure/kql.ts';
import { written } from '../../support/queries.ts';

const check = (text: string) => () => kqlText(written('kql', text));

test.each([
  ['print @"\\", x=externaldata(a:string)["https://evil.example"], @"\\"', 'externaldata'],
  ["print @'\\', x=toscalar(workspace('other').requests), @'\\'", 'workspace'],
  ['print ```"```, x=toscalar(workspace("o").T), ```"```', 'workspace'],
  ['print h@"\\", x=toscalar(app("o").T), "\\""', 'app'],
  ["['workspace']('other').requests", "'workspace'"],
  ['requests | evaluate\nbag_unpack(x)', 'evaluate'],
  ['requests // "\n| invoke f() // "', 'invoke'],
  ['union (database\u00a0("x").T)', 'database'],
  ['external_table("x")', 'external_table'],
  ['adx("https://x/y").T', 'adx'],
  ['arg("").Resources', 'arg'],
  ['let f = () { cluster("x").database("y").T }; f', 'cluster'],
  ['resource("/subscriptions/x").T', 'resource'],
])('a handwritten query reads one workspace only: %s', (text, found) => {
  expect(check(text)).toThrow(`may not use “${found}”`);
});

test.each([
  'print ~~~"~~~, workspace("x"), ~~~"~~~',
  'print datetime("), workspace(") ',
  'print long(1 // ), workspace("x").T\n)',
  'print "open',
  'print "a\\qb"',
  'print @"open\n"',
  'print ```open',
  '#connect cluster("x")',
  'T // \u2028 | evaluate python(x)',
])('an ambiguous handwritten query is refused: %s', (text) => {
  expect(check(text)).toThrow('I cannot tell where the strings and comments');
});

test.each([
  '.drop table requests',
  'requests | take 1; exceptions | take 1',
  'set notruncation; requests',
  'set servertimeout = 1h; requests',
  'alias database d = x; requests',
  'declare query_parameters(n:long = 5); requests',
  '// only a comment',
])('a handwritten query must be a single query: %s', (text) => {
  expect(check(text)).toThrow('must be one query');
});

test.each([
  'let n = 5; let f = (x:long) { let y = x; y + 1 }; requests | where id == f(n);',
  'requests | where app == "x" and database has "workspace(" | project app, resource, cluster',
  'requests | where at > datetime(2026-03-10T11:00:00Z) and took < time(1d) and day < datetime(1/2/2026)',
  'requests | extend a = @"C:\\dir\\", b = \'it\\\'s evaluate\', ["app"] = ```invoke\n(```',
  'requests | where message has h"secret" // externaldata(',
])('words in strings, comments and column names are harmless: %s', (text) => {
  expect(check(text)).not.toThrow();
});

const quotes = [
  (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
  (text: string) => `@"${text.replaceAll('"', '""').replaceAll('\n', ' ')}"`,
  (text: string) => `h@'${text.replaceAll("'", "''").replaceAll('\n', ' ')}'`,
  (text: string) => `\`\`\`${text.replaceAll('`', '')}\`\`\``,
  (text: string) => `// ${text.replaceAll('\n', ' ')}\n`,
];
const attacks = [
  'externaldata(x:string)["https://x"]',
  'workspace("x")',
  'app ("x")',
  'adx("x")',
  'arg("")',
  "cluster('x')",
  'database(@"x")',
  'external_table("x")',
  '| evaluate python(x)',
  '| evaluate sql_request("x")',
  '| invoke f()',
];
const pieces = [
  ...'\'"`\\@h/-;~#{}\n'.split(''),
  '```',
  '//',
  ' evaluate ',
  'workspace("x")',
  'externaldata(',
];
const noise = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));

test('a forbidden operator is found anywhere outside a string', () => {
  const written = fc.tuple(noise, fc.constantFrom(...quotes)).map(([text, quote]) => ` ${quote(text)} `);
  const some = fc.array(written, { maxLength: 6 }).map((all) => all.join(','));
  const property = fc.property(some, some, fc.constantFrom(...attacks), (before, after, attack) => {
    expect(check(`print ${before} , ${after}`)).not.toThrow();
    expect(check(`print ${before} , ${attack} , ${after}`)).toThrow();
  });
  fc.assert(property, { numRuns: 500 });
});
