import { expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import { checkedAgainst, ledgerOf } from '../../src/core/fact-ledger.ts';
import type { Readers } from '../../src/core/ports.ts';
import { llmSummarize } from '../../tools/read/llm.summarize.ts';
import { partsOf } from '../../tools/read/summary.ts';
import { vendorsWith } from '../support/vendors.ts';

const now = () => new Date('2026-03-10T12:00:00Z');
type Summarize = Readers['model']['summarize'];

function contextWith(summarize: Summarize) {
  const readers = vendorsWith<Readers>({ model: { summarize } });
  return { readers, now, asker: 'U0BEN', signal: new AbortController().signal };
}

function refusing(code: string, message: string, retryable = false): Summarize {
  return () => Promise.reject(new VendorError(code, message, { retryable, mayHaveHappened: false }));
}

test('a long input is summarised in parts, then their summaries, then the whole', async () => {
  const asked: { length: number; max: number }[] = [];
  let busy = 0;
  let most = 0;
  const context = contextWith(async (material, { maxCharacters }) => {
    asked.push({ length: material.length, max: maxCharacters });
    busy += 1;
    most = Math.max(most, busy);
    await new Promise((resolve) => setImmediate(resolve));
    busy -= 1;
    return `checkout was slow ${'x'.repeat(maxCharacters - 100)}`;
  });
  const input = Array.from(
    { length: 3_000 },
    (_, line) => `line ${line}: checkout answered slowly again`,
  ).join('\n');
  const { text, levels } = await llmSummarize.run({ input }, context);
  expect(levels).toBeGreaterThanOrEqual(2);
  expect(text).toContain('checkout was slow');
  expect(asked.every(({ length }) => length <= 16_000)).toBe(true);
  expect(asked.slice(0, -1).some(({ max }) => max === 1_200)).toBe(true);
  expect(asked.at(-1)).toMatchObject({ max: 1_500 });
  expect(most).toBeLessThanOrEqual(4);
  expect(
    llmSummarize.manifest.result.safeParse(await llmSummarize.run({ input: 'short' }, context)).success,
  ).toBe(true);
});

test('a number, key, time or name that is not in the input is marked, whatever the model says', async () => {
  const input =
    'OPS has 24 open P1 tickets since 09:05; PAY-E-2201 was seen 1,214 times. Ana Ruiz is on call for checkout-2 until 2026-03-10.';
  const said =
    'OPS has 25 open tickets since 9:05. PAY-E-2201 was seen 1214 times, PAY-E-2210 as well. Ask Ana Ruiz, not Ben Okafor, before 11:30, at 40%.';
  const { text, marked } = await llmSummarize.run(
    { input },
    contextWith(async () => said),
  );
  expect(text).toContain('25 (?) open tickets since 9:05. PAY-E-2201 was seen 1214 times');
  expect(text).toContain('PAY-E-2210 (?) as well. Ask Ana Ruiz, not Ben Okafor (?)');
  expect(text).toContain('before 11:30 (?), at 40% (?).');
  expect(marked).toBe(5);
  expect(text).toMatch(/\(\?\) marks 5 details that are not in what was summarised\. Check them .*\.$/);
});

test('counting the lines of a list is no fact, and a text that adds nothing stays as it is', () => {
  const input = 'Checkout waits for payments-db.\n8 of 8 connections are in use.';
  const said = '1. Checkout waits.\n2) All 8 connections are in use.';
  expect(checkedAgainst(ledgerOf(input), input, said)).toEqual({ text: said, marked: 0 });
});

test('without a model the lines that say most are given, and said to be no summary', async () => {
  const noise = Array.from({ length: 200 }, () => 'everything is as it always is here').join('\n');
  const input = `Errors of checkout\nPAY-E-2201 connection pool exhausted: 214 times\n${noise}\n\nOn call\nAna Ruiz until 18:00`;
  for (const [error, title] of [
    [refusing('not_configured', 'This needs EXECUTOR_MODEL.'), 'made without a model'],
    [
      refusing('model_budget', 'the model budget of today is used up'),
      'because the model budget of today is used up',
    ],
    [
      refusing('model_timeout', 'the model did not answer in 20 s', true),
      'because the model did not answer in 20 s',
    ],
  ] as const) {
    const { text, levels, marked } = await llmSummarize.run(
      { input, about: 'who is on call' },
      contextWith(error),
    );
    expect(text).toMatch(new RegExp(`^Extract, ${title}: \\d+ of 204 lines\\.`));
    expect(text).toContain('PAY-E-2201 connection pool exhausted: 214 times');
    expect(text).toContain('Ana Ruiz until 18:00');
    expect(text.indexOf('PAY-E-2201')).toBeLessThan(text.indexOf('Ana Ruiz'));
    expect({ levels, marked }).toEqual({ levels: 0, marked: 0 });
  }
});

test('a summary that nobody waits for any more is no extract', async () => {
  const context = { ...contextWith(refusing('model_cancelled', 'cancelled')), signal: AbortSignal.abort() };
  await expect(llmSummarize.run({ input: 'x' }, context)).rejects.toMatchObject({ code: 'model_cancelled' });
});

test('parts are cut where a reader would cut them, and never through a character', () => {
  expect(partsOf('aaaa bbbb\n\ncccc dddd', 12)).toEqual(['aaaa bbbb', 'cccc dddd']);
  expect(partsOf('aaaa bbbb cccc', 10)).toEqual(['aaaa bbbb', 'cccc']);
  const odd = partsOf(`a${'😀'.repeat(20)}`, 8);
  expect(odd.join('')).toBe(`a${'😀'.repeat(20)}`);
  expect(odd.every((part) => part.isWellFormed())).toBe(true);
  expect(partsOf(' ', 10)).toEqual([]);
});
