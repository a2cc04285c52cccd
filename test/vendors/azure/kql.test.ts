import { expect, test } from 'vitest';
import { runKql } from '../../../sandbox/azure/kql.ts';
import { kqlText } from '../../../src/vendors/azure/kql.ts';
import { bound, template, written } from '../../support/queries.ts';

const entries = template('kql', 'T\n| where S == {service} and M has {about} and A >= {from} // as vetted', {
  service: 'service',
  about: 'text',
});

test('values are typed defaults of declared parameters, and operators in them are plain text', () => {
  const about = 'x" | take 1 //\n\\';
  expect(kqlText(bound(entries, { service: 'checkout', about }))).toBe(
    'declare query_parameters(p_service:string = "checkout", p_about:string = "x\\" | take 1 //\\n\\\\", ' +
      'p_from:datetime = datetime(2026-03-10T11:00:00.000Z));\n' +
      'T\n| where S == p_service and M has p_about and A >= p_from // as vetted\n',
  );
  const rows = [
    { S: 'checkout', M: `say ${about}`, A: '2026-03-10T11:30:00Z' },
    { S: 'ops', M: 'x', A: '9' },
  ];
  const run = (words: string) =>
    runKql(
      `${kqlText(bound(entries, { service: 'checkout', about: words }))}| count`,
      new Map([['T', rows]]),
    );
  expect(run(about)).toEqual([{ Count: 1 }]);
  expect(run('" or 1 == 1')).toEqual([{ Count: 0 }]);
});

test('no line terminator in a value ends its string', () => {
  const about = 'a\u2028b\u2029c\r\nd\u0085e';
  expect(kqlText(bound(entries, { service: 'checkout', about }))).toContain('"a\\u2028b\\u2029c\\nde"');
});

test('numbers keep their type', () => {
  const text = (most: number) =>
    kqlText(bound(template('kql', 'T | where N < {most}', { most: 'number' }), { most }));
  expect(text(5)).toContain('p_most:long = 5');
  expect(text(0.5)).toContain('p_most:real = 0.5');
});

test("a person's query stays in its workspace and is a single query", () => {
  expect(kqlText(written('kql', 'requests | where success == false | take 20;'))).toBe(
    'requests | where success == false | take 20\n',
  );
  expect(kqlText(written('kql', 'let n = 5; requests | take n'))).toContain('let n');
  for (const bad of [
    '.drop table requests',
    'requests | take 1; exceptions | take 1',
    'externaldata(x:string)["https://evil.example"]',
    'workspace("other").requests',
    'requests | evaluate http_request("https://evil.example")',
    'cluster("x").database("y").T',
    'requests | invoke f()',
  ]) {
    expect(() => kqlText(written('kql', bad)), bad).toThrow(/handwritten/);
  }
});

test('a past week has its start and its end as parameters', () => {
  const of = template('kql', 'T | where A between ({from} .. {to})', {});
  expect(kqlText(bound(of, { during: 'last week' }))).toContain(
    'p_from:datetime = datetime(2026-03-02T00:00:00.000Z), p_to:datetime = datetime(2026-03-09T00:00:00.000Z)',
  );
});
