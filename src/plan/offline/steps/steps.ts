import type { Manifest } from '../../../core/manifest.ts';
import { type Clause, has } from '../clauses/clause.ts';
import { type Frame, isFrame } from '../frames/frame.ts';
import { makesOfResults } from '../frames/reads.ts';
import { argsThatTake, requiredOf, takesOf, textArgOf } from '../frames/takes.ts';
import { range, wordsOf } from '../words/text.ts';
import { aim, forAsker } from './aim.ts';
import { combinations, settled } from './choices.ts';
import { type Content, putText, tellsPaged, toldOf, turnInto } from './content.ts';
import { type DraftStep, type DraftValue, type FieldOf, fieldsOf, isWrite, sameValue } from './draft.ts';
import { complete, ofTheSame, pointed } from './fill.ts';
import { type Memory, need, type Place, pointTo, sameReads, saysAt } from './memory.ts';

/** Frames become steps, in one way: their slots, what was not said, and what they point to or are pointed to by. */

/** A step that does the same under the same condition. */
const isTwin = ({ tool, args, when }: DraftStep, other: DraftStep): boolean =>
  other.tool === tool &&
  other.when === when &&
  other.args.size === args.size &&
  [...args].every(([arg, value]) => sameValue(other.args.get(arg), value));

/** A step that words ask for. */
function stepFor(memory: Memory, said: Pick<DraftStep, 'tool' | 'args'>, place: Place): DraftStep {
  const words = [memory.because, wordsOf(memory.text, range(place.from, place.to))].filter(Boolean);
  memory.because = '';
  const why = words.join(': ').slice(0, 200) || 'Asked for.';
  const counts = saysAt(memory, place, 'verb count');
  return { ...said, why, when: null, after: new Set(), isVerbless: false, counts };
}

const valuesAt = (steps: readonly DraftStep[], arg: string): DraftValue[] =>
  steps.flatMap(({ args }) => args.get(arg) ?? []);

/** "close them", "resolve both": each of those that were named together. "It" is one of them, and which one is asked. */
function each(memory: Memory, tool: Manifest, args: Map<string, DraftValue>, place: Place): (typeof args)[] {
  const [arg] = argsThatTake(tool, 'issue', 'incident');
  const named = [...new Set(takesOf(tool, arg ?? '') === 'issue' ? memory.issues : memory.incidents)];
  if (arg === undefined || args.has(arg) || memory.given.has(arg) || named.length < 2) return [args];
  if (saysAt(memory, place, 'one of them'))
    need(memory, 'either', arg, { options: named.filter((one) => typeof one === 'string') });
  return named.map((value) => new Map([...args, [arg, value]]));
}

/** Takes a step in, or the one that is there in its place, and remembers what points to it. */
function keep(memory: Memory, step: DraftStep): DraftStep {
  const twin = memory.steps.find((other) => isTwin(step, other));
  if (twin) return twin;
  const { tool, args } = step;
  const role = tool.asked?.role;
  const isOne = role === 'list' && args.get('limit') === 1;
  const [field] = isWrite(step) ? ['key'] : isOne ? ['first'] : [];
  memory.steps.push(step);
  const own = field !== undefined && field in tool.result.shape ? [{ step, field }] : [];
  pointTo(memory, [...valuesAt([step], 'key'), ...own], valuesAt([step], 'incident'));
  if (role === 'person') memory.person = { step, field: 'user' };
  return step;
}

/** Adds a look-up, or finds the one that is there. */
export function addRead(
  memory: Memory,
  said: Pick<DraftStep, 'tool' | 'args'> & Partial<DraftStep>,
  place: Place = { from: 0, to: 0 },
): DraftStep {
  const { tool, args } = said;
  const isBare = args.size === 0 && tool.asked?.calls?.[1] && !saysAt(memory, place, 'pronoun');
  complete(memory, tool, args, place);
  if (args.get('project') === 'all') args.delete('project');
  if (isBare && args.size === 0) need(memory, 'missing', 'project');
  for (const arg of requiredOf(tool)) if (!args.has(arg)) need(memory, 'missing', arg);
  const [first] = tool.anyOf ?? [];
  if (first !== undefined && !tool.anyOf?.some((arg) => args.has(arg))) need(memory, 'missing', first);
  const step = { ...stepFor(memory, said, place), ...said };
  // On call of nothing in particular would be anybody.
  const isAimless = tool.asked?.role === 'person' && !args.has('service') && !args.has('schedule');
  // "is ana on call" may be about any of them.
  if (isAimless && saysAt(memory, place, 'user')) need(memory, 'missing', 'service');
  else if (isAimless && !memory.text.catalogue.open) memory.unaimed.push({ step, place });
  return keep(memory, step);
}

/** Adds the look-ups of a frame. */
export function addReads(memory: Memory, said: Frame, place: Place): DraftStep[] {
  const frame = settled(memory, said);
  const { tool, slots, verb } = frame;
  // "…, from PagerDuty", "on-call I mean": the same look-up, named again.
  const same = memory.steps.filter((step) => step.tool === tool);
  if (slots.size === 0 && same.length > 0) return same;
  const made = combinations(frame).map((args) => {
    // "now and tomorrow": now is when things are looked up anyway.
    for (const [arg, value] of args) if (value === 'now') args.delete(arg);
    if (saysAt(memory, place, 'pointing')) pointed(memory, tool, args, place);
    else if (!frame.noun && !args.has('project')) ofTheSame(memory, tool, args);
    return addRead(memory, { tool, args, isVerbless: !verb }, place);
  });
  pointTo(memory, valuesAt(made, 'key'), []);
  return made;
}

/** "DM the on-call", "close the oldest P3 in WEB": what a look-up names gets it, or is what it acts on. */
function targetOf(memory: Memory, frame: Frame, place: Place): { arg: string; value: DraftValue } | null {
  const { tool, target } = frame;
  const [step] = target === null ? [] : addReads(memory, target, place);
  if (step === undefined) return null;
  if (step.tool.asked?.role !== 'person')
    return { arg: argsThatTake(tool, 'issue', 'incident')[0] ?? '', value: { step, field: 'first' } };
  // The on-call of nothing in particular would be anybody.
  if (!step.args.has('service') && !step.args.has('schedule')) memory.unaimed.push({ step, place });
  return { arg: 'user', value: { step, field: 'user' } };
}

/** The look-ups of a comparison are its result as much as what was compared. */
const withLimits = ({ reads, compared }: Memory): DraftStep[] => [
  ...new Set([...reads, ...fieldsOf(compared).map(({ step }) => step)]),
];

/** What an order sends, with the look-ups that it needs: a part of them where the clause names one. */
function contentOf(memory: Memory, { carries }: Frame, clause: Clause): Content {
  if (carries !== null && carries !== 'result' && !isFrame(carries)) {
    if (carries.isGuess && memory.given.has('text')) return null;
    memory.isGuess ||= carries.isGuess === true;
    return carries.text;
  }
  // "list them" lists what was counted; "the number" counts what was listed.
  const isListed = carries === 'result' && saysAt(memory, clause, 'as list');
  if (isListed) turnInto(memory, 'list');
  else if (carries === 'result' && saysAt(memory, clause, 'as number')) turnInto(memory, 'count');
  if (isFrame(carries)) {
    const known = sameReads(memory, carries);
    const add = makesOfResults(carries.tool) ? addOrder : addReads;
    memory.reads = known.length > 0 ? known : add(memory, carries, clause);
  }
  const steps = carries === 'result' ? withLimits(memory) : memory.reads;
  const named = partsOf(memory, steps, clause);
  if (named.length > 0) return named;
  return carries === null ? null : toldOf(steps, isListed);
}

/** "page ops with the top code", "comment the link": a result field that the clause names, of the steps that have it. */
function partsOf({ text }: Memory, steps: readonly DraftStep[], { from, to }: Place): FieldOf[] {
  const senses = range(from, to).flatMap((at) => text.words[at]?.phrases.flatMap((one) => one.senses) ?? []);
  return steps.flatMap((step) => {
    const field = senses.find(({ role, of }) => role === 'result' && of === step.tool.name)?.arg;
    return field === undefined ? [] : [{ step, field }];
  });
}

/** Adds the steps of an order, one for each of its targets. */
export function addOrder(memory: Memory, read: Frame, clause: Clause): DraftStep[] {
  const frame = forAsker(memory, settled(memory, read), clause);
  const { tool, carries, filling, verb } = read;
  // "…, please create": what was ordered before is meant.
  const isRepeated = filling.size === 0 && carries === null && memory.orders.some((one) => one.tool === tool);
  if (frame === null || isRepeated || tellsPaged(memory, frame, clause)) return [];
  const before = doneBefore(memory);
  const target = targetOf(memory, frame, clause);
  const sent = contentOf(memory, read, clause);
  const content = (saysAt(memory, clause, 'nothing again') ? lastSaid(memory) : null) ?? sent;
  // A summary of nothing but a summary is that summary.
  const [only] = Array.isArray(content) ? content : [];
  if (makesOfResults(tool) && typeof only === 'object' && only.step.tool === tool) return [only.step];
  const targets = combinations(frame).flatMap((args) => each(memory, tool, args, clause));
  const made = targets.map((args) => {
    const step = { ...stepFor(memory, { tool, args }, clause), when: memory.condition, isVerbless: !verb };
    if (target !== null) args.set(target.arg, target.value);
    else if (carries !== null) args.delete(textArgOf(tool) ?? '');
    aim(memory, step, clause, frame);
    putText(memory, step, content);
    if (has(clause, 'then', 'before')) for (const earlier of before) step.after.add(earlier);
    return keep(memory, step);
  });
  for (const step of made) remember(memory, step);
  // "tell @ana that OPS-3 is fixed, then close it": a ticket that a message speaks of.
  const said = tool.asked?.role === 'message' ? range(clause.from, clause.to) : [];
  const spokenOf = said.flatMap((at) => memory.text.words[at]?.things ?? []);
  const issues = spokenOf.filter(({ kind }) => kind === 'issue').map(({ value }) => value);
  pointTo(memory, [...valuesAt(made, 'key'), ...issues], valuesAt(made, 'incident'));
  memory.orders = made;
  return made;
}

/** "resolve 1182 and close PAY-3, then post": all that was ordered in the same case, or what was looked up. */
function doneBefore({ orders, reads, steps, condition }: Memory): DraftStep[] {
  if (orders.length === 0) return reads;
  const all = steps.filter((one) => orders.includes(one) || (isWrite(one) && one.when === condition));
  return all.filter((one) => !all.some(({ after }) => after.has(one)));
}

/** "…, and page ops with the same text": what the last order said in words of its own. */
function lastSaid({ steps }: Memory): string | null {
  const texts = steps.map(({ tool, args }) => args.get(textArgOf(tool) ?? ''));
  return texts.findLast((said) => typeof said === 'string') ?? null;
}

/** What "it", "him" and "there" point to from now on. */
function remember(memory: Memory, step: DraftStep): void {
  const { tool, args, when } = step;
  if (when === null) memory.open.push(step);
  memory.person = args.get('user') ?? memory.person;
  if (!isWrite(step) || tool.asked?.role === 'create') memory.reads = [step];
  if (makesOfResults(tool)) memory.summary = step;
}
