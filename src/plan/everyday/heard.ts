import type { ArgValue } from '../../core/plan.ts';
import { type NameIndex, withNames } from './names.ts';
import { type Token, tokenize } from './tokens.ts';

/** A request as input to the network: its words, later answers, and the plan it changes. */
export interface Heard {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** The plan being changed: the values of its steps by argument. */
export interface OldStep {
  readonly tool: string;
  readonly args: readonly { readonly arg: string; readonly text: string; readonly held?: ArgValue }[];
  readonly when: { readonly any: boolean; readonly parts: readonly OldCompare[] } | null;
  readonly after: readonly number[];
}
export interface OldCompare {
  readonly op: string;
  /** A number, an ISO 8601 duration, a state, or another step as `$2`. */
  readonly right: string;
  /** Steps, counted from 1. */
  readonly left: readonly number[];
}

export interface Said {
  readonly goal: string;
  readonly answers?: readonly { readonly slot: string; readonly answer: string }[];
  readonly old?: { readonly steps: readonly OldStep[]; readonly isWatched: boolean };
}

/** Words of the request from one token to another, verbatim; a quotation without its marks. */
export function wordsBetween({ text, tokens }: Heard, from: number, to: number): string {
  const [first, last] = [tokens[from], tokens[to]];
  if (from === to) return first?.values.text ?? first?.raw ?? '';
  return text.slice(first?.start, last?.end);
}

const place = { values: {}, names: {}, kind: 'section', section: 1 } as const;
const mark = (low: string, at: number): Token => ({ ...place, raw: low, low, start: at, end: at });

export function hear({ goal, answers = [], old }: Said, names: NameIndex): Heard {
  let text = goal;
  const tokens = withNames(goal, tokenize(goal), names);
  for (const { slot, answer } of answers) {
    const from = text.length + 1;
    text = `${text}\n${answer}`;
    const said = withNames(answer, tokenize(answer, 1), names);
    const moved = said.map((token) => ({ ...token, start: token.start + from, end: token.end + from }));
    tokens.push(mark(`<answer ${slot}>`, from), ...moved);
  }
  if (old !== undefined)
    tokens.push(
      mark(old.isWatched ? '<watch>' : '<plan>', text.length),
      ...old.steps.flatMap((step) => oldTokens(step, text.length)),
    );
  return { text, tokens };
}

function oldTokens({ tool, args, when, after }: OldStep, at: number): Token[] {
  const token = (low: string, values: Token['values'] = {}): Token => ({
    ...place,
    raw: low,
    low,
    start: at,
    end: at,
    kind: 'old',
    section: 2,
    values,
  });
  const compares = when?.parts.flatMap(({ op, right, left }, nth) => [
    ...(nth > 0 ? [token(when.any ? '<or>' : '<and>')] : []),
    token(`<${op}>`, { arg: 'when', text: right, ...measure(right) }),
    ...left.map((step) => token(`<$${step}>`)),
  ]);
  return [
    token(`<${tool}>`),
    ...args.map(({ arg, text, held }) =>
      token(`<.${arg}>`, { arg, text, ...(held === undefined ? {} : { held }) }),
    ),
    ...(compares ?? []),
    ...after.map((step) => token(`<after $${step}>`)),
  ];
}

function measure(right: string): Token['values'] {
  if (/^-?\d+(?:\.\d+)?$/u.test(right)) return { number: Number(right) };
  return /^PT?\d/u.test(right) ? { duration: right } : {};
}
