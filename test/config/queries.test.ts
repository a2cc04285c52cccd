import { expect, test } from 'vitest';
import { buildQueries } from '../../src/config/build-catalogue.ts';
import { checkOperatorConfig } from '../../src/config/operator.ts';

function problemsOf(text: string, variables: Readonly<Record<string, string>> = {}): string[] {
  const known = {
    tools: new Map(),
    variables: new Map(Object.entries({ SHOP_URL: 'postgres://reader@db/shop', ...variables })),
    playbooks: new Set<string>(),
    checksEnvironment: true,
  };
  const { config, problems } = checkOperatorConfig(text, known);
  expect(config === null).toBe(problems.length > 0);
  return problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

const head = 'databases:\n  shop: { url: SHOP_URL }\nqueries:\n';
const query = (text: string, more = '') =>
  `${head}  - name: it\n    language: sql\n    says: [it]\n    text: ${text}\n${more}`;

test('a vetted query gets its only source, and its parameters get descriptions', () => {
  const text = query('"select {state}"', '    parameters: { state: { type: word } }\n');
  expect(problemsOf(text)).toEqual([]);
  const known = { tools: new Map(), variables: new Map([['SHOP_URL', 'x']]), playbooks: new Set<string>() };
  const { config } = checkOperatorConfig(text, known);
  expect(config && buildQueries(config)).toMatchObject([
    { source: 'shop', window: 'PT1H', parameters: { state: { describe: 'state', cues: ['state'] } } },
  ]);
});

test.each([
  ['"select {state}"', '', '7 queries.0.text: {state} is not under parameters'],
  [
    `"select '{state}'"`,
    '    parameters: { state: { type: word } }\n',
    'queries.0.text: {state} must not stand in quotes',
  ],
  [
    'select 1',
    '    parameters: { state: { type: word } }\n',
    '8 queries.0.parameters.state: is not used in text',
  ],
  [
    '"select {since}"',
    '    parameters: { since: { type: word } }\n',
    '8 queries.0.parameters.since: is a name of its own',
  ],
  [
    '"select {n}"',
    '    parameters: { n: { type: number, default: many } }\n',
    'parameters.n.default: must be a number',
  ],
  ['select 1', '    source: other\n', '8 queries.0.source: is not set up'],
  ['select 1', '    services: [nobody]\n', '8 queries.0.services: nobody is not under services'],
  ['select 1', '    window: P1M\n', '8 queries.0.window: must have no months and years'],
  [
    'select 1',
    '  - { name: it, language: sql, says: [it], text: select 2 }\n',
    '8 queries.1.name: is used twice',
  ],
  [
    'select 1',
    '  - { name: x-x, language: spl, says: [it], text: index=a }\n',
    'needs SPLUNK_URL in the environment',
  ],
  [
    'select 1',
    '  - { name: up, language: promql, says: [up], text: up }\n',
    'needs PROMETHEUS_URL in the environment',
  ],
  [
    'select 1',
    '  - { name: up, language: promql, says: [up], count: n, parameters: { job: { type: word } }, text: "up == {job}" }\n',
    '{job} must be the value of a label, as in {job={job}}',
  ],
  [
    'select 1',
    '  - { name: up, language: promql, says: [up], count: n, text: "up{a={window}}" }\n',
    '{window} must stand outside of label matchers',
  ],
  [
    'select 1',
    '  - { name: up, language: promql, says: [up], count: n, text: up }\n',
    'queries.1.count: is not for promql',
  ],
  ['select 1', '    unit: s\n', '8 queries.0.unit: is for promql only'],
] as const)('an invalid query is reported with its line: %s %s', (text, more, problem) => {
  expect(problemsOf(query(text, more)).join('\n')).toContain(problem);
});

test("a query's source must be set up", () => {
  expect(problemsOf(query('select 1'), { SHOP_URL: 'http://x' }).join()).toContain(
    'needs SHOP_URL to start with postgres:// or mysql://',
  );
  expect(problemsOf('databases: { shop: { url: NOT_SET } }').join()).toContain(
    'needs NOT_SET in the environment',
  );
  expect(problemsOf('azure: { workspaces: { shop: 1 } }').join()).toContain('azure.workspaces.shop');
  expect(problemsOf('confluence: {}').join()).toContain('needs CONFLUENCE_HOST in the environment');
});
