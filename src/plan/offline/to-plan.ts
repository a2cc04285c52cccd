import { cut, oneLine } from '../../core/inert.ts';
import type { Manifest } from '../../core/manifest.ts';
import { type ArgValue, type Plan, planLimits, planSchema, type Step } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { capital, nounFor, type Vocabulary, vocabularyOf } from '../../core/words.ts';
import type { Composed } from './compose.ts';
import {
  argOf,
  type Condition,
  celOf,
  type DraftStep,
  type Ids,
  isField,
  refOf,
  sourcesOf,
} from './draft.ts';

/** Reads first, each step behind those it takes facts from. */
function ordered(steps: readonly DraftStep[]): DraftStep[] {
  const done: DraftStep[] = [];
  const seen = new Set<DraftStep>();
  const visit = (step: DraftStep): void => {
    if (seen.has(step)) return;
    seen.add(step);
    for (const source of [...sourcesOf(step), ...step.after]) visit(source);
    done.push(step);
  };
  const reads = steps.filter(({ tool }) => tool.effect === 'read');
  for (const step of [...reads, ...steps]) visit(step);
  return done;
}

const idOf = (tool: Manifest): string => tool.name.replace(/^.*\./u, '');

function idsFor(steps: readonly DraftStep[]): Ids {
  const taken = new Map<string, number>();
  const ids = new Map<DraftStep, string>();
  for (const step of steps) {
    const base = idOf(step.tool);
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    ids.set(step, count === 1 ? base : `${base}_${count}`);
  }
  return ids;
}

function stepOf(draft: DraftStep, ids: Ids): Step {
  const args = Object.fromEntries([...draft.args].map(([name, value]) => [name, argOf(value, ids)]));
  const needs = [...new Set([...sourcesOf(draft), ...draft.after].map((step) => ids.get(step) ?? ''))];
  const step: Step = {
    id: ids.get(draft) ?? '',
    tool: draft.tool.name,
    why: cut(oneLine(draft.why), 300),
    args,
    needs,
    onError: 'stop',
    onSkip: 'skip',
  };
  return draft.when === null ? step : { ...step, when: celOf(draft.when, ids) };
}

/** Each value that a condition looks at, named: "Open P1 tickets in OPS: 24". */
function factsOf({ parts }: Condition, ids: Ids, words: Vocabulary): ArgValue {
  const fields = parts.flatMap(({ left, right }) => [...left, ...(isField(right) ? [right] : [])]);
  const refs = new Set(fields.map((one) => refOf(one, ids)));
  return [...refs].flatMap((ref, index) => {
    const step = words.steps.get(ref.replace(/\..*$/u, ''));
    const topic = step?.args.about ?? step?.args.text ?? step?.args.query;
    const name = typeof topic === 'string' ? [topic, ': '] : [`${capital(nounFor(ref, words))}: `];
    return [...(index > 0 ? ['\n'] : []), ...name, { ref }];
  });
}

/** A text where nobody said one: the facts of the condition, or that somebody is wanted. */
function composedText(
  draft: DraftStep,
  ids: Ids,
  step: Step,
  steps: readonly Step[],
  words: Vocabulary,
): ArgValue {
  if (draft.when !== null) return factsOf(draft.when, ids, words);
  const told = steps.map(({ args }) => args.summary ?? args.text).find((text) => typeof text === 'string');
  if (typeof told === 'string') return told;
  if (draft.tool.asked?.role === 'create')
    return [step.args.priority, step.args.type ?? 'ticket', 'without a description']
      .filter(Boolean)
      .join(' ');
  return `Please take a look at ${String(step.args.service ?? step.args.channel ?? step.args.key ?? 'this')}.`;
}

function inputsOf(steps: readonly Step[], goal: string): Plan['inputs'] {
  const seen = new Map<string, Plan['inputs'][number]>();
  for (const { args } of steps)
    for (const [name, value] of Object.entries(args)) {
      if (
        typeof value !== 'string' ||
        value.length > 80 ||
        !/^(?:project|priority|service|channel|user|key|incident|status|severity)$/u.test(name)
      )
        continue;
      const said = goal.toLowerCase().includes(value.replace(/^[#@]/u, '').toLowerCase());
      seen.set(`${name} ${value}`, {
        name,
        value,
        source: said || name === 'priority' || name === 'severity' || name === 'status' ? 'text' : 'default',
      });
    }
  return [...seen.values()].slice(0, 20);
}

/** The steps of a composed request, reads first. */
export function stepsOf(composed: Composed, manifests: ReadonlyMap<string, Manifest>): Step[] {
  const drafts = ordered(composed.steps);
  const ids = idsFor(drafts);
  const bare = drafts.map((draft) => stepOf(draft, ids));
  return bare.map((step, index) => {
    const draft = drafts[index] as DraftStep;
    const arg = composed.wordless.get(draft);
    if (arg === undefined) return step;
    const text = composedText(draft, ids, step, bare, vocabularyOf(bare, manifests));
    return { ...step, args: { ...step.args, [arg]: text } };
  });
}

/** Steps as a plan with its title. */
export function planOf(
  goal: string,
  steps: readonly Step[],
  assumptions: readonly string[],
  manifests: ReadonlyMap<string, Manifest>,
): Plan {
  const summary = planTitle(steps, manifests) || cut(oneLine(goal), planLimits.summary);
  return planSchema.parse({
    goal: cut(goal, planLimits.goal),
    summary: cut(summary, planLimits.summary),
    inputs: inputsOf(steps, goal),
    assumptions: assumptions.slice(0, 10).map((one) => cut(one, 300)),
    steps,
    success: [],
  });
}
