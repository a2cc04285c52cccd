import type { CaseCompare, CaseStep } from '../../tools/eval/cases.ts';
import type { ThreadRules } from '../../tools/eval/threads.ts';
import { canonicalJson } from '../core/canonical.ts';
import { isOrder } from '../plan/change.ts';
import { compose } from '../plan/everyday/compose.ts';
import type { DraftStep, Operator, Part, When } from '../plan/everyday/draft.ts';
import { timesOf } from '../plan/watch.ts';

/** Cases put a plan in fewer words than a card: the everyday planner's composer makes it whole. */
export const threadRules: ThreadRules = {
  planOf({ steps, watch }, input) {
    const nth = new Map(steps.map(({ id }, at) => [id, at]));
    const drafts = steps.map((step) => draftOf(step, nth));
    const heard = { text: '', tokens: [] };
    const plan = compose({ kind: 'plan', steps: drafts, watch: null }, heard, input)?.plan;
    if (plan === undefined || watch === undefined) return plan ?? null;
    const found = timesOf(new Map(Object.entries(watch)), { now: input.now, zone: 'UTC' });
    return found.ok ? { ...plan, watch: found.times } : null;
  },
  /** A model is only asked about words that are addressed to the bot, so its answers are taken as they are. */
  isChange: (plan, reply) => isOrder(plan, reply.planner === 'offline' ? reply : { ...reply, confidence: 1 }),
  timesOf(watch, now) {
    const found = timesOf(new Map(Object.entries(watch)), { now, zone: 'UTC' });
    return found.ok ? canonicalJson(found.times) : null;
  },
};

function draftOf(step: CaseStep, nth: ReadonlyMap<string, number>): DraftStep {
  const part = (value: string | number | boolean): Part => {
    const at = nth.get(String(value).replace(/^\$/u, ''));
    if (at !== undefined) return { step: at };
    return typeof value === 'boolean'
      ? { literal: String(value) }
      : { said: value, from: 0, to: 0, held: String(value) };
  };
  const compared = ({ left, op, right }: CaseCompare) => ({
    op: op === 'is' ? ('==' as const) : (op as Operator),
    right: typeof right === 'number' ? { said: right, from: 0, to: 0 } : literalOr(part(right), right),
    left: [left].flat().map((id) => nth.get(id) ?? 0),
  });
  const { when } = step;
  const parts = when === undefined ? [] : 'left' in when ? [when] : 'all' in when ? when.all : when.any;
  const condition: When | null =
    when === undefined ? null : { any: 'any' in when, parts: parts.map(compared) };
  return {
    tool: step.tool === 'tell' ? 'TELL' : step.tool,
    args: new Map(Object.entries(step.args).map(([arg, value]) => [arg, [value].flat().map(part)])),
    when: condition,
    after: step.needs.flatMap((id) => nth.get(id) ?? []),
  };
}

const literalOr = (part: Part, value: string | boolean): Part =>
  'step' in part ? part : { literal: String(value) };
