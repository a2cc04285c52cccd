import { type Catalogue, queryOf } from '../core/catalogue.ts';
import { isSameCall } from '../core/code-step.ts';
import { dependenciesOf } from '../core/graph.ts';
import { type Plan, planLimits, type Step } from '../core/plan.ts';
import type { Planner } from '../core/planning.ts';
import { groupsOf } from '../core/queries/bind.ts';
import type { QueryTemplate } from '../core/queries/template.ts';
import { freeId } from '../core/rename.ts';
import { vocabularyOf } from '../core/step-words.ts';
import { planTitle } from '../core/title.ts';
import { evidenceOf } from '../core/verify.ts';
import { defaultWhy } from '../notation/defaults.ts';

/**
 * Several platforms may have a vetted query for the same thing. If the request names none of them, a look-up goes to
 * each platform that declares the service, side by side; a query that does not know the service gives way to one that
 * does. Plans typed by people, and those about a situation, stay as they are. A plan that is changed in words is one
 * look-up to its planner, and goes to all platforms again.
 */
export function acrossPlatforms(planner: Planner): Planner {
  return {
    async plan(input) {
      const { change, catalogue } = input;
      const one = change && { ...change, plan: gathered(change.plan, catalogue) };
      const reply = await planner.plan({ ...input, change: one });
      const isExact =
        reply.planner === 'person' || (reply.answer.kind === 'plan' && reply.answer.plan.situation);
      if (reply.answer.kind !== 'plan' || isExact) return reply;
      const said = [input.goal, ...input.answers.map(({ answer }) => answer), input.change?.words ?? ''];
      return {
        ...reply,
        answer: { kind: 'plan', plan: spread(reply.answer.plan, input.catalogue, said.join('\n')) },
      };
    },
  };
}

function spread(plan: Plan, catalogue: Catalogue, said: string): Plan {
  const queries = catalogue.queries ?? [];
  const around = { queries, catalogue, said, plan };
  const chosen = plan.steps.map((step) => {
    const own = queryOf(step, catalogue);
    return own === undefined ? { step, others: [] } : platformsFor(step, own, around);
  });
  const steps = chosen.flatMap(({ step, others }) => [checkedThere(step, around), ...others]);
  const isSame =
    steps.length === plan.steps.length && steps.every((step, index) => step === plan.steps[index]);
  if (isSame || steps.length > planLimits.steps) return plan;
  return { ...plan, steps, summary: planTitle(steps, catalogue.manifests) };
}

/** A check asks the platform that its evidence comes from, or it would compare two counts of different logs. */
function checkedThere(step: Step, around: Around): Step {
  if (step.verify === undefined) return step;
  const { tool, args } = step.verify;
  const check = { ...step, tool, args };
  const own = queryOf(check, around.catalogue);
  if (own === undefined) return step;
  const moved = onePlatform(check, platformsOf(check, own, around));
  return moved === check ? step : { ...step, verify: { ...step.verify, tool: moved.tool, args: moved.args } };
}

/** Without the steps that only ask another platform the same. */
function gathered(plan: Plan, catalogue: Catalogue): Plan {
  if (plan.situation !== undefined) return plan;
  const queries = catalogue.queries ?? [];
  const twins = new Set<Step>();
  for (const step of plan.steps) {
    const own = queryOf(step, catalogue);
    if (own === undefined || twins.has(step)) continue;
    const alone = { ...plan, steps: [step] };
    const { others } = platformsFor(step, own, { queries, catalogue, said: '', plan: alone });
    for (const one of plan.steps)
      if (!isUsed(one, plan) && others.some((other) => isSameCall(other, one))) twins.add(one);
  }
  return twins.size === 0 ? plan : { ...plan, steps: plan.steps.filter((step) => !twins.has(step)) };
}

interface Around {
  readonly queries: readonly QueryTemplate[];
  readonly catalogue: Catalogue;
  readonly said: string;
  readonly plan: Plan;
}

/** The step as each platform would be asked that knows its service, or as it is without what its query does not take. */
function platformsOf(
  step: Step,
  own: QueryTemplate,
  { queries, catalogue }: Around,
): readonly [Step, ...Step[]] {
  const fitting = queries.filter(
    (one) => one === own || (one.language !== own.language && asksTheSame(one, own, step)),
  );
  const steps = fitting.flatMap((template) => stepFor(template, step, catalogue));
  const [first = withoutStrangers(step, own), ...rest] = steps;
  return [first, ...rest];
}

/** Its own platform if that knows the service. */
const onePlatform = ({ tool }: Step, steps: readonly [Step, ...Step[]]): Step =>
  steps.find((one) => one.tool === tool) ?? steps[0];

function platformsFor(step: Step, own: QueryTemplate, around: Around): { step: Step; others: Step[] } {
  const { catalogue, said, plan } = around;
  const named = toolNamed(said, catalogue);
  const steps = platformsOf(step, own, around);
  // A plan being changed has already been spread.
  const isSpread = steps.some(({ tool, args }) =>
    plan.steps.some((one) => one.tool !== step.tool && isSameCall(one, { tool, args })),
  );
  if (isSpread) return { step, others: [] };
  if (named.has(step.tool) || isUsed(step, plan)) return { step: onePlatform(step, steps), others: [] };
  const ids = new Set(plan.steps.map(({ id }) => id));
  const others = steps.slice(1).map((other) => ({
    ...other,
    id: freeId(`${step.id}_${other.tool.replace(/^.*\./, '')}`.slice(0, 28), ids),
  }));
  return { step: steps[0], others };
}

/** A step whose result another step uses has one result, not several. */
function isUsed({ id }: Step, { steps, success }: Plan): boolean {
  const conditions = [...success, ...steps.flatMap(({ when = '', success: own = [] }) => [when, ...own])];
  const inCheck = steps.some(({ verify }) => verify !== undefined && evidenceOf(verify).includes(id));
  return (
    inCheck ||
    steps.some((other) => other.needs.includes(id) || dependenciesOf(other).includes(id)) ||
    conditions.some((condition) => condition.includes(`${id}.`))
  );
}

/** By the same words, with a parameter for each value of the step: a host is dropped by no platform. */
function asksTheSame(one: QueryTemplate, own: QueryTemplate, { args }: Step): boolean {
  const values = Object.keys(own.parameters).filter((name) => name !== 'service' && name in args);
  const isCalledSo = one.says.some((words) => own.says.includes(words));
  return isCalledSo && values.every((name) => Object.hasOwn(one.parameters, name));
}

/** The step with another query, if that knows the service and can be grouped so. */
function stepFor(template: QueryTemplate, step: Step, { manifests }: Catalogue): Step[] {
  const tool = [...manifests.values()].find(({ queries }) => queries === template.language)?.name;
  const { service } = step.args;
  const covers =
    typeof service !== 'string' || template.services.length === 0 || template.services.includes(service);
  const { by } = step.args;
  const isGrouped = typeof by !== 'string' || groupsOf(template).includes(by);
  if (tool === undefined || !covers || !isGrouped) return [];
  if (tool === step.tool) return [withoutStrangers(step, template)];
  const moved = withoutStrangers({ ...step, tool, args: { ...step.args, named: template.name } }, template);
  const said = (one: Step): string => defaultWhy(one, vocabularyOf([one], manifests));
  return [step.why === said(step) ? { ...moved, why: said(moved) } : moved];
}

/** A service named for another step is dropped from a query without that parameter. */
function withoutStrangers(step: Step, { parameters }: QueryTemplate): Step {
  if (step.args.service === undefined || Object.hasOwn(parameters, 'service')) return step;
  const { service: _left, ...args } = step.args;
  return { ...step, args };
}

/** Tools whose platform the request names by a word unique to it: "splunk", "app insights". */
function toolNamed(said: string, { manifests }: Catalogue): ReadonlySet<string> {
  const platforms = [...manifests.values()].filter(({ queries }) => queries !== undefined);
  const nouns = (name: string): readonly string[] => manifests.get(name)?.asked?.nouns ?? [];
  const low = ` ${said.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const named = platforms.filter(({ name }) => {
    const others = new Set(
      platforms.filter((other) => other.name !== name).flatMap((other) => nouns(other.name)),
    );
    return nouns(name).some((noun) => !others.has(noun) && low.includes(` ${noun} `));
  });
  return new Set(named.map(({ name }) => name));
}
