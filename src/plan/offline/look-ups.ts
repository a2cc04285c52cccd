import type { Manifest } from '../../core/manifest.ts';
import { type DraftStep, type DraftValue, type FieldOf, isField } from './draft.ts';
import type { Frame } from './frame.ts';
import { isOneOf, means } from './heard.ts';
import { assume, type Memory, need, type Place, saysAt, stepFor } from './memory.ts';
import { requiredOf } from './reads.ts';
import { takesOf } from './takes.ts';

function sameValue(a: DraftValue | undefined, b: DraftValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, at) => sameValue(part, b[at]));
  return isField(a) && isField(b) ? a.step === b.step && a.field === b.field : a === b;
}

/** A step that does the same under the same condition. */
export function twinOf(
  { steps }: Memory,
  { tool, args, when }: Pick<DraftStep, 'tool' | 'args' | 'when'>,
): DraftStep | undefined {
  return steps.find(
    (other) =>
      other.tool === tool &&
      other.when === when &&
      other.args.size === args.size &&
      [...args].every(([arg, value]) => sameValue(other.args.get(arg), value)),
  );
}

/** Every combination of the values of the slots: two priorities in two projects are four look-ups. */
export function combinations(frame: Frame): Map<string, DraftValue>[] {
  const { tool, slots } = frame;
  const one = tool.exactlyOne.find((group) => group.filter((arg) => slots.has(arg)).length > 1);
  if (one)
    return one
      .filter((arg) => slots.has(arg))
      .flatMap((arg) =>
        combinations({
          ...frame,
          slots: new Map([...slots].filter(([name]) => name === arg || !one.includes(name))),
        }),
      );
  let maps: Map<string, DraftValue>[] = [new Map()];
  for (const [arg, values] of slots) {
    const read = (value: string): DraftValue => (takesOf(tool, arg) === 'number' ? Number(value) : value);
    maps = maps.flatMap((map) => values.map((value) => new Map([...map, [arg, read(value)]])));
  }
  return maps;
}

/** Names that a frame has and that nothing here is called, and targets that were left open with "or". */
export function noteFrame(memory: Memory, { tool, slots, strange, either }: Frame): void {
  memory.service = slots.get('service')?.at(-1) ?? memory.service;
  for (const { arg, said } of strange) need(memory, 'strange', arg, { said });
  if (either && tool.effect === 'write') need(memory, 'either', either, { options: slots.get(either) ?? [] });
}

/** "the oldest tickets" are several, "the oldest ticket" is one. */
export function isPlural({ text }: Memory, tool: Manifest): boolean {
  const names = (index: number): boolean =>
    means(
      text,
      index,
      ({ role, of, arg }) => of === tool.name && (role === 'noun' || (role === 'value' && arg === 'type')),
    );
  return text.tokens.some(
    ({ low }, index) => isOneOf(text, index, 'several') || (low.endsWith('s') && names(index)),
  );
}

/** What a look-up is of no use without, and what the operator set for what is not said; each guess shows. */
function complete(memory: Memory, tool: Manifest, args: Map<string, DraftValue>): void {
  const { catalogue } = memory.text;
  for (const [kind, value] of memory.topic)
    for (const arg of Object.keys(tool.args.shape))
      if (takesOf(tool, arg) === kind && !arg.endsWith('_not') && !args.has(arg)) args.set(arg, value);
  const lacks = (arg: string): boolean => arg in tool.args.shape && !args.has(arg);
  const timed = ['since', 'window', 'text'].some((arg) => args.has(arg));
  for (const [arg, { else: usual }] of Object.entries(tool.asked?.args ?? {}))
    if (usual !== undefined && lacks(arg) && !(timed && arg === 'status')) args.set(arg, usual);
  if (args.has('key') && 'project' in tool.args.shape) args.delete('state');
  if (tool.asked?.role === 'limit' && !args.has('project')) ofTheCount(memory, args);
  if (args.has('order') && lacks('limit') && !isPlural(memory, tool)) args.set('limit', 1);
  if (!catalogue.open && lacks('status') && tool.asked?.args?.status?.words?.open !== undefined && !timed) {
    args.set('status', 'open');
    assume(memory, 'Only open tickets.');
  }
  if (catalogue.defaults.project === undefined || !lacks('project') || args.has('key')) return;
  args.set('project', catalogue.defaults.project);
  assume(memory, `Project ${catalogue.defaults.project}, because none was named.`);
}

/** "and how many does the SLA allow?": a limit is the one of what was counted. */
function ofTheCount({ steps }: Memory, args: Map<string, DraftValue>): void {
  const count = steps.findLast(({ tool }) => tool.asked?.role === 'count');
  for (const arg of ['project', 'priority']) {
    const value = count?.args.get(arg);
    if (value !== undefined && !args.has(arg)) args.set(arg, value);
  }
}

/** "its runbooks", "incidents on it": what was spoken of before. */
function pointed(memory: Memory, tool: Manifest, args: Map<string, DraftValue>, place: Place): void {
  if (!saysAt(memory, place, 'pointing')) return;
  if ('service' in tool.args.shape && !args.has('service') && memory.service !== null)
    args.set('service', memory.service);
  for (const [arg, { from }] of Object.entries(tool.asked?.args ?? {})) {
    const source =
      from && memory.steps.findLast((step) => step.tool !== tool && from in step.tool.result.shape);
    if (from && source && !args.has(arg)) args.set(arg, { step: source, field: from });
  }
  const bare = args.size === (args.has('state') ? 1 : 0);
  if ('key' in tool.args.shape && bare && memory.issue !== null) args.set('key', memory.issue);
}

/** Adds a look-up, or finds the one that is there. */
export function addRead(
  memory: Memory,
  tool: Manifest,
  args: Map<string, DraftValue>,
  place: Place,
): DraftStep {
  complete(memory, tool, args);
  for (const arg of requiredOf(tool))
    if (!args.has(arg) && !['message', 'results'].includes(takesOf(tool, arg))) need(memory, 'missing', arg);
  const known = twinOf(memory, { tool, args, when: null });
  if (known) return known;
  const step = stepFor(memory, tool, args, place);
  memory.steps.push(step);
  memory.issue =
    args.get('key') ??
    (tool.result.shape.first !== undefined && args.get('limit') === 1 && tool.asked?.role === 'list'
      ? { step, field: 'first' }
      : memory.issue);
  if (tool.asked?.role === 'person') memory.person = { step, field: 'user' };
  return step;
}

/** A frame in which an answer stands for the name that nothing here has. */
export function settled({ given }: Memory, frame: Frame): Frame {
  const answered = frame.strange.filter(({ arg }) => given.has(arg));
  if (answered.length === 0) return frame;
  const slots = new Map(frame.slots);
  for (const { arg } of answered) slots.set(arg, [given.get(arg) ?? '']);
  return { ...frame, slots, strange: frame.strange.filter((one) => !answered.includes(one)) };
}

export function addReads(memory: Memory, said: Frame, place: Place): DraftStep[] {
  const frame = settled(memory, said);
  noteFrame(memory, frame);
  // "…, from PagerDuty", "on-call I mean": the same look-up, named again.
  const same = memory.steps.filter(({ tool }) => tool === frame.tool);
  if (frame.slots.size === 0 && same.length > 0) return same;
  const steps = combinations(frame).map((args) => {
    pointed(memory, frame.tool, args, place);
    return addRead(memory, frame.tool, args, place);
  });
  if (!frame.verb) for (const step of steps) memory.verbless.add(step);
  return steps;
}

/** Counting and listing find the same tickets: which of them it is may show only later. */
export function turnInto(memory: Memory, role: 'count' | 'list'): void {
  const tool = memory.text.lexicon.byRole.get(role);
  const other = role === 'count' ? 'list' : 'count';
  if (tool)
    for (const step of memory.reads)
      if (step.tool.asked?.role === other && !(step.args.has('order') && role === 'count')) {
        step.tool = tool;
        for (const { args } of memory.steps)
          for (const [arg, value] of args) args.set(arg, retold(value, step));
      }
}

/** What a text says of a step that has become another one. */
function retold(value: DraftValue, step: DraftStep): DraftValue {
  if (isField(value))
    return value.step === step && !(value.field in step.tool.result.shape)
      ? { step, field: step.tool.asked?.tells ?? step.tool.main ?? value.field }
      : value;
  return Array.isArray(value) ? value.map((part) => retold(part, step) as string | FieldOf) : value;
}
