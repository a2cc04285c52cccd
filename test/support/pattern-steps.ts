import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';

/**
 * How much work a regular expression is: a backtracking matcher that counts the characters it looks at, as V8's would, so
 * that the time a text takes is a number that is the same on every machine.
 */
type Then = (at: number) => boolean;
type Match = (at: number, then: Then) => boolean;

/** More than any text of the lengths used here takes where the work is linear. */
export const tooMany = 300_000;

class TooManySteps extends Error {}

interface Run {
  text: string;
  steps: number;
}

export interface Pattern {
  readonly node: AST.RegExpLiteral;
  /** Steps of finding all matches in a text. */
  steps(text: string): number;
}

export function openPattern(literal: string): Pattern {
  const node = parseRegExpLiteral(literal);
  const run: Run = { text: '', steps: 0 };
  const match = alternatives(node.pattern.alternatives, run, node.flags.raw);
  return {
    node,
    steps(text) {
      [run.text, run.steps] = [text, 0];
      try {
        for (let at = 0; at <= text.length; ) {
          let end = -1;
          const found = match(at, (to) => {
            end = to;
            return true;
          });
          if (node.flags.sticky && !found) break;
          at = found && end > at ? end : at + 1;
          if (found && !node.flags.global && !node.flags.sticky) break;
        }
      } catch (error) {
        if (!(error instanceof TooManySteps)) throw error;
      }
      return run.steps;
    },
  };
}

function look(run: Run): void {
  run.steps += 1;
  if (run.steps > tooMany) throw new TooManySteps();
}

function alternatives(nodes: readonly AST.Alternative[], run: Run, flags: string): Match {
  const each = nodes.map(({ elements }) => sequence(elements, run, flags));
  return (at, then) => each.some((one) => one(at, then));
}

function sequence(elements: readonly AST.Element[], run: Run, flags: string): Match {
  const each = elements.map((element) => matcher(element, run, flags));
  return each.reduceRight<Match>(
    (rest, one) => (at, then) => one(at, (to) => rest(to, then)),
    (at, then) => then(at),
  );
}

function matcher(node: AST.Element, run: Run, flags: string): Match {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return alternatives(node.alternatives, run, flags);
    case 'Quantifier':
      return repeated(node, run, flags);
    case 'Assertion':
      return assertion(node, run, flags);
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return character(node.raw, run, flags);
    // A repetition is bounded by its group's match: the group's own work is counted.
    case 'Backreference':
      return (at, then) => then(at);
    default:
      throw new TypeError(`${node.type} is not known here`);
  }
}

const classes = new Map<string, RegExp>();

export function accepts(raw: string, flags: string, char: string): boolean {
  const key = `${raw}/${flags}`;
  const known = classes.get(key) ?? new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, ''));
  classes.set(key, known);
  return known.test(char);
}

function character(raw: string, run: Run, flags: string): Match {
  const known = new Map<string, boolean>();
  return (at, then) => {
    look(run);
    const char = run.text[at];
    if (char === undefined) return false;
    const isIn = known.get(char) ?? accepts(raw, flags, char);
    known.set(char, isIn);
    return isIn && then(at + 1);
  };
}

function repeated({ element, min, max, greedy }: AST.Quantifier, run: Run, flags: string): Match {
  const one = matcher(element, run, flags);
  return (from, then) => {
    const more = (count: number, at: number): boolean =>
      count < max && one(at, (to) => (to > at || count < min) && loop(count + 1, to));
    const loop = (count: number, at: number): boolean => {
      if (count < min) return more(count, at);
      return greedy ? more(count, at) || then(at) : then(at) || more(count, at);
    };
    return loop(0, from);
  };
}

function assertion(node: AST.Assertion, run: Run, flags: string): Match {
  const isWord = (at: number) => /\w/.test(run.text[at] ?? ' ');
  const lines = flags.includes('m');
  switch (node.kind) {
    case 'start':
      return (at, then) => (at === 0 || (lines && run.text[at - 1] === '\n')) && then(at);
    case 'end':
      return (at, then) => (at === run.text.length || (lines && run.text[at] === '\n')) && then(at);
    case 'word':
      return (at, then) => (isWord(at - 1) !== isWord(at)) !== node.negate && then(at);
    case 'lookahead': {
      const ahead = alternatives(node.alternatives, run, flags);
      return (at, then) => ahead(at, () => true) !== node.negate && then(at);
    }
    case 'lookbehind': {
      const behind = alternatives(node.alternatives, run, flags);
      const [least, most] = widthOf(node.alternatives);
      return (at, then) => {
        let found = false;
        for (let width = least; width <= Math.min(most, at) && !found; width += 1)
          found = behind(at - width, (to) => to === at);
        return found !== node.negate && then(at);
      };
    }
  }
}

/** The fewest and the most characters that alternatives take. */
function widthOf(nodes: readonly AST.Alternative[]): [number, number] {
  const all = nodes.map(({ elements }) => {
    const each = elements.map(widthOfOne);
    return [each.reduce((sum, [low]) => sum + low, 0), each.reduce((sum, [, high]) => sum + high, 0)];
  });
  return [Math.min(...all.map(([low = 0]) => low)), Math.max(...all.map(([, high = 0]) => high))];
}

function widthOfOne(node: AST.Element): [number, number] {
  if (node.type === 'Assertion') return [0, 0];
  if (node.type === 'Group' || node.type === 'CapturingGroup') return widthOf(node.alternatives);
  if (node.type !== 'Quantifier') return [1, 1];
  const [low, high] = widthOfOne(node.element);
  return [low * node.min, high * node.max];
}
