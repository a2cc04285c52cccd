import type { Manifest } from '../../../core/manifest.ts';
import type { Frame } from '../frames/frame.ts';
import { argsThatTake, textArgOf } from '../frames/takes.ts';
import { type Condition, type DraftStep, type DraftValue, type FieldOf, isField, isWrite } from './draft.ts';
import { type Memory, need, type Place, saysAt } from './memory.ts';

/** What a write says: words, or the results of steps. */
export type Content = readonly FieldOf[] | string | null;

/** The argument that says something to people, or that is made of results. */
export const toldArgOf = (tool: Manifest): string | undefined => argsThatTake(tool, 'message', 'results')[0];

/** What stands for the results of a step in a message; `isListed`: what was found, also of what was counted. */
const toldOfStep = (step: DraftStep, isListed = false): FieldOf => {
  const { compares, tells } = step.tool.asked ?? {};
  const number = step.counts && !isListed ? compares?.number : undefined;
  return { step, field: number ?? tells ?? step.tool.main ?? 'lines' };
};
export const toldOf = (steps: readonly DraftStep[], isListed = false): FieldOf[] =>
  steps.map((step) => toldOfStep(step, isListed));

/** Results, one under the other. */
export const listed = (fields: readonly FieldOf[]): readonly (string | FieldOf)[] =>
  fields.flatMap((field, index) => [...(index > 0 ? ['\n'] : []), field]);

/** A link alone says nothing of the ticket that was created. */
const titled = (fields: readonly FieldOf[]): DraftValue =>
  listed(fields).flatMap((part) => [...(isField(part) ? titleOf(part) : []), part]);

function titleOf({ step: { tool, args } }: FieldOf): string[] {
  const title = args.get(textArgOf(tool) ?? '');
  return tool.asked?.role === 'create' && typeof title === 'string' ? [`${title}: `] : [];
}

/** Where something is done because nothing is there, there is nothing to tell. */
export const saysNone = (when: Condition | null): boolean =>
  when?.parts.every(({ op, right }) => op === '==' && right === 0) ?? true;

/** Gives a step its text: what was said, the result, or what the condition says. Never the order itself. */
export function putText(memory: Memory, step: DraftStep, content: Content): void {
  const { tool, args, when } = step;
  const arg = toldArgOf(tool);
  if (arg === undefined || args.has(arg)) return;
  const creates = tool.asked?.role === 'create';
  const results = typeof content === 'string' ? [] : (content ?? []);
  const looked = [...new Set(when?.parts.flatMap(({ left }) => left.map((one) => one.step)))];
  const facts = saysNone(when) ? [] : looked;
  // A ticket is called as what was looked for.
  const topics = creates
    ? [...results, ...toldOf(looked)].map(({ step: { args: of } }) => of.get('text') ?? of.get('query'))
    : [];
  const topic = topics.find((one) => typeof one === 'string');
  // What is ordered to be told is told, whatever else there is to say.
  const given = results.length > 0 ? undefined : (memory.given.get(arg) ?? memory.given.get('text'));
  const said = topic ?? (typeof content === 'string' ? content : given);
  // "more than 50 failed orders": how many there are, and not what they are.
  const isCounted = when?.parts.some(({ right }) => typeof right === 'number' && right > 0) ?? false;
  const isTold =
    facts.length > 0 && !isCounted && facts.every((one) => one.tool.asked?.tells !== one.tool.main);
  const isOwn = (read: DraftStep): boolean => args.has('key') && read.args.get('key') === args.get('key');
  const before = facts.length === 0 && tool.asked?.role !== 'page' ? memory.reads : [];
  const found = toldOf(isTold ? facts : before.filter((read) => !isOwn(read)));
  if (said !== undefined) args.set(arg, said);
  else if (results.length > 0 && !creates) args.set(arg, listed(results));
  else if (found.length > 0 && !creates) args.set(arg, titled(found));
  else memory.waiting.add(step);
}

/** "page ops and tell them the disk is full", "page ops and say “…”": that is what the page says. */
export function tellsPaged(memory: Memory, { tool, slots, carries }: Frame, place: Place): boolean {
  const arg = textArgOf(tool) ?? '';
  const isTo =
    slots.has('channel') || slots.has('user') || !saysAt(memory, place, 'pronoun person', 'passing on');
  const said = carries !== null && typeof carries === 'object' && 'text' in carries ? carries.text : null;
  const [text] = said === null ? (slots.get(arg) ?? []) : [said];
  const pages = [...memory.waiting].filter((step) => step.tool.asked?.role === 'page');
  if (tool.asked?.role !== 'message' || isTo || text === undefined || pages.length === 0) return false;
  for (const page of pages) sayIn(memory, page, text);
  return true;
}

/** Gives a step the text that it waited for. */
export function sayIn({ waiting }: Memory, step: DraftStep, said: DraftValue): void {
  step.args.set(toldArgOf(step.tool) ?? '', said);
  waiting.delete(step);
}

/** "Handover for ops: on-call, open incidents and open tickets": look-ups that follow go into the summary. */
export function summarizeAlso(memory: Memory, found: readonly DraftStep[]): void {
  const { summary } = memory;
  if (!summary) return;
  const arg = toldArgOf(summary.tool) ?? '';
  const parts = [summary.args.get(arg) ?? []].flat().filter(isField);
  summary.args.set(arg, listed(toldOf([...new Set([...parts.map(({ step }) => step), ...found])])));
  memory.reads = [summary];
}

/** "move OPS-12 to Done and tell @ana": what the orders before it came to. */
const doneBefore = ({ steps }: Memory, step: DraftStep): DraftStep[] =>
  steps
    .slice(0, steps.indexOf(step))
    .filter((one) => isWrite(one) && one.tool.main !== undefined && textArgOf(one.tool) === null);

/** Steps that nobody gave a text: it is made of the facts, or asked for. */
export function wordlessIn(memory: Memory): Set<DraftStep> {
  // "page ops: db-03 down, and tell ana": the same, unless something else was said to them.
  const isSaid = memory.steps.some(({ tool, args }) => typeof args.get(textArgOf(tool) ?? '') === 'string');
  for (const step of [...memory.waiting]) {
    const { tool, args, when } = step;
    const done = tool.asked?.role === 'message' && when === null && !isSaid ? doneBefore(memory, step) : [];
    if (done.length > 0) sayIn(memory, step, listed(toldOf(done)));
    else if (when === null && tool.asked?.mustSay && !(isSaid && args.size > 0)) need(memory, 'text', 'text');
    else if (saysNone(when) && tool.asked?.role === 'create' && !isSaid)
      need(memory, 'title', toldArgOf(tool) ?? '');
    else continue;
    memory.waiting.delete(step);
  }
  return memory.waiting;
}

/** Counting and listing find the same tickets: which of them it is may show only later. */
export function turnInto(memory: Memory, role: 'count' | 'list'): void {
  const tool = memory.text.lexicon.byRole.get(role);
  const other = role === 'count' ? 'list' : 'count';
  for (const step of memory.reads) {
    if (!tool || step.tool.asked?.role !== other || step.args.has('order')) continue;
    step.tool = tool;
    for (const { args } of memory.steps) for (const [arg, value] of args) args.set(arg, retold(value, step));
  }
}

/** What a text says of a step that has become another one. */
function retold(value: DraftValue, step: DraftStep): DraftValue {
  if (!isField(value))
    return Array.isArray(value) ? value.map((part) => retold(part, step) as string | FieldOf) : value;
  const isGone = value.step === step && !(value.field in step.tool.result.shape);
  return isGone ? toldOfStep(step) : value;
}
