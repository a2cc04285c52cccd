import type { Manifest } from '../../core/manifest.ts';
import { type DraftStep, type DraftValue, type FieldOf, isField } from './draft.ts';
import type { Frame } from './frame.ts';
import { type Memory, need, type Place, saysAt, stepFor } from './memory.ts';
import { requiredOf, takesOf } from './takes.ts';
import { is } from './text.ts';

function sameValue(a: DraftValue | undefined, b: DraftValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, at) => sameValue(part, b[at]));
  return isField(a) && isField(b) ? a.step === b.step && a.field === b.field : a === b;
}

/** A step that does the same under the same condition. */
export const twinOf = (
  { steps }: Memory,
  { tool, args, when }: Pick<DraftStep, 'tool' | 'args' | 'when'>,
): DraftStep | undefined =>
  steps.find(
    (other) =>
      other.tool === tool &&
      other.when === when &&
      other.args.size === args.size &&
      [...args].every(([arg, value]) => sameValue(other.args.get(arg), value)),
  );

/** Every combination of the values of the slots: two priorities in two projects are four look-ups. */
export function combinations({ tool, slots }: Pick<Frame, 'tool' | 'slots'>): Map<string, DraftValue>[] {
  const one = tool.exactlyOne.find((group) => group.filter((arg) => slots.has(arg)).length > 1);
  if (one)
    return one
      .filter((arg) => slots.has(arg))
      .map((arg) => new Map([...slots].filter(([name]) => name === arg || !one.includes(name))))
      .flatMap((own) => combinations({ tool, slots: own }));
  let maps: Map<string, DraftValue>[] = [new Map()];
  for (const [arg, values] of slots) {
    const read = (value: string): DraftValue => (takesOf(tool, arg) === 'number' ? Number(value) : value);
    maps = maps.flatMap((map) => values.map((value) => new Map([...map, [arg, read(value)]])));
  }
  return maps;
}

/**
 * A frame in which an answer stands for the name that nothing here has. Other such names, and targets that were left open
 * with "or", are asked about.
 */
export function settled(memory: Memory, frame: Frame): Frame {
  const { given } = memory;
  const slots = new Map(frame.slots);
  for (const { arg, said } of frame.strange) {
    const answer = given.get(arg);
    if (answer === undefined) need(memory, 'strange', arg, { said });
    else slots.set(arg, [answer]);
  }
  memory.service = slots.get('service')?.at(-1) ?? memory.service;
  if (frame.either && frame.tool.effect === 'write')
    need(memory, 'either', frame.either, { options: slots.get(frame.either) ?? [] });
  return { ...frame, slots };
}

/** "the oldest tickets" are several, "the oldest ticket" is one. */
export const isPlural = ({ text }: Memory, { name }: Manifest): boolean =>
  text.words.some(
    ({ low }, index) =>
      is(text, index, 'several') ||
      (low.endsWith('s') && is(text, index, `noun ${name}`, `value ${name} type`)),
  );

/** What a look-up is of no use without, and what the operator set for what is not said; each guess shows. */
function complete(memory: Memory, tool: Manifest, args: Map<string, DraftValue>): void {
  const { catalogue } = memory.text;
  const asked = tool.asked?.args ?? {};
  const lacks = (arg: string): boolean => arg in tool.args.shape && !args.has(arg);
  for (const [kind, value] of memory.topic)
    for (const arg of Object.keys(tool.args.shape))
      if (takesOf(tool, arg) === kind && !arg.endsWith('_not') && lacks(arg)) args.set(arg, value);
  const timed = ['since', 'window', 'text'].some((arg) => args.has(arg));
  for (const [arg, { else: usual }] of Object.entries(asked))
    if (usual !== undefined && lacks(arg) && !(timed && arg === 'status')) args.set(arg, usual);
  if (args.has('key') && 'project' in tool.args.shape) args.delete('state');
  if (args.has('order') && lacks('limit') && !isPlural(memory, tool)) args.set('limit', 1);
  if (!catalogue.open && lacks('status') && asked.status?.words?.open !== undefined && !timed) {
    args.set('status', 'open');
    memory.assumptions.add('Only open tickets.');
  }
  if (catalogue.defaults.project === undefined || !lacks('project') || args.has('key')) return;
  args.set('project', catalogue.defaults.project);
  memory.assumptions.add(`Project ${catalogue.defaults.project}, because none was named.`);
}

/** "its runbooks", "incidents on it": what was spoken of before. */
function pointed(memory: Memory, tool: Manifest, args: Map<string, DraftValue>): void {
  const bare = args.size === (args.has('state') ? 1 : 0);
  if ('service' in tool.args.shape && !args.has('service') && memory.service !== null)
    args.set('service', memory.service);
  for (const [arg, { from }] of Object.entries(tool.asked?.args ?? {})) {
    const isSource = (step: DraftStep): boolean =>
      step.tool !== tool && (from ?? '') in step.tool.result.shape;
    const source = memory.steps.findLast(isSource);
    const code = memory.steps.findLast((step) => step.args.has('code'))?.args.get('code');
    const value = source && from ? { step: source, field: from } : code;
    if (from && value && !args.has(arg)) args.set(arg, value);
  }
  if ('key' in tool.args.shape && bare && memory.issue !== null) args.set('key', memory.issue);
}

/** Adds a look-up, or finds the one that is there. */
export function addRead(
  memory: Memory,
  tool: Manifest,
  args: Map<string, DraftValue>,
  place: Place,
  rest: Partial<DraftStep> = {},
): DraftStep {
  const isBare = args.size === 0 && tool.asked?.calls?.[1] && !saysAt(memory, place, 'pronoun');
  complete(memory, tool, args);
  if (isBare && args.size === 0) need(memory, 'missing', 'project');
  for (const arg of requiredOf(tool)) if (!args.has(arg)) need(memory, 'missing', arg);
  const known = twinOf(memory, { tool, args, when: null });
  if (known) return known;
  const step = stepFor(memory, tool, args, place, rest);
  memory.steps.push(step);
  const isOne = 'first' in tool.result.shape && args.get('limit') === 1 && tool.asked?.role === 'list';
  memory.issue = args.get('key') ?? (isOne ? { step, field: 'first' } : memory.issue);
  if (tool.asked?.role === 'person') memory.person = { step, field: 'user' };
  return step;
}

export function addReads(memory: Memory, said: Frame, place: Place): DraftStep[] {
  const frame = settled(memory, said);
  const { tool, slots, verb } = frame;
  // "…, from PagerDuty", "on-call I mean": the same look-up, named again.
  const same = memory.steps.filter((step) => step.tool === tool);
  if (slots.size === 0 && same.length > 0) return same;
  return combinations(frame).map((args) => {
    if (saysAt(memory, place, 'pointing')) pointed(memory, tool, args);
    return addRead(memory, tool, args, place, { isVerbless: !verb });
  });
}

/** Counting and listing find the same tickets: which of them it is may show only later. */
export function turnInto(memory: Memory, role: 'count' | 'list'): void {
  const tool = memory.text.lexicon.byRole.get(role);
  const other = role === 'count' ? 'list' : 'count';
  for (const step of memory.reads) {
    if (!tool || step.tool.asked?.role !== other || (step.args.has('order') && role === 'count')) continue;
    step.tool = tool;
    for (const { args } of memory.steps) for (const [arg, value] of args) args.set(arg, retold(value, step));
  }
}

/** What a text says of a step that has become another one. */
function retold(value: DraftValue, step: DraftStep): DraftValue {
  if (!isField(value))
    return Array.isArray(value) ? value.map((part) => retold(part, step) as string | FieldOf) : value;
  const isGone = value.step === step && !(value.field in step.tool.result.shape);
  return isGone ? { step, field: step.tool.asked?.tells ?? step.tool.main ?? value.field } : value;
}
