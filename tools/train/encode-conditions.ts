import { type Operator, opposites } from '../../src/plan/everyday/draft.ts';
import type { Action } from '../../src/plan/everyday/grammar.ts';
import type { Token } from '../../src/plan/everyday/tokens.ts';
import { minutesOf, spanOf } from './align.ts';
import type { TrainCompare } from './cases.ts';
import { type Encoding, literal, refTo, Unaligned } from './encode-values.ts';

/** Conditions of a step as actions. */

export function compareActions(
  encoding: Encoding,
  { left, op, right }: TrainCompare,
  told: Set<string>,
): Action[] {
  const actions: Action[] = [`?${op === 'is' ? '==' : op}`];
  const ref = typeof right === 'string' ? refTo(encoding, right) : null;
  if (ref !== null) {
    actions.push(ref);
    told.add(ref);
  } else actions.push(...rightActions(encoding, right));
  for (const one of [left].flat()) {
    const step = refTo(encoding, one);
    if (step === null) throw new Unaligned(`left ${one}`);
    actions.push(step);
    told.add(step);
  }
  return actions;
}

function rightActions(encoding: Encoding, right: TrainCompare['right']): Action[] {
  const { heard } = encoding;
  const { tokens } = heard;
  const minutes = minutesOf(right);
  const isThis = ({ values, kind }: Token): boolean =>
    kind !== 'incident' &&
    (minutes === null
      ? values.number === Number(right)
      : values.duration !== undefined && minutesOf(values.duration) === minutes);
  if (typeof right === 'number' || minutes !== null) {
    const own = tokens.findIndex(
      (token) =>
        token.section !== 2 && isThis(token) && (token.kind === 'number' || token.kind === 'duration'),
    );
    const at = own >= 0 ? own : tokens.findIndex((token) => isThis(token) && token.kind !== 'severity');
    return at >= 0 ? [at] : [literal(encoding, 'when', right)];
  }
  if (
    /^(?:breached|at_risk|ok|unassigned|open|acknowledged|resolved|triggered|done|closed)$/iu.test(
      String(right),
    )
  )
    return [literal(encoding, 'when', right)];
  const span = spanOf(heard, String(right));
  return span === null
    ? [literal(encoding, 'when', right)]
    : tokens[span[0]]?.kind === 'old'
      ? [span[0]]
      : span;
}

/** The actions of the other case, as `otherCase` reads them. */
export function turned(actions: readonly Action[], any: boolean): string {
  const zero = (at: number): boolean => actions[at + 1] === 'when=0';
  const ops = actions.map((action, at) => {
    if (typeof action !== 'string' || !action.startsWith('?')) return action;
    const op = action.slice(1);
    return `?${zero(at) && op === '>' ? '==' : zero(at) && op === '==' ? '>' : opposites[op as Operator]}`;
  });
  const count = ops.filter((action) => String(action).startsWith('?')).length;
  return JSON.stringify(count > 1 && !any ? ['OR', ...ops] : ops);
}
