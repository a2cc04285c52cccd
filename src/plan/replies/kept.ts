import type { Catalogue } from '../../core/catalogue.ts';
import { isSameCall, onlyReads } from '../../core/code-step.ts';
import type { Plan, Step } from '../../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../../core/planning.ts';
import { planTitle } from '../../core/title.ts';

/** Words that take a filter away, or ask for something else altogether. */
const removing =
  /(?<!\p{L})(?:not|no|without|all|any|anyone|every\p{L}*|regardless|remove|drop|forget|ignore|never mind|nvm|instead|whole|entire|total|ohne|alle[ns]?|egal|sans|tous|toutes|sin|todos|todas|sem)(?!\p{L})/iu;
/** Arguments that replace each other. */
const families = [
  ['window', 'since', 'until', 'during', 'at'],
  ['status', 'status_not'],
  ['assignee', 'assignee_not'],
  ['priority', 'priority_not'],
  ['service', 'schedule'],
  ['named', 'about', 'query'],
];

/** A reply below an answer changes what it names; a filter that it does not mention is kept. */
export function keptRest(next: Planner): Planner {
  return {
    async plan(input) {
      const reply = await next.plan(input);
      const { change } = input;
      if (change === null || reply.answer.kind !== 'plan' || !isGuessed(reply)) return reply;
      const plan = withRest(change.plan, reply.answer.plan, input);
      return plan === null || removing.test(change.words)
        ? reply
        : { ...reply, answer: { kind: 'plan', plan } };
    },
  };
}

const isGuessed = ({ planner }: PlannerReply): boolean => planner !== 'person' && planner !== 'playbook';

/** Null where a plan writes, looks again and again, or is about a situation: those are shown before they run, or made by code. */
function withRest(before: Plan, after: Plan, { catalogue }: PlanningInput): Plan | null {
  const isOther = [before, after].some(
    (plan) =>
      plan.watch !== undefined || plan.situation !== undefined || !onlyReads(plan.steps, catalogue.manifests),
  );
  if (isOther) return null;
  const whole = after.steps.map((step) => {
    const was = before.steps.filter((one) => isAlike(one, step, catalogue));
    const isPair =
      was.length === 1 && after.steps.filter((one) => isAlike(one, step, catalogue)).length === 1;
    return isPair ? { ...step, args: { ...lostArgs(was[0] as Step, step, catalogue), ...step.args } } : step;
  });
  const needed = new Set(whole.flatMap(({ needs }) => needs));
  const steps = whole.filter(
    (step, at) => needed.has(step.id) || whole.findIndex((one) => isSameCall(one, step)) === at,
  );
  return { ...after, steps, summary: planTitle(steps, catalogue.manifests) };
}

/** Two steps of one system are alike: “list them” below a count asks for the same tickets. */
const isAlike = (one: Step, other: Step, { manifests }: Catalogue): boolean =>
  one.tool === other.tool || manifests.get(one.tool)?.system === manifests.get(other.tool)?.system;

/** Arguments that a step had and has no longer, but for those that another one replaces. */
function lostArgs(was: Step, now: Step, { manifests }: Catalogue): Step['args'] {
  const shape = manifests.get(now.tool)?.args.shape ?? {};
  const isReplaced = (arg: string): boolean =>
    families.some(
      (family) =>
        family.includes(arg) &&
        family.some((name) => now.args[name] !== undefined && was.args[name] === undefined),
    );
  const lost = Object.entries(was.args).filter(
    ([arg]) => now.args[arg] === undefined && arg in shape && !isReplaced(arg),
  );
  return Object.fromEntries(lost);
}
