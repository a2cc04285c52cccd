import { z } from 'zod';
import type { PlannerAnswer } from '../../core/answer.ts';
import { systemNames } from '../../core/askable.ts';
import { type Catalogue, queryOf } from '../../core/catalogue.ts';
import { onlyReads } from '../../core/code-step.ts';
import { unwrap } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan, Step } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { groupsOf } from '../../core/queries/bind.ts';
import { planTitle } from '../../core/title.ts';
import { plansOf, withEach } from '../log-fields.ts';

/** “… by assignee”, “… per hour”: the words are taken from the request, and put into its plan as an argument. */
export interface Grouping {
  /** The request without them. */
  readonly goal: string;
  readonly words: string;
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
    return { goal: tidy.trim(), words: said.toLowerCase(), by };
  }
  return null;
}

/** A query that was pasted has groups of its own, and “top 5 by priority” is an order. */
export const isHeld = ({ steps }: Plan, { words, by }: Grouping): boolean =>
  steps.some(
    ({ args }) =>
      args.order === by || (typeof args.query === 'string' && args.query.toLowerCase().includes(words)),
  );

/** All by which a tool groups its result, with any of its queries. */
function enumerated(tool: Manifest | undefined): string[] {
  const schema = tool?.args.shape.by;
  const by = schema === undefined ? undefined : unwrap(schema);
  return by instanceof z.ZodEnum ? by.options.map(String) : [];
}

/** The answer to a request without its grouping, with it; a refusal where its look-ups cannot be grouped so. */
export function withGroups(answer: PlannerAnswer, grouping: Grouping, input: PlanningInput): PlannerAnswer {
  const [first] = plansOf(answer);
  if (first === undefined) return answer;
  const grouped = withEach(
    answer,
    (plan) => groupedPlan(plan, grouping, input),
    (option) => `${option}, by ${grouping.by}`,
  );
  return grouped ?? refusal(first, grouping, input.catalogue);
}

/** Null where it does more than read, or a step of it cannot be grouped. */
function groupedPlan(plan: Plan, { by }: Grouping, { goal, catalogue }: PlanningInput): Plan | null {
  const { manifests } = catalogue;
  const steps = plan.steps.flatMap((step) => groupedStep(step, by, catalogue) ?? []);
  if (!mayGroup(plan, catalogue) || steps.length < plan.steps.length) return null;
  return { ...plan, goal, steps, summary: planTitle(steps, manifests) };
}

const mayGroup = ({ watch, steps }: Plan, { manifests }: Catalogue): boolean =>
  watch === undefined && onlyReads(steps, manifests);

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
  const template = queryOf(step, catalogue);
  return template === undefined ? [] : groupsOf(template);
}

/** The same question to the other platforms that know it by the same words. */
function elsewhere(step: Step, catalogue: Catalogue): Step[] {
  const own = queryOf(step, catalogue);
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

function refusal(plan: Plan, { by }: Grouping, catalogue: Catalogue): PlannerAnswer {
  const step = mayGroup(plan, catalogue)
    ? plan.steps.find((one) => groupedStep(one, by, catalogue) === null)
    : undefined;
  const refuse = (explanation: string): PlannerAnswer => ({
    kind: 'refuse',
    reason: 'out_of_scope',
    explanation,
  });
  if (step === undefined) return refuse('Only an answer can be grouped, not what is written or watched.');
  const system = catalogue.manifests.get(step.tool)?.system;
  const name = (system && systemNames[system]) ?? step.tool;
  const can = optionsFor(step, catalogue);
  const otherwise = can.length === 0 ? '' : ` It can be grouped by ${can.join(', ')}.`;
  return refuse(`${name} can’t group this by ${by}.${otherwise}`);
}
