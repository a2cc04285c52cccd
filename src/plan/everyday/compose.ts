import { celType } from '../../core/cel.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { fieldInfo } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import { type ArgValue, type Plan, planLimits, planSchema, type Ref, type Step } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { vocabularyOf } from '../../core/step-words.ts';
import { planTitle } from '../../core/title.ts';
import { clauseFor, clausesLeft } from './clause.ts';
import { celOf, type Looked, statusName } from './conditions.ts';
import { type Draft, type DraftStep, type Lack, opposite, type Part } from './draft.ts';
import { type Filled, fill } from './fill.ts';
import { tell } from './grammar.ts';
import type { Heard } from './heard.ts';
import { keepComposed } from './old-plan.ts';
import { type Slot, slotsOf } from './slots.ts';
import { madeText, namedResults, quoteInto, textArgOf } from './texts.ts';

export type Composed = {
  readonly plan: Plan;
  readonly lacks: readonly Lack[];
  /** Clauses that stand nowhere in the plan. */
  readonly left: readonly string[];
} | null;

type Drafted = Extract<Draft, { kind: 'plan' }>;

interface Making extends Looked {
  readonly draft: DraftStep;
  readonly args: Record<string, ArgValue>;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** Turns a draft into a plan: ids, defaults, conditions and generated texts. Null where a condition has nothing to compare. */
export function compose(draft: Drafted, heard: Heard, input: PlanningInput): Composed {
  const { manifests } = input.catalogue;
  const drafts = draft.steps.filter(({ tool }) => tool !== tell);
  const order = readsFirst(drafts, manifests);
  const ids = idsFor(drafts, order, input.change?.plan ?? null);
  const lacks: Lack[] = [];
  const made: Making[] = drafts.map((step, at) => {
    const tool = manifests.get(step.tool) as Manifest;
    return { id: ids[at] ?? '', tool, draft: step, args: {}, slots: slotsOf(tool) };
  });
  made.forEach((one) => {
    for (const [arg, parts] of one.draft.args) {
      if (parts === null) lacks.push({ slot: arg, id: one.id, arg });
      else one.args[arg] = argValue(parts, one.slots.get(arg) ?? 'text', arg, made, one.tool);
    }
  });
  const { quoted } = input;
  if (quoted !== null) for (const one of made) quoteInto(one, quoted);
  const filled: Filled = fill(made, lacks, input);
  const cels = made.map(({ draft: { when } }) => (when === null ? undefined : celOf(when, made)));
  if (cels.some((cel) => cel === null)) return null;
  const bare = order.map((at) => stepOf(made[at] as Making, cels[at] ?? undefined, ids, heard));
  const kept = keepComposed(bare, input.change?.plan ?? null, manifests);
  const before = input.change?.plan ?? null;
  const unsaid = clausesLeft({ ...draft, steps: drafts }, heard, manifests, before);
  const { steps, wordless } = withTexts(kept, made, manifests, unsaid);
  const silent = wordless.map((id) => ({ slot: 'text', id, arg: 'text' }));
  // A watch that only informs reports when the opposite of its condition stops holding.
  const alarm = draft.steps.find(({ tool, when }) => tool === tell && when !== null)?.when ?? null;
  const calm = alarm === null ? [] : [celOf(opposite(alarm), made)];
  if (calm.includes(null)) return null;
  const plan = planOf(steps, filled.assumptions, calm as string[], input);
  const said = JSON.stringify(steps.map(({ args }) => args));
  const left = unsaid.filter((one) => !said.includes(JSON.stringify(one)));
  return plan && { plan, lacks: [...filled.lacks, ...silent], left };
}

/** Reads before writes, each step after those whose results it uses. */
function readsFirst(steps: readonly DraftStep[], manifests: ReadonlyMap<string, Manifest>): number[] {
  const order: number[] = [];
  const visit = (at: number): void => {
    if (order.includes(at)) return;
    for (const source of sourcesOf(steps[at] as DraftStep)) visit(source);
    order.push(at);
  };
  const isRead = (at: number): boolean => manifests.get(steps[at]?.tool ?? '')?.effect === 'read';
  for (const at of steps.keys()) if (isRead(at)) visit(at);
  for (const at of steps.keys()) visit(at);
  return order;
}

function sourcesOf({ args, when, after }: DraftStep): number[] {
  const parts = [...args.values()].flatMap((one) => one ?? []);
  const refs = [...parts, ...(when?.parts.map(({ right }) => right) ?? [])];
  return [
    ...new Set([
      ...refs.flatMap((part) => ('step' in part ? [part.step] : [])),
      ...(when?.parts.flatMap(({ left }) => left) ?? []),
      ...after,
    ]),
  ];
}

/** The tool's verb, numbered if it repeats; when a plan is changed, its steps keep their ids. */
function idsFor(steps: readonly DraftStep[], order: readonly number[], before: Plan | null): string[] {
  const ids: string[] = [];
  const free = [...(before?.steps ?? [])];
  const taken = new Set(free.map(({ id }) => id));
  for (const at of order) {
    const { tool } = steps[at] as DraftStep;
    const own = free.findIndex((step) => step.tool === tool);
    const base = tool.replace(/^.*\./u, '');
    let id = own >= 0 ? (free.splice(own, 1)[0]?.id ?? base) : base;
    for (let count = 2; own < 0 && taken.has(id); count += 1) id = `${base}_${count}`;
    taken.add(id);
    ids[at] = id;
  }
  return ids;
}

function argValue(
  parts: readonly Part[],
  slot: Slot,
  arg: string,
  made: readonly Making[],
  tool: Manifest,
): ArgValue {
  const values = parts.map((part): string | number | Ref | ArgValue => {
    if ('step' in part) return refTo(made[part.step] as Making, slot, arg, tool);
    if ('said' in part) return part.held ?? part.said;
    return literalOf(part.literal, slot);
  });
  if (values.length === 1)
    return slot === 'transition' ? statusName(String(values[0])) : (values[0] as ArgValue);
  const isOnlyRefs = parts.every((part) => 'step' in part);
  const gap = isOnlyRefs ? '\n' : ' ';
  return values
    .flatMap((value, at) => [...(at > 0 ? [gap] : []), ...[value].flat()])
    .map((value) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ) as ArgValue;
}

function literalOf(literal: string, slot: Slot): string | number {
  if (slot === 'number') return Number(literal);
  return slot === 'severity' || slot === 'duration' ? literal.toUpperCase() : literal;
}

/**
 * The result field for an argument: one that names the same kind of target, the one its manifest declares, or the
 * step's main text.
 */
function refTo({ id, tool: source, args }: Making, slot: Slot, arg: string, tool: Manifest): Ref {
  const fields = Object.entries(source.result.shape);
  // A list names several.
  const named = fields.find(
    ([, schema]) => fieldInfo(schema).target === slot && celType(schema) === 'string',
  )?.[0];
  const from = tool.asked?.from?.[arg];
  const declared = from !== undefined && from in source.result.shape ? from : undefined;
  const { tells, compares } = source.asked ?? {};
  const isCount = slot === 'number' || source.asked?.role === 'count';
  const counted = isCount ? compares?.number : undefined;
  // A list used as a target: only its first entry counts.
  if (named !== undefined && source.asked?.role !== 'create' && 'limit' in source.args.shape)
    args.limit ??= 1;
  return { ref: `${id}.${named ?? declared ?? counted ?? tells ?? source.main ?? 'lines'}` };
}

function stepOf(
  { id, tool, args, draft }: Making,
  when: string | undefined,
  ids: readonly string[],
  heard: Heard,
): Step {
  const needs = sourcesOf(draft).map((at) => ids[at] ?? '');
  return {
    id,
    tool: tool.name,
    why: clauseFor(draft, tool, heard),
    args,
    needs,
    ...(when === undefined ? {} : { when }),
    onError: 'stop',
    onSkip: 'skip',
  };
}

/** The steps with their generated texts, and those for which no text can be generated. */
function withTexts(
  steps: readonly Step[],
  made: readonly Making[],
  manifests: ReadonlyMap<string, Manifest>,
  left: readonly string[],
): { steps: Step[]; wordless: string[] } {
  const words = vocabularyOf(steps, manifests);
  const wordless: string[] = [];
  const isRead = ({ tool }: Step): boolean => manifests.get(tool)?.effect === 'read';
  const texted = steps.map((step, at): Step => {
    const arg = textArgOf(manifests.get(step.tool));
    if (arg === undefined || isRead(step)) return step;
    const said = step.args[arg];
    if (said !== undefined) return { ...step, args: { ...step.args, [arg]: namedResults(said, words) } };
    if (made.some(({ id, draft }) => id === step.id && draft.args.get(arg) === null)) return step;
    const reads = steps
      .slice(0, at)
      .filter((one) => isRead(one) && !steps.some(({ needs }) => needs.includes(one.id)));
    const found = reads.flatMap((one, nth) => [
      ...(nth > 0 ? ['\n'] : []),
      { ref: `${one.id}.${manifests.get(one.tool)?.asked?.tells ?? 'lines'}` },
    ]);
    const isPage = manifests.get(step.tool)?.asked?.role === 'page';
    const text = madeText(step, steps, words, found.length > 0 && !isPage ? found : null, left);
    if (text === null) wordless.push(step.id);
    return text === null ? step : { ...step, args: { ...step.args, [arg]: text } };
  });
  return { steps: texted, wordless };
}

const named = /^(?:project|priority|service|channel|user|key|incident|status|severity)$/u;

/** Null where it would be larger than a plan may be. */
function planOf(
  steps: readonly Step[],
  assumptions: readonly string[],
  calm: readonly string[],
  { goal, catalogue, change, answers }: PlanningInput,
): Plan | null {
  const said = [goal, ...answers.map(({ answer }) => answer), change?.words ?? ''].join(' ').toLowerCase();
  const inputs = new Map<string, Plan['inputs'][number]>();
  for (const [name, value] of steps.flatMap(({ args }) => Object.entries(args))) {
    if (typeof value !== 'string' || value.length > 80 || !named.test(name)) continue;
    const isSaid =
      said.includes(value.replace(/^[#@]/u, '').toLowerCase()) ||
      ['priority', 'severity', 'status'].includes(name);
    inputs.set(`${name} ${value}`, { name, value, source: isSaid ? 'text' : 'default' });
  }
  const { data } = planSchema.safeParse({
    goal: cut(change?.plan.goal ?? goal, planLimits.goal),
    summary: cut(planTitle(steps, catalogue.manifests) || oneLine(goal), planLimits.summary),
    inputs: [...inputs.values()].slice(0, 20),
    assumptions: [...new Set([...(change?.plan.assumptions ?? []), ...assumptions])]
      .slice(0, 10)
      .map((one) => cut(one, 300)),
    steps,
    success: calm.length > 0 ? calm : (change?.plan.success ?? []),
    ...(change?.plan.watch === undefined ? {} : { watch: change.plan.watch }),
  });
  return data ?? null;
}
