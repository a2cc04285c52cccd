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

/** What the conditions compare with a number or a limit. */
function boundsOf(change: Change): Bound[] {
  const { steps, success } = change;
  const roles = new Map(steps.map((step) => [step.id, toolOf(change, step)?.asked?.role]));
  const isBound = (right: string): boolean =>
    /^[\d"]/u.test(right) || roles.get(right.split('.')[0] ?? '') === 'limit';
  const found = (cel: string): Bound[] =>
    [...cel.matchAll(comparison)].map(([, field = '', op, right = '']) => ({
      field,
      op: op as Operator,
      right,
    }));
  const inSteps = steps.flatMap(({ when = '' }) => found(when));
  const inSuccess = success.flatMap(found).map((one) => ({ ...one, op: opposite[one.op] }));
  return [...inSteps, ...inSuccess].filter(({ right }) => isBound(right));
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
  const kind = /minutes/u.test(field) ? 'minutes' : 'number';
  const [than] = thanIn(text, span);
  if (than?.test.kind === 'than')
    return { op: than.test.op, right: limitFor(change, field), tokens: than.tokens };
  for (const { test, tokens } of quantitiesIn(text, span))
    if (test.kind === kind) return { op: test.op, right: String(test.value), tokens };
  const names = span.filter((at) => is(text, at, 'noun limit', 'bounding'));
  const looks = kind === 'number' ? 'number' : 'duration';
  const [bare] = span.flatMap((at) => text.words[at]?.things.filter((one) => one.kind === looks) ?? []);
  const said = bare ? range(bare.at, bare.at + bare.length) : [];
  const isOpen = span.every((at) => said.includes(at) || isSilent(text, at) || names.includes(at));
  if (bare && isOpen) {
    const value = kind === 'number' ? bare.value : String(minutesOf(bare.value));
    return { op: null, right: value, tokens: [...said, ...names] };
  }
  const isLimit = names.some((at) => !is(text, at, 'bounding'));
  return isLimit && span.every((at) => isSilent(text, at) || names.includes(at))
    ? { op: null, right: limitFor(change, field), tokens: names }
    : null;
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
