import { describe, expect, test } from 'vitest';
import { address, at, body } from '../../src/vendors/actions/fill.ts';

describe('an address', () => {
  const of = (name: string) =>
    address({ url: 'https://a.example/x/{name}/y?fix=1', query: { n: '{name}', m: '{gone}' } }, { name })
      .href;

  test.each([
    ['v1', 'https://a.example/x/v1/y?fix=1&n=v1'],
    ['a/b', 'https://a.example/x/a%2Fb/y?fix=1&n=a%2Fb'],
    ['?q#f', 'https://a.example/x/%3Fq%23f/y?fix=1&n=%3Fq%23f'],
    ['@evil.example', 'https://a.example/x/%40evil.example/y?fix=1&n=%40evil.example'],
    ['%2e%2e', 'https://a.example/x/%252e%252e/y?fix=1&n=%252e%252e'],
    ['{name}', 'https://a.example/x/%7Bname%7D/y?fix=1&n=%7Bname%7D'],
  ])('takes %s as one part of its path and one value of its query', (value, made) => {
    expect(of(value)).toBe(made);
  });

  test.each(['.', '..', ''])('refuses "%s", which would lead to another path', (value) => {
    expect(() => of(value)).toThrow(/path|missing/);
  });
});

test('a body keeps the type of a value that stands alone, and leaves out what is absent', () => {
  const given = {
    count: '{count}',
    text: 'n={count}',
    gone: '{gone}',
    list: ['{gone}', '{count}'],
    fix: true,
  };
  expect(body(given, { count: 3 })).toEqual({ count: 3, text: 'n=3', list: [3], fix: true });
});

test('a pointer reads own keys only', () => {
  expect(at({ 'a/b': [{ x: 1 }] }, '/a~1b/0/x')).toBe(1);
  expect(at({}, '/constructor/name')).toBeUndefined();
  expect(at({ list: ['a'] }, '/list/0')).toBe('a');
});
