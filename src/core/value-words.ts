import type { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  string: 'text',
  array: 'a list: [one, two]',
  object: 'settings with names',
  record: 'settings with names',
};
const formats: Readonly<Record<string, string>> = {
  duration: 'must be a duration such as PT4H or P1D',
  email: 'must be an e-mail address',
};

/** The problem with a typed value, in plain words and without the value; undefined where zod's own message will do. */
export function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return formats[issue.format];
    default:
      return undefined;
  }
}
