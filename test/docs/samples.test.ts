import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unmetByValue } from '../../src/config/env.ts';

test('settings shown on a page can be copied anywhere: no value has a comment behind it', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => `docs/${file}`);
  const wrong = ['README.md', ...pages].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*[A-Z][A-Z0-9_]+=(\S.*)$/gm)]
      .filter(([, value = '']) => unmetByValue(value) !== null)
      .map(([line]) => `${file}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});
