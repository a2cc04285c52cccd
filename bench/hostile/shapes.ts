/** Hostile texts: long runs of one character, deep nesting, huge lines and very many small ones. */
export interface Shape {
  readonly name: string;
  text(bytes: number): string;
}

/** Characters with a meaning to readers, each repeated. */
export const runs = [
  'a',
  ' ',
  '\t',
  '#',
  '`',
  '"',
  "'",
  '\\',
  '<',
  '[',
  '{',
  '(',
  '-',
  '*',
  '=',
  ':',
  '\n',
  '\u0301',
];

function repeated(name: string, unit: string, before = '', after = ''): Shape {
  return { name, text: (bytes) => before + unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))) + after };
}

export const shapes: readonly Shape[] = [
  ...runs.map((char) => repeated(`a run of ${JSON.stringify(char)}`, char)),
  repeated('a heading with tabs in it', '\t', '# a', 'b'),
  repeated('headings', '# E-1 a\n'),
  repeated('open quotes', '\\"', '"'),
  repeated('mentions without an end', '<@U1|'),
  repeated('pairs of quotes', ' a="b c=d"', 'run it1', ' !'),
  repeated('lines with a label', 'Cause: a\n', '# E-1 a\n'),
  repeated('front matter', 'a: [\n', '---\n', '\n---\n'),
  repeated('a list of YAML', '- { code: E-1, meaning: a }\n'),
  repeated('nested lists of YAML', '- ', '', 'a\n'),
  repeated('deep JSON', '{"content":[', ''),
  repeated('steps', 'jira.count project=OPS\n'),
  repeated('conditions', 'when a.b > 1 and '),
  repeated('signatures', '- { code: E-1, meaning: a, signature: [aaaa*b, cccc*d] }\n'),
  {
    name: 'words that are all different',
    text: (bytes) => {
      const words: string[] = [];
      for (let size = 0, at = 0; size < bytes; at += 1, size += 8)
        words.push((at * 7_919).toString(36).padStart(7, 'q'));
      return words.join(' ');
    },
  },
];
