import { expect, test } from 'vitest';
import { prepared } from '../../src/store/prepared.ts';

async function namesOf(text: string): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = [];
  for (let nth = 0; nth < 2; nth += 1)
    await prepared(text, [1], async ({ name }) => {
      names.push(name);
    });
  return names;
}

test('a statement is prepared from the second time on, but for one about a single moment', async () => {
  expect(await namesOf('select 1 where $1 = 1')).toEqual([
    undefined,
    expect.stringContaining('countersign_'),
  ]);
  const once = "select 1 where $1 = 1 and at >= '2026-03-02T00:00:00.000Z'::timestamptz";
  expect(await namesOf(once)).toEqual([undefined, undefined]);
});
