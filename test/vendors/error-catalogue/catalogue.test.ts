import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCatalogue, partsOf, plain, shows } from '../../../src/vendors/error-catalogue/catalogue.ts';

let folder: string;
const signal = () => AbortSignal.timeout(5_000);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'errors-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function catalogueOf(name: string, text: string) {
  const file = path.join(folder, name);
  await writeFile(file, text);
  const catalogue = openCatalogue([file]);
  return {
    lookUp: (said: string) => catalogue.lookUp(said, signal()),
    async change(to: string) {
      await writeFile(file, to);
      await utimes(file, new Date(), new Date(Date.now() + 5_000));
    },
  };
}

const yaml = `errors:
  - code: PAY-E-2201
    meaning: The pool is exhausted.
    cause: Too small.
    advice: Roll back.
    signature: ["pool exhausted: waited * ms", "no connection within *"]
    runbook: checkout/latency.md
  - { code: 1404, meaning: An image is missing. }
`;

test('an error is found by its code, by a line with the code, and by its signature', async () => {
  const { lookUp } = await catalogueOf('errors.yml', yaml);
  const known = {
    code: 'PAY-E-2201',
    meaning: 'The pool is exhausted.',
    cause: 'Too small.',
    advice: 'Roll back.',
    signatures: ['pool exhausted: waited * ms', 'no connection within *'],
    runbook: 'checkout/latency.md',
  };
  expect(await lookUp('pay-e-2201')).toEqual({ found: [known], near: [] });
  expect(await lookUp('ERROR [PAY-E-2201] at 12:00')).toEqual({ found: [known], near: [] });
  expect(await lookUp('Pool   exhausted: waited 3000 ms for a connection')).toEqual({
    found: [known],
    near: [],
  });
  expect(await lookUp('1404')).toMatchObject({ found: [{ meaning: 'An image is missing.' }] });
  expect(await lookUp('PAY-E-22011')).toEqual({ found: [], near: ['PAY-E-2201'] });
  expect(await lookUp('something else')).toEqual({ found: [], near: [] });
});

test('a Markdown catalogue has one heading per code', async () => {
  const { lookUp } = await catalogueOf(
    'errors.md',
    '# Our errors\nIntro.\n## PAY-E-2201: pool exhausted\n\nNo connection in time.\n\n**Cause:** too small\nfor the evening\n- What to do: roll back\n\nSignature: `waited * ms for a connection`\n## `ERR_QUOTA` Quota\nToo much.\n',
  );
  expect(await lookUp('PAY-E-2201')).toMatchObject({
    found: [
      {
        meaning: 'pool exhausted No connection in time.',
        cause: 'too small for the evening',
        advice: 'roll back',
      },
    ],
  });
  expect(await lookUp('it waited 30 ms for a connection')).toMatchObject({ found: [{ code: 'PAY-E-2201' }] });
  expect(await lookUp('ERR_QUOTA')).toMatchObject({ found: [{ meaning: 'Quota Too much.' }] });
  expect(await lookUp('Our')).toMatchObject({ found: [] });
});

test('a changed file is read again, and a broken one is named with its line', async () => {
  const { lookUp, change } = await catalogueOf('errors.yml', yaml);
  await lookUp('x');
  await change('- { code: NEW-1, meaning: New. }\n');
  expect(await lookUp('NEW-1')).toMatchObject({ found: [{ meaning: 'New.' }] });
  await change('- code: NEW-1\n  meaning: New.\n  colour: red\n');
  await expect(lookUp('NEW-1')).rejects.toMatchObject({
    code: 'catalogue_invalid',
    message: expect.stringMatching(/errors\.yml:1 /),
  });
  await change('- code: [\n');
  await expect(lookUp('NEW-1')).rejects.toThrow(/errors\.yml:\d/);
  await change('- code: NEW-1\n  meaning: *new*\n');
  await expect(lookUp('NEW-1')).rejects.toThrow(/errors\.yml:2 .*in quotes/);
  await rm(path.join(folder, 'errors.yml'));
  await expect(lookUp('NEW-1')).rejects.toThrow('is not a file');
});

const shown = (text: string, signature: string) => shows(plain(text), partsOf(signature));

test('a signature matches words in order, and no pattern in it can run away', () => {
  expect(shown('a pool of 8 is exhausted', 'pool * exhausted')).toBe(true);
  expect(shown('exhausted pool', 'pool * exhausted')).toBe(false);
  expect(shown('(a+)+$ stands here', '(a+)+$')).toBe(true);
  expect(shown('aaaaaaaaaaaaaaaaaaaa!', '(a+)+$')).toBe(false);
  // A signature that nearly everything would match matches nothing.
  expect(shown('anything', '*')).toBe(false);
  expect(shown('anything', 'a*')).toBe(false);
});
