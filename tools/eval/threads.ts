import { type Catalogue, openCatalogue } from '../../src/core/catalogue.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import type { Plan } from '../../src/core/plan.ts';
import type { PlannerReply, PlanningInput } from '../../src/core/planning.ts';
import { type CaseStep, CasesError, type CaseWatch, type EvalCase } from './cases.ts';

/** The product's reading of plans in threads, given by the caller so that measuring shares no code with planners. */
export interface ThreadRules {
  /** A case's earlier plan as it would stand on a card; null if it cannot. */
  planOf(was: NonNullable<EvalCase['was']>, input: PlanningInput): Plan | null;
  /** Whether an answer to words in a thread, not addressed to the bot, changes the plan or asks about a change. */
  isChange(plan: Plan, reply: PlannerReply): boolean;
  /** When a watch looks, as canonical JSON of a plan's `watch`; null if the words say no time. */
  timesOf(watch: CaseWatch, now: Date): string | null;
}

export const isOfThread = ({ was, answers }: EvalCase): boolean => was !== undefined || answers.length > 0;

/** The input with the answers, or with the earlier plan and its change. Throws a CasesError if that plan cannot be. */
export function inThread(
  { id, text, was, answers }: EvalCase,
  input: PlanningInput,
  rules: ThreadRules,
): PlanningInput {
  const said = answers.map(({ slot, answer }) => ({ question: slot, missing: [slot], answer }));
  if (was === undefined) return { ...input, answers: said };
  const plan = rules.planOf(was, input);
  if (plan === null) throw new CasesError('cases_plan', `${id}: its earlier plan cannot stand on a card.`);
  return { ...input, goal: plan.goal, change: { plan, words: text } };
}

/** A workspace with the names of all cases: in a thread a name need not be in the goal. */
export function workspaceOf(cases: readonly EvalCase[], manifests: readonly Manifest[]): Catalogue {
  const steps = cases.flatMap((entry) => [...entry.steps, ...(entry.was?.steps ?? [])]);
  const keys = named(steps, 'key').map((key) => key.replace(/-\d+$/, ''));
  const audiences = [...named(steps, 'channel'), ...named(steps, 'user'), ...named(steps, 'assignee')];
  const [channels, people] = [
    audiences.filter((name) => name.startsWith('#')),
    audiences.filter((name) => !name.startsWith('#')),
  ];
  return {
    ...openCatalogue(manifests),
    open: false,
    services: named(steps, 'service').map((name) => ({ name, pagerdutyId: '' })),
    projects: [...new Set([...named(steps, 'project'), ...keys])].map((key) => ({ key, aliases: [] })),
    channels: channels.map((name) => ({
      ...{ name: name.replace(/^#/, ''), id: '', clearance: 'confidential' as const },
    })),
    people: people.map((name) => ({ handle: name.replace(/^@/, ''), id: '' })),
  };
}

function named(steps: readonly CaseStep[], arg: string): string[] {
  const values = steps.flatMap(({ args }) => args[arg] ?? []);
  return [...new Set(values.map(String).filter((value) => !/[$?]|^(?:me|unassigned)$/.test(value)))];
}
