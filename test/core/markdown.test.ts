import { expect, test } from 'vitest';
import { markdownOf } from '../../src/core/markdown.ts';

test('text stays text in Markdown; only its own headings and list items are marked', () => {
  const text = [
    'First *line* of <b>',
    '1. not a list',
    '',
    '## Times',
    '- [click](https://x.example)',
    '# no',
    '---',
  ].join('\n');
  expect(markdownOf(text)).toBe(
    [
      'First \\*line\\* of \\<b\\>  ',
      '1\\. not a list',
      '',
      '## Times\n',
      '- \\[click\\]\\(https://x.example\\)',
      '\\# no  ',
      '\\---',
    ].join('\n'),
  );
});
