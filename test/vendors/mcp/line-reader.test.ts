import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineReader } from '../../../src/vendors/mcp/line-reader.ts';

test('lines come out complete, however the stream is split', () => {
  const lines = fc.array(
    fc.string({ unit: 'binary' }).map((line) => line.replaceAll('\n', '')),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 40 }), (all, step) => {
      const sent = all.map((line) => Buffer.from(line).toString('utf8'));
      const bytes = Buffer.from(sent.map((line) => `${line}\n`).join(''));
      const reader = createLineReader(100_000);
      const read: string[] = [];
      for (let at = 0; at < bytes.length; at += step)
        read.push(...reader.take(bytes.subarray(at, at + step)));
      expect(read).toEqual(sent);
    }),
  );
});

test('a line that arrives byte by byte is accepted up to its limit only', () => {
  const reader = createLineReader(50_000);
  const byte = Buffer.from('x');
  for (let count = 0; count < 50_000; count += 1) reader.take(byte);
  expect(() => reader.take(byte)).toThrow('more than 50000 bytes');
});

test('an answer of too many messages is refused; the next question starts anew', () => {
  const reader = createLineReader(50_000);
  expect(reader.take(Buffer.from('{}\n'.repeat(1_000)))).toHaveLength(1_000);
  reader.begin();
  expect(reader.take(Buffer.from('{}\n'))).toEqual(['{}']);
  expect(() => reader.take(Buffer.from('{}\n'.repeat(1_000)))).toThrow('more than 1000 messages');
});
