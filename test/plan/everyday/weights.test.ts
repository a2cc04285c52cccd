/** Why: weights of another version must not stop anybody from planning in other ways. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createEverydayPlanner } from '../../../src/plan/everyday/planner.ts';
import { readWeights, WeightsError } from '../../../src/plan/everyday/weights.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { planningInput } from '../../support/planning.ts';

const shipped = fileURLToPath(new URL('../../../src/plan/everyday/weights.bin', import.meta.url));
const file = readFileSync(shipped);
const length = file.readUInt32LE(0);

function errorOf(bytes: Buffer): string {
  const path = join(tmpdir(), `weights-${createHash('md5').update(bytes).digest('hex')}.bin`);
  writeFileSync(path, bytes);
  try {
    readWeights(path);
  } catch (error) {
    if (error instanceof WeightsError) return error.code;
    throw error;
  }
  return 'read';
}

function withHeader(change: (header: Record<string, unknown>) => void): Buffer {
  const header = JSON.parse(file.toString('utf8', 4, 4 + length)) as Record<string, unknown>;
  change(header);
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  return Buffer.concat([size, text, file.subarray(4 + length)]);
}

test('the shipped weights match the current training cases and are at most 3 MB', () => {
  const folder = new URL('../../../planner/cases/train/', import.meta.url);
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(new URL(name, folder)));
  expect(readWeights(shipped).header.cases, 'train again: tools/train/README.md').toBe(hash.digest('hex'));
  expect(file.length).toBeLessThan(3_000_000);
});

test('missing, truncated and other-version weights are told apart', () => {
  expect(() => readWeights(join(tmpdir(), 'no-such-weights.bin'))).toThrow(WeightsError);
  expect(errorOf(file.subarray(0, 3))).toBe('weights_unreadable');
  expect(errorOf(file.subarray(0, file.length - 7))).toMatch(/^weights_(?:cut|unreadable)$/);
  expect(errorOf(Buffer.concat([file, Buffer.alloc(9)]))).toBe('weights_cut');
  expect(errorOf(withHeader((header) => Object.assign(header, { version: 2 })))).toBe('weights_unreadable');
  const oddColumns = (header: Record<string, unknown>) =>
    Object.assign(header, { arrays: [{ name: 'word.weight', rows: 2, columns: 12 }] });
  expect(errorOf(withHeader(oddColumns))).toBe('weights_unreadable');
  expect(errorOf(withHeader(() => undefined))).toBe('read');
});

test('without weights the answer says what works instead', async () => {
  const network = new WeightsError('weights_unreadable', 'gone');
  const planner = createEverydayPlanner({ network, review: reviewDraft });
  const { answer } = await planner.plan(planningInput('page ops'));
  expect(answer).toMatchObject({ kind: 'clarify', question: expect.stringContaining('notation') });
});
