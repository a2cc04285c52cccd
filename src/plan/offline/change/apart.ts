import type { Plan } from '../../../core/plan.ts';
import { vocabularyOf } from '../../../core/words.ts';
import { textArgOf } from '../frames/takes.ts';
import {
  type ById,
  type Condition,
  conditionIn,
  type DraftStep,
  type DraftValue,
  draftValue,
  isWrite,
  opposed,
  sourcesOf,
} from '../steps/draft.ts';
import { unmade } from '../steps/facts.ts';
import { belonging } from '../steps/guesses.ts';
import { createMemory, type Memory, pointTo } from '../steps/memory.ts';
import type { Text } from '../words/text.ts';

/** A plan taken apart again, so that a change goes on with it as a request goes on with what it said before. */

/** The steps of a plan as drafts by their ids; texts that were made of them are taken out and wait to be made anew. */
function draftsOf(plan: Plan, { waiting, steps, text }: Memory): ById {
  const { tools } = text.lexicon;
  const words = vocabularyOf(plan.steps, tools);
  const byId = new Map<string, DraftStep>();
  const conditions = new Map<string, Condition>();
  for (const from of plan.steps) {
    const { id, tool: name, when: cel = '', why, needs } = from;
    const tool = tools.get(name);
    if (!tool) throw new TypeError(`no tool ${name}`);
    const { args, unsaid } = unmade(from, words);
    if (cel !== '' && !conditions.has(cel)) conditions.set(cel, conditionIn(cel, byId));
    const values = new Map(Object.entries(args).map(([arg, value]) => [arg, draftValue(value, byId)]));
    const after = new Set(needs.flatMap((need) => byId.get(need) ?? []));
    const when = conditions.get(cel) ?? null;
    const step: DraftStep = { tool, args: values, why, when, after, isVerbless: false, from };
    byId.set(id, step);
    steps.push(step);
    if (unsaid.length > 0) waiting.add(step);
  }
  return byId;
}

/** What was said before a change: the steps of the plan, and what "it", "otherwise" and "if over" point to. */
export function resumed(text: Text, plan: Plan): Memory {
  const given = new Map<string, string>();
  const memory = createMemory(text, given);
  const byId = draftsOf(plan, memory);
  const { steps } = memory;
  memory.used = new Set(steps.flatMap(sourcesOf));
  memory.orders = steps.filter(isWrite);
  memory.reads = steps.filter((step) => !isWrite(step));
  const [success] = plan.watch === undefined ? [] : plan.success;
  const alarm = success === undefined ? null : opposed(conditionIn(success, byId));
  const main = memory.orders.find(({ when }) => when !== null)?.when ?? alarm;
  memory.lastCondition = main && main.parts.length > 0 ? main : null;
  const valuesOf = (arg: string): DraftValue[] => steps.flatMap(({ args }) => args.get(arg) ?? []);
  const [project, ...others] = new Set(valuesOf('project'));
  if (typeof project === 'string' && others.length === 0) memory.topic.set('project', project);
  // The service that came with its project goes where that goes.
  const owner = text.catalogue.projects.find(({ key }) => key === project)?.service;
  const isGuess =
    owner !== undefined && plan.assumptions.includes(belonging('service', owner, String(project)));
  for (const step of memory.orders) {
    const { tool, args } = step;
    if (isGuess && args.get('service') === owner && args.delete('service'))
      memory.unaimed.push({ step, place: { from: 0, to: 0 } });
    const said = args.get(textArgOf(tool) ?? '');
    if (typeof said === 'string') given.set('text', said);
  }
  pointTo(memory, valuesOf('key'), valuesOf('incident'));
  return memory;
}
