import { expect, test } from 'vitest';
import { tokenKeys } from '../../src/store/token-keys.ts';

const [old, fresh] = [
  'an-old-key-of-more-than-thirty-two-characters',
  'a-fresh-key-of-more-than-thirty-two-characters',
];
const token = 'xoxb-1-secret';

test('a token opens only under its key and workspace, and never encrypts to the same text twice', () => {
  const keys = tokenKeys(old);
  const sealed = keys.seal(token, 'T1');
  expect(keys.open(sealed, 'T1')).toBe(token);
  expect(sealed).not.toContain('xoxb');
  expect(keys.seal(token, 'T1')).not.toBe(sealed);
  expect(() => keys.open(sealed, 'T2')).toThrow(/token of T2 was changed in the database/);
  const other = sealed.at(-10) === 'A' ? 'B' : 'A';
  expect(() => keys.open(`${sealed.slice(0, -10)}${other}${sealed.slice(-9)}`, 'T1')).toThrow(
    /Install the bot there again/,
  );
  expect(() => keys.open('', 'T1')).toThrow(/TOKEN_KEY does not have/);
});

test('the newest key encrypts and older ones still decrypt until they are removed', () => {
  const sealed = tokenKeys(old).seal(token, 'T1');
  const both = tokenKeys(`${fresh}, ${old}`);
  expect([both.open(sealed, 'T1'), both.isCurrent(sealed)]).toEqual([token, false]);
  const anew = both.seal(token, 'T1');
  expect([tokenKeys(fresh).open(anew, 'T1'), tokenKeys(fresh).isCurrent(anew)]).toEqual([token, true]);
  expect(() => tokenKeys(fresh).open(sealed, 'T1')).toThrow(
    expect.objectContaining({ code: 'token_key', message: expect.stringContaining('behind the new one') }),
  );
});
