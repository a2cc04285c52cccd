import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Every page that is for people. */
function pages(): string[] {
  const found = ['docs', 'src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const top = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  return [...top, ...found.filter((name) => name.endsWith('.md'))];
}

test('every link to a file of the project leads to one', () => {
  const dead = pages().flatMap((page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)];
    const targets = links.map(([, target = '']) => join(dirname(page), target));
    return targets.filter((target) => !existsSync(target)).map((target) => `${page}: ${target}`);
  });
  expect(dead).toEqual([]);
});
