import { canonicalJson } from '../../core/canonical.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { manifestOf, onlyReads } from '../../core/code-step.ts';
import type { Plan, Step } from '../../core/plan.ts';
import {
  certainReply,
  type Planner,
  type PlannerReply,
  type PlanningInput,
  type ReviewDraft,
} from '../../core/planning.ts';
import { isOrder } from '../change.ts';
import { withoutCourtesies } from '../courtesies.ts';
import { type Slot, slotsOf } from '../everyday/slots.ts';
import { ordersDropped } from '../orders.ts';
import { inThreadOf } from '../planning.ts';
import { withoutQuotes } from '../quotations.ts';
import { dueBesides } from './besides.ts';
import { actsOf, withFewerSteps } from './fewer.ts';
import { valueFor, withMoreSteps } from './more.ts';
import { asking, certain, refined, takesBack } from './refine.ts';
import { withOtherText } from './texts.ts';

const lessNotMore = 'I’m not sure what should be added. Say it as a request of its own.';

const other = 'That is a question of its own.';

/**
 * Replies that change the plan above them, from the exact to the uncertain: steps left out, other words, other values; then
 * `next`; and what it did not understand, planned as a request of its own whose steps come into the plan.
 */
export function repliesFirst(next: Planner, review: ReviewDraft): Planner {
  return {
    async plan(asked) {
      const { change } = asked;
      if (change === null) return next.plan(asked);
      const { plan } = change;
      const words = withoutCourtesies(change.words);
      const service = valueFor('service', plan, asked.catalogue);
      const input = { ...asked, catalogue: inThreadOf(service, asked.catalogue) };
      const exact = exactly(plan, words, input, review);
      if (typeof exact === 'string') return next.plan({ ...input, change: { plan, words: exact } });
      if (exact !== null) return exact;
      const read = await next.plan(input);
      const isClear = isOrder(plan, read) && read.answer.kind === 'plan';
      const due = onlyReads(plan.steps, input.catalogue.manifests) ? null : dueBesides(words);
      // Steps that are not due when the others are come into the plan as a request of their own.
      const isLess = due !== null && (due !== 'same' || losesActs(plan, read, input.catalogue));
      if (isClear && isOther(plan, read, input.catalogue))
        return { ...read, answer: asking(other), confidence: 0 };
      if (isClear && !isLess) return read;
      const more = await withMoreSteps(plan, words, input, next);
      if (typeof more === 'string') return certainReply(asking(more), 'offline');
      const changed = more && certain(more, input, review);
      return (
        changed ?? (isLess && read.answer.kind === 'plan' ? { ...read, answer: asking(lessNotMore) } : read)
      );
    },
  };
}

function exactly(
  plan: Plan,
  words: string,
  input: PlanningInput,
  review: ReviewDraft,
): PlannerReply | string | null {
  const { catalogue } = input;
  const retold = takesBack(words, catalogue) ? null : withOtherText(plan, words, catalogue);
  const changed = withFewerSteps(plan, words, catalogue) ?? retold;
  const reply = changed === null ? refined(plan, words, input, review) : certain(changed, input, review);
  const after =
    reply !== null && typeof reply !== 'string' && reply.answer.kind === 'plan' ? reply.answer.plan : null;
  return after !== null && ordersDropped(withoutQuotes(words), after, catalogue).length > 0 ? null : reply;
}

/** “Who is on call” below an action is a question of its own, in which nothing of that action is left. */
function isOther(plan: Plan, { answer }: PlannerReply, catalogue: Catalogue): boolean {
  if (
    answer.kind !== 'plan' ||
    onlyReads(plan.steps, catalogue.manifests) ||
    !onlyReads(answer.plan.steps, catalogue.manifests)
  )
    return false;
  const tools = new Set(plan.steps.map(({ tool }) => tool));
  return answer.plan.steps.every(({ tool }) => !tools.has(tool));
}

/** “And open a ticket” below an action is no order to do something in its place. */
function losesActs(plan: Plan, { answer }: PlannerReply, catalogue: Catalogue): boolean {
  if (answer.kind !== 'plan') return false;
  const kept = new Set(answer.plan.steps.map((step) => targetOf(step, catalogue)));
  return actsOf(plan, catalogue).some((step) => !kept.has(targetOf(step, catalogue)));
}

/** The tool of a step and the things that it acts on, to compare. */
function targetOf(step: Step, { manifests }: Catalogue): string {
  const manifest = manifestOf(step, manifests);
  const targets = manifest === undefined ? [] : [...slotsOf(manifest)].filter(([, slot]) => isThing(slot));
  return canonicalJson([step.tool, targets.map(([arg]) => step.args[arg] ?? null)]);
}

const isThing = (slot: Slot): boolean => /^(?:service|project|issue|incident|channel|user)$/u.test(slot);
