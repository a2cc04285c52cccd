import { z } from 'zod';
import type { PlannerAnswer } from '../../core/answer.ts';
import { systemNames } from '../../core/askable.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { unwrap } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan, Step } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { groupsOf } from '../../core/queries/bind.ts';
import type { QueryTemplate } from '../../core/queries/template.ts';
import { planTitle } from '../../core/title.ts';
import { labelsOf } from '../offer-labels.ts';

/** “… by assignee”, “… per hour”: the words are taken from the request, and put into its plan as an argument. */
export interface Grouping {
  /** The request without them. */
  readonly goal: string;
  /** In lower case. */
  readonly by: string;
}

/** Things by which people want groups, also where no tool has them. */
const wanted =
  'assignee priority severity status project service host team user customer reporter component label type urgency code error version country region pod endpoint minute hour day week month'.split(
    ' ',
  );
const same: Readonly<Record<string, string>> = {
  ...{ owner: 'assignee', person: 'assignee', severity: 'priority', state: 'status' },
  ...{ statuses: 'status', priorities: 'priority', people: 'assignee' },
};

const before = /(?:,? ?(?:grouped|split|broken down|counted) )?$/iu;
const words = /(?<![\p{L}\p{N}])(?:by|per|for each) (?:the )?(?<group>[\p{L}_]{3,30})(?![\p{L}\p{N}-])/giu;

/** Null for a request that asks for no groups. */
export function groupingIn({ goal, catalogue, change, quoted }: PlanningInput): Grouping | null {
  if (change !== null || quoted !== null || /["“”«»`]/u.test(goal)) return null;
  const ofTools = [...catalogue.manifests.values()].flatMap(enumerated);
  const known = new Set([...ofTools, ...wanted].map((name) => name.toLowerCase()));
  for (const { index, 0: said, groups } of goal.matchAll(words)) {
    const low = (groups?.group ?? '').toLowerCase();
    const by = [low, same[low] ?? '', low.replace(/s$/u, '')].find((name) => known.has(name));
    if (by === undefined) continue;
    const rest = `${goal.slice(0, index).replace(before, '')} ${goal.slice(index + said.length)}`;
    const tidy = rest.replaceAll(/\s+/gu, ' ').replace(/ (?=[?.,!])/gu, '');
    return { goal: tidy.trim(), by };
  }
  return null;
}

/** All by which a tool groups its result, with any of its queries. */
function enumerated(tool: Manifest | undefined): string[] {
  const schema = tool?.args.shape.by;
  const by = schema === undefined ? undefined : unwrap(schema);
  return by instanceof z.ZodEnum ? by.options.map(String) : [];
}

/** The answer to a request without its grouping, with it; a refusal where its look-ups cannot be grouped so. */
export function withGroups(answer: PlannerAnswer, grouping: Grouping, input: PlanningInput): PlannerAnswer {
  if (answer.kind === 'plan') {
    const made = groupedPlan(answer.plan, grouping, input);
    return 'plan' in made
      ? { kind: 'plan', plan: made.plan }
      : refusal(made.lacks, grouping, input.catalogue);
  }
  if (answer.kind !== 'clarify' || !answer.offers?.length) return answer;
  const tried = answer.offers.map(({ option, plan }) => ({
    option,
    made: groupedPlan(plan, grouping, input),
  }));
  const grouped = tried.flatMap(({ option, made }) =>
    'plan' in made ? [{ option: `${option}, by ${grouping.by}`, plan: made.plan }] : [],
  );
  const labels = labelsOf(grouped.map(({ option }) => option));
  const offers = grouped.map(({ plan }, nth) => ({ option: labels[nth] ?? '', plan }));
  const [{ made }] = tried as [(typeof tried)[number]];
  if (offers.length === 0 && 'lacks' in made) return refusal(made.lacks, grouping, input.catalogue);
  return { ...answer, offers, options: offers.map(({ option }) => option) };
}

function groupedPlan(
  plan: Plan,
  { by }: Grouping,
  { goal, catalogue }: PlanningInput,
): { readonly plan: Plan } | { readonly lacks: Step | null } {
  const { manifests } = catalogue;
  const isRead = ({ tool }: Step): boolean => manifests.get(tool)?.effect === 'read';
  if (plan.watch !== undefined || !plan.steps.every(isRead)) return { lacks: null };
  const steps = plan.steps.map((step) => [step, groupedStep(step, by, catalogue)] as const);
  const [lacks] = steps.find(([, made]) => made === null) ?? [];
  if (lacks !== undefined) return { lacks };
  const made = steps.flatMap(([, step]) => step ?? []);
  return { plan: { ...plan, goal, steps: made, summary: planTitle(made, manifests) } };
}

/** Where it cannot be grouped so, by another tool that counts the same; null if there is none. */
function groupedStep(step: Step, by: string, catalogue: Catalogue): Step | null {
  const { order: _order, limit: _limit, ...filter } = step.args;
  const counting = step.tool === 'jira.search' ? [{ ...step, tool: 'jira.count', args: filter }] : [];
  for (const one of [step, ...counting, ...elsewhere(step, catalogue)]) {
    const name = optionsFor(one, catalogue).find((option) => option.toLowerCase() === by);
    if (name !== undefined) return { ...one, args: { ...one.args, by: name } };
  }
  return null;
}

function optionsFor(step: Step, catalogue: Catalogue): string[] {
  const tool = catalogue.manifests.get(step.tool);
  if (tool?.queries === undefined) return enumerated(tool);
  const template = templateOf(step, tool, catalogue);
  return template === undefined ? [] : groupsOf(template);
}

const templateOf = (
  { args }: Step,
  { queries: language }: Manifest,
  { queries = [] }: Catalogue,
): QueryTemplate | undefined =>
  queries.find((query) => query.language === language && query.name === args.named);

/** The same question to the other platforms that know it by the same words. */
function elsewhere(step: Step, catalogue: Catalogue): Step[] {
  const tool = catalogue.manifests.get(step.tool);
  const own = tool && templateOf(step, tool, catalogue);
  if (own === undefined) return [];
  const { service } = step.args;
  return [...catalogue.manifests.values()].flatMap((other) =>
    (catalogue.queries ?? [])
      .filter(({ language, says, services, parameters }) => {
        const isSame = language === other.queries && says.some((words) => own.says.includes(words));
        const isKnown = service === undefined || services.length === 0 || services.includes(String(service));
        return isSame && isKnown && (service === undefined || Object.hasOwn(parameters, 'service'));
      })
      .map(({ name }) => ({ ...step, tool: other.name, args: { ...step.args, named: name } })),
  );
}

function refusal(step: Step | null, { by }: Grouping, catalogue: Catalogue): PlannerAnswer {
  const refuse = (explanation: string): PlannerAnswer => ({
    kind: 'refuse',
    reason: 'out_of_scope',
    explanation,
  });
  if (step === null) return refuse('Only an answer can be grouped, not what is written or watched.');
  const system = catalogue.manifests.get(step.tool)?.system;
  const name = (system && systemNames[system]) ?? step.tool;
  const can = optionsFor(step, catalogue);
  const otherwise = can.length === 0 ? '' : ` It can be grouped by ${can.join(', ')}.`;
  return refuse(`${name} can’t group this by ${by}.${otherwise}`);
}
