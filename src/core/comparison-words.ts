/** Comparisons in the words people use. */

const many: Readonly<Record<string, (bound: number) => string>> = {
  '>': (bound) => (bound < 2 ? atLeast(bound + 1) : `more than ${bound}`),
  '>=': atLeast,
  '<': (bound) => (bound === 1 ? 'no' : `fewer than ${bound}`),
  '<=': (bound) => (bound === 0 ? 'no' : bound === 1 ? 'fewer than 2' : `no more than ${bound}`),
  '==': (bound) => (bound === 0 ? 'no' : `exactly ${bound}`),
};

/** "At least one" is said without a number. */
function atLeast(bound: number): string {
  return bound === 1 ? '' : `at least ${bound}`;
}

/**
 * A count in words, for a plural noun: "there are no P1 tickets in OPS", "there are more than 20 P1 tickets in OPS",
 * "nobody is on call for ops"; null where the operator reads better. `value` is the actual count.
 */
export function countWords(noun: string, operator: string, bound: number, value?: string): string | null {
  const isTrivial = bound < 0 || (bound === 0 && ['>=', '<'].includes(operator));
  if (!Number.isInteger(bound) || isTrivial) return null;
  if (operator === '!=' && bound === 0) return countWords(noun, '>', 0, value);
  const said = many[operator]?.(bound);
  // The noun would have to be singular.
  if (said === 'exactly 1' || operator === '!=')
    return `the number of ${noun} ${operator === '!=' ? 'is not' : 'is'} ${bound}`;
  if (said === undefined) return null;
  const shown = value === undefined || (said === 'no' && value === '0') ? '' : ` (${value})`;
  const where = noun.startsWith('people ') ? noun.slice('people '.length) : null;
  if (where !== null && said === '') return `somebody is ${where}${shown}`;
  if (where !== null && said === 'no') return `nobody is ${where}${shown}`;
  return ['there are', said, noun].filter(Boolean).join(' ') + shown;
}

/** A bound behind an operator, in words. */
export const thanWords: Readonly<Record<string, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

/** A value and its bound: "the number of errors (82) is at most 100"; null for other operators. */
export function boundWords(noun: string, operator: string, bound: string): string | null {
  const said = thanWords[operator];
  return said === undefined
    ? null
    : `${noun} ${/^the \w+[^su]s\b/.test(noun) ? 'are' : 'is'} ${said} ${bound}`;
}

/** A noun that is a statement, affirmed or denied: "PAY-12 is not done", "nobody is assigned to PAY-12". */
export function statementWords(noun: string, holds: boolean): string {
  if (!/ (?:is|has) /.test(noun)) return `${noun} is ${holds}`;
  if (holds) return noun;
  return noun.startsWith('somebody is ')
    ? noun.replace('somebody', 'nobody')
    : noun.replace(/ (is|has) /, ' $1 not ').replace(' has not no ', ' has an ');
}
