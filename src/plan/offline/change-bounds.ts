import { splitRef } from '../../core/refs.ts';
import { adopt, type Change, isSilent, toolOf } from './changing.ts';
import { type Operator, opposite } from './draft.ts';
import { quantitiesIn, statesIn, thanIn } from './tests.ts';
import { is, range } from './text.ts';
import { minutesOf } from './times.ts';

/** What the conditions of a plan compare with, after a change: another number, limit or state. */

const comparison = /([a-z]\w*\.\w+)\s*(>=|<=|==|!=|>|<)\s*(\d+|"[^"]*"|[a-z]\w*\.\w+)/gu;

interface Bound {
  readonly field: string;
  readonly op: Operator;
  readonly right: string;
}

/** What the conditions compare with a number, a state or a limit. */
function boundsOf(change: Change): Bound[] {
  const { steps, success } = change;
  const limits = steps.filter((step) => toolOf(change, step)?.asked?.role === 'limit').map(({ id }) => id);
  const found = (cel: string): Bound[] =>
    [...cel.matchAll(comparison)]
      .map(([, field = '', op, right = '']) => ({ field, op: op as Operator, right }))
      .filter(({ right }) => /^[\d"]/u.test(right) || limits.includes(splitRef(right).step));
  const inSuccess = success.flatMap(found).map((one) => ({ ...one, op: opposite[one.op] }));
  return [...steps.flatMap(({ when = '' }) => found(when)), ...inSuccess];
}

/** The bound that the words name in the place of the one that is there: a number, or the agreed limit. Null for none. */
function boundIn(
  change: Change,
  span: readonly number[],
  { field, right }: Bound,
): { op: Operator | null; right: string; tokens: readonly number[] } | null {
  const { text } = change;
  if (right.startsWith('"')) {
    const [state] = statesIn(text, span);
    if (state?.test.kind !== 'state') return null;
    return { op: state.test.is ? '==' : '!=', right: JSON.stringify(state.test.value), tokens: state.tokens };
  }
  const [than] = thanIn(text, span);
  if (than?.test.kind === 'than')
    return { op: than.test.op, right: limitFor(change, field), tokens: than.tokens };
  const [kind, looks] = /minutes/u.test(field) ? ['minutes', 'duration'] : ['number', 'number'];
  for (const { test, tokens } of quantitiesIn(text, span))
    if (test.kind === kind && 'value' in test && 'op' in test)
      return { op: test.op, right: String(test.value), tokens };
  const names = span.filter((at) => is(text, at, 'noun limit', 'bounding'));
  const [bare] = span.flatMap((at) => text.words[at]?.things.filter((one) => one.kind === looks) ?? []);
  const said = bare ? range(bare.at, bare.at + bare.length) : [];
  if (!span.every((at) => said.includes(at) || isSilent(text, at) || names.includes(at))) return null;
  const value = bare && (kind === 'number' ? bare.value : String(minutesOf(bare.value)));
  const isLimit = names.some((at) => !is(text, at, 'bounding'));
  if (value === undefined && !isLimit) return null;
  return { op: null, right: value ?? limitFor(change, field), tokens: [...said, ...names] };
}

/** The limit for what a condition looks at, looked up once. */
function limitFor(change: Change, field: string): string {
  const tool = change.text.lexicon.byRole.get('limit');
  const counted = change.steps.find(({ id }) => id === splitRef(field).step);
  if (!tool || !counted) throw new TypeError(`no limit for ${field}`);
  const args = Object.entries(counted.args).filter(([arg]) => arg in tool.args.shape);
  const id = tool.name.replace(/^.*\./u, '');
  const why = change.text.goal.slice(0, 200);
  const { made, ids } = adopt(change, [
    { id, tool: tool.name, why, args: Object.fromEntries(args), needs: [], onError: 'stop', onSkip: 'skip' },
  ]);
  change.steps = change.steps.flatMap((one) => (one === counted ? [one, ...made] : [one]));
  return `${ids.get(id)}.${tool.asked?.compares?.number ?? tool.main}`;
}

/** Puts a new bound into the conditions, its opposite into the other branch. The words that say it come back. */
export function rebound(change: Change, span: readonly number[]): readonly number[] {
  const [first, ...others] = boundsOf(change);
  if (!first || others.some(({ right }) => right !== first.right)) return [];
  const said = boundIn(change, span, first);
  if (said === null) return [];
  const turned = (op: Operator): Operator =>
    said.op === null ? op : op === first.op ? said.op : opposite[said.op];
  const put = (cel: string): string =>
    cel.replace(comparison, (whole, field: string, op: Operator, right: string) =>
      right === first.right ? `${field} ${turned(op)} ${said.right}` : whole,
    );
  change.steps = change.steps.map((step) =>
    step.when === undefined ? step : { ...step, when: put(step.when) },
  );
  change.success = change.success.map(put);
  change.dropped.push({ arg: '', value: first.right });
  return said.tokens;
}
