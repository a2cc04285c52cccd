import type { PlannerAnswer } from '../../core/answer.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { cut, oneLine } from '../../core/inert.ts';
import { type Plan, planLimits, planSchema, type Step } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { vocabularyOf } from '../../core/words.ts';
import { readingsOf } from './clauses/search.ts';
import { type Composed, compose } from './steps/compose.ts';
import { toldArgOf } from './steps/content.ts';
import { argOf, celOf, type DraftStep, type Ids, isRead, opposed, sourcesOf } from './steps/draft.ts';
import { madeText, toldWith } from './steps/facts.ts';
import type { Given } from './steps/memory.ts';
import type { Lexicon } from './words/lexicon.ts';
import type { Text } from './words/text.ts';
import { tokensOf } from './words/tokens.ts';

/** Reads first, each step behind those it takes facts from, with their ids. */
function ordered(steps: readonly DraftStep[]): Ids {
  const ids = new Map<DraftStep, string>();
  const seen = new Set<DraftStep>();
  const taken = new Set(steps.flatMap(({ from }) => from?.id ?? []));
  const visit = (step: DraftStep): void => {
    if (seen.has(step) || !steps.includes(step)) return;
    seen.add(step);
    for (const source of [...sourcesOf(step), ...step.after]) visit(source);
    const base = step.tool.name.replace(/^.*\./u, '');
    let id = step.from?.id ?? base;
    for (let count = 2; step.from === undefined && taken.has(id); count += 1) id = `${base}_${count}`;
    taken.add(id);
    ids.set(step, id);
  };
  for (const step of steps) if (isRead(step)) visit(step);
  for (const step of steps) visit(step);
  return ids;
}

function stepOf(draft: DraftStep, ids: Ids): Step {
  const { tool, why, when, args, after, from } = draft;
  const { when: _when, ...common } = from ?? { onError: 'stop', onSkip: 'skip' };
  // What a plan that is changed used without naming it as a need stays so.
  const used = from ? JSON.stringify([from.args, from.when]) : '';
  const isNew = (step: DraftStep): boolean => !used.includes(`${ids.get(step)}.`);
  return {
    ...{ ...common, id: ids.get(draft) ?? '', tool: tool.name, why: cut(oneLine(why), 300) },
    args: Object.fromEntries([...args].map(([name, value]) => [name, argOf(value, ids)])),
    needs: [
      ...new Set(
        [...(from ? after : []), ...sourcesOf(draft).filter(isNew), ...after].flatMap(
          (step) => ids.get(step) ?? [],
        ),
      ),
    ],
    ...(when === null ? {} : { when: celOf(when, ids) }),
  };
}

const named = /^(?:project|priority|service|channel|user|key|incident|status|severity)$/u;
const spelled = new Set(['priority', 'severity', 'status']);

function inputsOf(steps: readonly Step[], goal: string): Plan['inputs'] {
  const seen = new Map<string, Plan['inputs'][number]>();
  for (const [name, value] of steps.flatMap(({ args }) => Object.entries(args))) {
    if (typeof value !== 'string' || value.length > 80 || !named.test(name)) continue;
    const isSaid = goal.toLowerCase().includes(value.replace(/^[#@]/u, '').toLowerCase());
    const source = isSaid || spelled.has(name) ? 'text' : 'default';
    seen.set(`${name} ${value}`, { name, value, source });
  }
  return [...seen.values()].slice(0, 20);
}

/** "page ops and tell #ops I did": what speaks of the order itself is no news for anybody else. */
const isOfOrder = ({ args: { text } }: Step, lexicon: Lexicon): boolean =>
  typeof text === 'string' &&
  tokensOf(text).every(
    ({ kind, low }, at, tokens) =>
      kind === 'mark' ||
      lexicon.isIn(low, 'speaking', 'saying') ||
      lexicon.phrasesAt(tokens, at).some(({ tags }) => tags.has('nothing')),
  );

/** The steps of a composed request, reads first. */
function stepsOf({ wordless }: Composed, ids: Ids, lexicon: Lexicon): Step[] {
  const manifests = lexicon.tools;
  const bare = [...ids.keys()].map((draft) => stepOf(draft, ids));
  const words = vocabularyOf(bare, manifests);
  return [...ids.keys()].map((draft, index) => {
    const step = bare[index] as Step;
    const arg = toldArgOf(draft.tool);
    const said = arg === undefined ? undefined : step.args[arg];
    if (arg === undefined || (said === undefined && !wordless.has(draft))) return step;
    const isUnsaid = wordless.has(draft) || said === undefined;
    const others = bare.filter((one) => !isOfOrder(one, lexicon));
    const told = isUnsaid ? madeText(step, words, others) : toldWith(said, words);
    return { ...step, args: { ...step.args, [arg]: told } };
  });
}

/** Steps as a plan with its title. */
function planOf(text: Text, steps: readonly Step[], { assumptions, alarm }: Composed, ids: Ids): Plan {
  const { goal, lexicon, plan: before } = text;
  const summary = planTitle(steps, lexicon.tools) || cut(oneLine(goal), planLimits.summary);
  const kept = before && stillTrue(before, steps);
  return planSchema.parse({
    goal: cut(goal, planLimits.goal),
    inputs: inputsOf(steps, goal),
    ...kept,
    ...{ steps, summary: cut(summary, planLimits.summary) },
    assumptions: [...new Set([...(kept?.assumptions ?? []), ...assumptions])]
      .slice(0, 10)
      .map((one) => cut(one, 300)),
    ...(alarm === null ? {} : { success: [celOf(opposed(alarm), ids)] }),
  });
}

/** A plan without what was said of it that holds no longer. */
function stillTrue(plan: Plan, steps: readonly Step[]): Plan {
  const held = new Set(steps.flatMap(({ args }) => Object.values(args)));
  const gone = plan.inputs.filter(({ value }) => !held.has(value));
  const lost = plan.steps.filter(({ id }) => steps.every((step) => step.id !== id));
  return {
    ...plan,
    inputs: plan.inputs.filter(({ value }) => held.has(value)),
    // "No project was named, so I used OPS" is no reason for what was named now.
    assumptions: plan.assumptions.filter(
      (one) => !gone.some(({ value }) => one.split(/[\s,.]+/u).includes(value)),
    ),
    success: plan.watch ? [] : plan.success.filter((cel) => !lost.some(({ id }) => cel.includes(`${id}.`))),
  };
}

/** One plan that a request may mean. */
export interface Candidate {
  readonly composed: Composed;
  /** Put into words only when it is looked at. */
  readonly plan: Plan;
  /** Every word is carried by a step or carries nothing, and nothing has to be asked. */
  readonly whole: boolean;
}

/** What steps were asked for with, for a request that goes on with it. */
export const saidFor = (steps: readonly Step[]): string =>
  [...new Set(steps.map(({ why }) => why))].join(' and ');

/** Two readings within this of each other are both asked about. */
export const close = 0.15;

const isWhole = ({ left, needs, loose, isGuess }: Composed): boolean =>
  left.length === 0 && needs.length === 0 && !loose && !isGuess;

/** The plans that a request may mean, the likeliest first. */
export function candidatesFor(text: Text, given: Given, readings = readingsOf(text)): Candidate[] {
  const composed: Composed[] = [];
  for (const reading of readings) {
    const [best, second = reading] = composed;
    // Put together it is worth no more than before: where none comes near one that is whole, no other matters.
    if (best && isWhole(best) && best.score - Math.max(second.score, reading.score) >= close) break;
    const one = compose(text, given, reading);
    if (one.steps.length > 0 || text.plan !== null) composed.push(one);
    composed.sort((a, b) => b.score - a.score);
  }
  const seen = new Map<string, Candidate>();
  for (const one of composed) {
    const ids = ordered(one.steps);
    const steps = stepsOf(one, ids, text.lexicon);
    const key = JSON.stringify(steps.map(({ tool, args, when }) => [tool, args, when]));
    let plan: Plan | null = null;
    if (!seen.has(key))
      seen.set(key, {
        ...{ composed: one, whole: isWhole(one) },
        get plan() {
          plan ??= planOf(text, steps, one, ids);
          return plan;
        },
      });
  }
  return [...seen.values()];
}

/** Why a plan cannot run here: a tool that is not configured, or that this installation does not have. */
export function unavailable({ steps }: Plan, { manifests, unconfigured }: Catalogue): PlannerAnswer | null {
  const lacking = steps.find(({ tool }) => !manifests.has(tool))?.tool;
  if (lacking === undefined) return null;
  const settings = unconfigured.get(lacking);
  if (settings !== undefined)
    return { kind: 'refuse', reason: 'not_configured', explanation: `${lacking} needs ${settings}.` };
  const explanation = `${lacking} is not part of this installation. Type /plan help to see what is.`;
  return { kind: 'refuse', reason: 'no_tool', explanation };
}
