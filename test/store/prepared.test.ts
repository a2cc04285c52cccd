import { expect, test } from 'vitest';
import { prepared, StatementNames } from '../../src/store/prepared.ts';

const known = new StatementNames();

async function namesOf(text: string): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = [];
  const send = async ({ name }: { name?: string | undefined }) => void names.push(name);
  for (let nth = 0; nth < 2; nth += 1) await prepared(text, [1], send, known);
  return names;
}

test('a statement is prepared from its second use on, unless it contains a timestamp', async () => {
  expect(await namesOf('select 1 where $1 = 1')).toEqual([undefined, 'countersign_1']);
  const once = "select 1 where $1 = 1 and at >= '2026-03-02T00:00:00.000Z'::timestamptz";
  expect(await namesOf(once)).toEqual([undefined, undefined]);
});

test('statements beyond the first 120 are parsed each time', async () => {
  for (let nth = 2; nth <= 120; nth += 1)
    expect(await namesOf(`select ${nth}`)).toEqual([undefined, `countersign_${nth}`]);
  expect(await namesOf('select 121')).toEqual([undefined, undefined]);
});
