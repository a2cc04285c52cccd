import type { AST } from '@eslint-community/regexpp';
import { accepts, openPattern, tooMany } from './pattern-steps.ts';

/** Lengths of the texts that are compared: twice the text may take little more than twice the work. */
const short = 350;
const long = 2 * short;
const factor = 3.2;
/** Of this many steps and fewer the factor says nothing. */
const few = 6 * long;
/** Short texts cost little and tell almost every harmless pattern: its work grows no faster than they do. */
const glance = 40;
const glanceFactor = 2.15;
const usual = ['a', 'B', '7', ' ', '\n', '.', '-', '_', '"', "'", '<', ':', 'é', '(', '\\', ',', '/'];
const ends = ['', '\u0000', '\n', '"', ' !'];
const maxSamples = 6;

export interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly end: string;
}

/** A text that takes a pattern more than linear work; null when none of many was found. */
export function attackOn(literal: string): Attack | null {
  const { node, steps } = openPattern(literal);
  if (!/[*+{]/.test(node.pattern.raw)) return null;
  const chars = [...new Set([...node.pattern.raw, ...usual])];
  const find = createSampler(chars, node.flags.raw);
  for (const { before, pump } of pumpsOf(node.pattern.alternatives, find, '')) {
    for (const end of ends) {
      const text = (length: number) => before + pump.repeat(Math.ceil(length / pump.length)) + end;
      const atFirst = steps(text(2 * glance));
      if (atFirst <= tooMany && atFirst <= glanceFactor * steps(text(glance))) continue;
      const work = steps(text(long));
      if (work > tooMany || (work > few && work > factor * steps(text(short)))) return { before, pump, end };
    }
  }
  return null;
}

type Sampler = (node: AST.Element) => string[];

function createSampler(chars: readonly string[], flags: string): Sampler {
  const sample: Sampler = (node) => {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return unique(node.alternatives.flatMap(({ elements }) => joined(elements, sample)));
      case 'Quantifier': {
        const once = sample(node.element);
        if (node.min > 1) return unique(once.map((one) => one.repeat(node.min)));
        return unique([...once.slice(0, maxSamples - 1), ...(node.min === 0 ? [''] : [])]);
      }
      case 'Assertion':
        return [''];
      default:
        return chars.filter((char) => accepts(node.raw, flags, char)).slice(0, 4);
    }
  };
  return sample;
}

function unique(all: readonly string[]): string[] {
  return [...new Set(all)].slice(0, maxSamples);
}

/** Texts of a sequence: the first of each part, and each other one once. */
function joined(elements: readonly AST.Element[], sample: Sampler): string[] {
  const each = elements.map(sample);
  const firsts = each.map(([first = '']) => first);
  const others = each.flatMap((all, at) => all.slice(1).map((one) => firsts.with(at, one).join('')));
  return unique([firsts.join(''), ...others]);
}

/** Everything that may be repeated in a text: what quantifiers repeat, and how a match begins. */
function pumpsOf(nodes: readonly AST.Alternative[], sample: Sampler, before: string): Attack[] {
  return nodes.flatMap(({ elements }) =>
    elements.flatMap((element, at) => {
      const start = before + (joined(elements.slice(0, at), sample)[0] ?? '');
      const begun = joined(elements.slice(0, at + 1), sample).map((pump) => ({ before, pump, end: '' }));
      return [...within(element, sample, start), ...begun].filter(({ pump }) => pump !== '');
    }),
  );
}

function within(element: AST.Element, sample: Sampler, before: string): Attack[] {
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return pumpsOf(element.alternatives, sample, before);
  if (element.type !== 'Quantifier') return [];
  const repeated = sample(element.element);
  // A body of several parts may be read in two ways when it comes twice.
  const pumps = [...repeated, repeated.join('')].flatMap((pump) => [
    { before, pump, end: '' },
    { before: '\u0001', pump, end: '' },
  ]);
  return [...pumps, ...within(element.element, sample, before)];
}
