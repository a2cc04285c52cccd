/** Why: each reader meets foreign text. For any input it ends, with a limited answer or an error that has a code. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readers } from '../bench/hostile/readers.ts';
import { runs, shapes } from '../bench/hostile/shapes.ts';
import { CountersignError } from '../src/core/errors.ts';
import { parseJson } from '../src/core/json.ts';
import { calledIn } from '../src/plan/playbooks/by-name.ts';
import { readMarkdownCatalogue } from '../src/vendors/error-catalogue/read-markdown.ts';

/** Characters of any answer: as much as the largest tool result may have, written as JSON. */
const maxAnswer = 400_000;
const odd = [...runs, '>', '|', '@', '\u202e'];

/** A few long runs, some of them of two or three characters, between pieces that readers look for. */
const hostile = fc
  .array(
    fc.record({
      before: fc.constantFrom(
        '',
        '# E-1 ',
        '---\n',
        'when ',
        'run it1 ',
        '- code: ',
        '{"type":"doc","content":[',
        '<@U1|',
        '"',
        '```\n',
      ),
      unit: fc.array(fc.constantFrom(...odd), { minLength: 1, maxLength: 3 }).map((chars) => chars.join('')),
      times: fc.integer({ min: 1, max: 30_000 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((runs) => runs.map(({ before, unit, times }) => before + unit.repeat(times)).join(''));

async function outcomeOf(read: (text: string) => Promise<number>, text: string): Promise<number | string> {
  try {
    return await read(text);
  } catch (error) {
    if (error instanceof CountersignError) return error.code;
    throw error;
  }
}

test.for(readers.map((reader) => [reader.name, reader] as const))(
  '%s: text of any shape ends in a limited answer or a clear error',
  { timeout: 120_000 },
  async ([name, { read }]) => {
    // A catalogue is read in a separate thread, which takes a while to start.
    const numRuns = name.startsWith('errors') ? 3 : 40;
    const ends = async (text: string) => {
      const outcome = await outcomeOf(read, text);
      if (typeof outcome === 'number') expect(outcome).toBeLessThan(maxAnswer);
    };
    await fc.assert(fc.asyncProperty(hostile, ends), { numRuns });
    for (const shape of name.startsWith('errors') ? [] : shapes) await ends(shape.text(300_000));
  },
);

// The first takes too much memory, the others too much stack.
test.for([
  ['[', 100_000],
  ['{"a":', 10_000],
  ['- ', 10_000],
] as const)('a catalogue nested deeply with %s is an error that names its file', async ([unit, times]) => {
  const yaml = readers.find(({ name }) => name === 'errors in YAML');
  await expect(yaml?.read(unit.repeat(times))).rejects.toMatchObject({ code: 'catalogue_invalid' });
});

test('a playbook call with ambiguous inputs ends', () => {
  const twoWays = (times: number) => `run sla-check${' a="b c=d"'.repeat(times)}`;
  expect(calledIn(twoWays(200))).toBe('sla-check');
  expect(calledIn(`${twoWays(200)} !`)).toBe(null);
});

test('JSON nested deeper than anything we read is rejected; brackets in its texts do not count', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(parseJson(nested(200))).toBeInstanceOf(Array);
  expect(parseJson(nested(201))).toBe(undefined);
  expect(parseJson(JSON.stringify({ text: `\\"${'['.repeat(1_000)}` }))).toEqual({
    text: `\\"${'['.repeat(1_000)}`,
  });
});

test('a Markdown catalogue keeps limited texts, and an unknown label is plain words', () => {
  const [known] = readMarkdownCatalogue(`# E-1 Title\nconstructor: none\n${'a\n'.repeat(200_000)}Cause: b\n`);
  expect(known?.meaning).toMatch(/^Title constructor: none a a/);
  expect([known?.meaning.length, known?.cause]).toEqual([4_000, 'b']);
});
