import { afterAll, expect, test } from 'vitest';
import { createCodePool } from '../../src/run/code/pool.ts';

const pool = createCodePool({ size: 2 });
afterAll(() => pool.close());

function run(source: string, inputs: Readonly<Record<string, unknown>> = {}) {
  const [names, values] = [Object.keys(inputs), Object.values(inputs)];
  return pool.evaluate({ source, names, inputs: JSON.stringify(values) });
}

test('a source computes from its inputs alone, and each call begins anew', async () => {
  const inputs = { rows: [{ n: 3 }, { n: 4 }], more: 5 };
  const sum = 'return { sum: rows.reduce((all, { n }) => all + n, more) };';
  expect(await run(sum, inputs)).toEqual({ json: '{"sum":12}' });
  await run('Array.prototype.reduce = () => 1; globalThis.left = 1; return 1;');
  expect(await run(sum, inputs)).toEqual({ json: '{"sum":12}' });
  expect(await run('return typeof left;')).toEqual({ json: '"undefined"' });
});

test.each([
  ['loops', 'for (;;);', 'time'],
  ['loops in a catch', 'for (;;) { try { for (;;); } catch {} }', 'time'],
  ['sorts for ever', 'return [3, 1, 2].sort(() => { for (;;); });', 'time'],
  ['loops in a getter of its result', 'return { get a() { for (;;); } };', 'time'],
  [
    'loops in the message of its error',
    'throw new (class extends Error { get message() { for (;;); } })();',
    'time',
  ],
  ['searches a list of four billion in one native call', 'return Array(2 ** 32 - 1).indexOf(1);', 'time'],
  ['collects texts', 'const all = []; for (;;) all.push("x".repeat(9999) + all.length);', 'memory'],
  ['collects lists', 'const all = []; for (;;) all.push(Array(1000).fill(all));', 'memory'],
  ['makes one huge text', 'return "x".repeat(2 ** 29);', 'memory'],
  ['calls itself', 'const f = () => f(); return f();', 'depth'],
  ['throws an object', 'throw { a: 1 };', 'threw'],
  ['throws from toJSON', 'return { toJSON() { throw 1; } };', 'threw'],
  ['returns NaN', 'return { n: NaN };', 'not_finite'],
  ['returns an infinite number', 'return [1 / 0];', 'not_finite'],
  ['returns more than anyone reads', 'return "x".repeat(70000);', 'size'],
  ['changes its inputs', 'rows[0].n = 2; return rows;', 'threw'],
  ['adds to its inputs', 'rows.push(1); return rows;', 'threw'],
  ['makes code', 'return eval("1");', 'threw'],
  ['makes code through a function', 'return (() => 1).constructor("return 1")();', 'threw'],
  ['makes code through a list', 'return rows.constructor.constructor("return 1")();', 'threw'],
  ['makes code through a generator', 'return (function* () {}).constructor("return 1")();', 'threw'],
  ['asks for the time', 'return Date.now();', 'threw'],
  ['asks for a random number', 'return Math.random();', 'threw'],
  ['makes a proxy', 'return new Proxy({}, {});', 'threw'],
  ['matches a pattern', 'return "aaa".match("a");', 'threw'],
  ['has a syntax of its own', 'return /a/.test("a");', 'threw'],
  ['loads a module', 'return import("node:fs");', 'broken'],
  ['waits', 'return (async () => 1)();', 'broken'],
  ['bends the words for its answer', 'Object.prototype.toJSON = () => ({ json: 1 }); return {};', 'broken'],
])('a source that %s is stopped, and the next one runs', async (_what, source, why) => {
  expect(await run(source, { rows: [{ n: 1 }] })).toMatchObject({ why });
  expect(await run('return 1;')).toEqual({ json: '1' });
});

test('nothing of the bot is in reach of a source', async () => {
  const known = await run(
    'return Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]/.test(name));',
  );
  expect(known).toMatchObject({ why: 'threw' });
  const found = await run(
    'return ["process", "require", "fetch", "console", "setTimeout", "performance", "crypto", "WebAssembly", "Date", "RegExp", "Promise", "Uint8Array", "Function"].filter((name) => name in globalThis);',
  );
  expect(found).toEqual({ json: '[]' });
});

test('hostile and honest sources side by side: each gets its own answer', async () => {
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      run(index % 3 === 0 ? 'for (;;);' : 'return n * 2;', { n: index }),
    ),
  );
  expect(all).toEqual(
    all.map((_, index) => (index % 3 === 0 ? { why: 'time' } : { json: String(index * 2) })),
  );
});

test('a closed pool runs nothing', async () => {
  const closed = createCodePool({ size: 1 });
  await closed.close();
  expect(await closed.evaluate({ source: 'return 1;', names: [], inputs: '[]' })).toEqual({ why: 'broken' });
});
