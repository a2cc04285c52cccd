import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { parse } from '../../src/notation/parse.ts';
import { print } from '../../src/notation/print.ts';

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));

const text = `list = jira.search project=OPS status=open
worst = code rows={list.rows} hours=24 -> key: issue, age: count, late: list of issue
  | const old = rows.filter((row) => row.age_minutes > hours * 60);

  | const [first] = old; // goal: why: {list.total}
  | return { key: first.key, age: first.age_minutes, late: old.map(({ key }) => key) };
  why: Jira cannot say it.
when worst.age > 100: jira.comment key={worst.key} text="{worst.age} minutes"`.replace('\n\n', '\n  |\n');

function problemsIn(source: string, returns = '-> n: count'): string[] {
  const lines = source.split('\n').map((line) => `| ${line}`);
  return parse(
    ['l = jira.search project=OPS', `x = code rows={l.rows} ${returns}`, ...lines].join('\n'),
    manifests,
  ).problems.map(({ line, message }) => `${line}: ${message}`);
}

test('a step of code is read with its inputs, its result and its lines, and printed the same', () => {
  const { plan, problems } = parse(text, manifests);
  expect(problems).toEqual([]);
  expect(plan?.steps[1]).toMatchObject({
    id: 'worst',
    tool: 'code',
    why: 'Jira cannot say it.',
    args: { rows: { ref: 'list.rows' }, hours: 24 },
    needs: ['list'],
    code: { result: { key: 'issue', age: 'count', late: 'list of issue' } },
  });
  expect(plan?.steps[1]?.code?.source.split('\n')).toHaveLength(4);
  expect(print(plan as NonNullable<typeof plan>, manifests)).toBe(text);
});

test('a result of code has a type for conditions and arguments', () => {
  const { problems } = parse(text.replace('worst.age > 100', 'worst.ages > 100'), manifests);
  expect(problems.map(({ message }) => message)).toEqual([
    '`code` returns no `ages`; it returns key, age, late. Did you mean `worst.age`?',
  ]);
});

test.each([
  ['import x from "fs";', 'import is refused: code cannot load other code.'],
  ['return import("fs");', 'import is refused: code cannot load other code.'],
  ['return eval("1");', 'eval is refused: code cannot make code.'],
  ['return new Function("return 1")();', 'Function is refused: code cannot make code.'],
  ['return globalThis;', 'globalThis is refused: code works on its inputs alone.'],
  ['return rows.constructor;', 'constructor is refused: code works on its inputs alone.'],
  ['return rows["constructor"];', 'constructor is refused: code works on its inputs alone.'],
  ['return rows.__proto__;', '__proto__ is refused: code works on its inputs alone.'],
  ['return `$' + '{`$' + '{Proxy}`}`;', 'Proxy is refused: code works on its inputs alone.'],
  ['return async () => 1;', 'async is refused: code returns at once.'],
  ['return Date.now();', 'Date is refused: code has no clock; take the age or the time from a result.'],
  ['return Math.random();', 'random is refused: code has no randomness.'],
  [
    'return rows.\\u0063onstructor;',
    'A backslash outside of a text is refused: names are written as they are.',
  ],
  ['return 1; <!-- return 2;', '<!-- is refused: it hides what follows.'],
  ['return /a/.test("a");', 'Regular expressions are refused: use includes, startsWith, split and the like.'],
  ['}; (() => { return 1;', "Unexpected token '}'."],
  ['return { n: 1 ;', "Unexpected token ';'."],
])('refuses %s, with its line', (source, message) => {
  expect(problemsIn(`const a = 1;\n${source}`)).toEqual([`4: ${message}`]);
});

test.each([
  'return { n: rows.length / 2 / 1 };',
  'return { n: "eval import globalThis".length }; // eval',
  'return { n: `$' + '{rows.map((row) => `$' + '{row.key}}`)}`.length };',
  'return { n: (rows.length) / 2 };',
])('takes %s', (source) => {
  expect(problemsIn(source)).toEqual([]);
});

test('a source over 4 KB is refused as a whole, and one without lines is asked for', () => {
  expect(problemsIn(`return "${'x'.repeat(4_090)}";`)).toEqual([
    '3: The source has 4100 bytes; it may have 4096.',
  ]);
  expect(parse('x = code -> n: count', manifests).problems[0]?.message).toMatch(/^Its source is missing/);
});

test('a result is declared by the types there are', () => {
  expect(problemsIn('return 1;', '-> n: cuont')).toEqual([
    expect.stringMatching(/^2: There is no type `cuont`; .* Did you mean `count`\?$/),
  ]);
  expect(problemsIn('return 1;', '-> n: count, n: text')).toEqual(['2: `n` is declared twice.']);
  expect(problemsIn('return 1;', '')).toEqual([expect.stringMatching(/^2: Its result is missing/)]);
});
