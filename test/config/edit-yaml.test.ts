import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lineDiff, withWord } from '../../src/config/edit-yaml.ts';

const aliases = ['projects', 'PAY', 'aliases'];

test.each([
  ['a list in brackets', 'aliases: [payments] # theirs', '    aliases: [payments, cards] # theirs'],
  ['an empty one', 'aliases: []', '    aliases: [cards]'],
  ['a list of lines, behind the comment of its last', 'aliases:\n      - payments # theirs', '      - cards'],
  ['a place that has none yet', 'service: payments-api', '    aliases: [cards]'],
])('a word goes into %s, and no other line changes', (_, written, line) => {
  const source = `# Ours.\nprojects:\n  PAY:\n    ${written}\n\n# Who is paged.\nservices: {x:   y}\n`;
  const changed = withWord(source, aliases, 'cards') ?? '';
  expect(parse(changed).projects.PAY.aliases.at(-1)).toBe('cards');
  const added = changed.split('\n').filter((one) => !source.split('\n').includes(one));
  expect(added).toEqual([line]);
  expect(changed).toContain('\n\n# Who is paged.\nservices: {x:   y}\n');
});

test('a word that YAML would misread is quoted, and an invalid place is left alone', () => {
  const changed = withWord('projects: { PAY: { service: pay } }\n', aliases, 'null') ?? '';
  expect(parse(changed).projects.PAY).toEqual({ aliases: ['null'], service: 'pay' });
  expect(withWord('projects: {}\n', aliases, 'cards')).toBeNull();
  expect(withWord('projects: { PAY: { aliases: 7 } }\n', aliases, 'cards')).toBeNull();
});

test('a difference shows the old and the new lines without context', () => {
  expect(lineDiff('a\nb\nc\n', 'a\nB\nBB\nc\n')).toEqual(['- b', '+ B', '+ BB']);
  expect(lineDiff('', 'a\nb')).toEqual(['+ a', '+ b']);
});
