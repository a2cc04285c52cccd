import { aim, aimAtService, forAsker } from './aim.ts';
import { type Carries, type Clause, has } from './clause.ts';
import { type DraftStep, type DraftValue, isField } from './draft.ts';
import { addReads, combinations, settled, turnInto, twinOf } from './look-ups.ts';
import { type Memory, need, type Place, saysAt, stepFor } from './memory.ts';
import { makesOfResults } from './reads.ts';
import { argsThatTake, textArgOf } from './takes.ts';

type Order = Extract<Clause, { kind: 'order' }>;

/** Adds the steps of an order, one for each of its targets. */
export function takeOrder(memory: Memory, clause: Order): void {
  const { carries } = clause;
  const said = settled(memory, clause.frame);
  // "…, please create": what was ordered before is meant.
  const isRepeated = memory.orders.some(({ tool }) => tool === said.tool);
  if (said.filling.size === 0 && carries.kind === 'nothing' && isRepeated) return;
  const before = memory.orders.length > 0 ? memory.orders : memory.reads;
  const content = contentOf(memory, carries, clause);
  const frame = forAsker(memory, said, clause);
  if (frame === null) return;
  const isOwn = ['said', 'nothing', 'oncall'].includes(carries.kind);
  const made = combinations(frame).flatMap((args) => {
    const rest = { when: memory.condition, isVerbless: !frame.verb };
    const step = stepFor(memory, frame.tool, args, clause, rest);
    if (!isOwn) args.delete(textArgOf(frame.tool) ?? '');
    if (carries.kind === 'oncall' && memory.person !== null) args.set('user', memory.person);
    aim(memory, step, clause, frame);
    putText(memory, step, content);
    if (has(clause, 'then', 'before')) for (const earlier of before) step.after.add(earlier);
    if (twinOf(memory, step) || isAgain(step)) return [];
    memory.steps.push(step);
    return [step];
  });
  for (const step of made) remember(memory, step);
  memory.orders = made;
}

/** What "it", "him" and "there" point to from now on. */
function remember(memory: Memory, step: DraftStep): void {
  const { tool, args, when } = step;
  if (when === null) memory.open.push(step);
  memory.issue = args.get('key') ?? ('key' in tool.result.shape ? { step, field: 'key' } : memory.issue);
  memory.incident = args.get('incident') ?? memory.incident;
  memory.person = args.get('user') ?? memory.person;
  if (tool.asked?.role === 'message') memory.post = step;
  if (tool.effect === 'read' || tool.asked?.role === 'create') memory.reads = [step];
  if (makesOfResults(tool)) memory.summary = step;
}

/** What a write says: words, or the results of steps. */
type Content = readonly DraftStep[] | string | null;

/** The results of steps, one under the other. */
const listed = (steps: readonly DraftStep[]): DraftValue =>
  steps.flatMap((step, index) => {
    const field = step.tool.asked?.tells ?? step.tool.main ?? 'lines';
    return [...(index > 0 ? ['\n'] : []), { step, field }];
  });

/** What an order sends, with the look-ups that it needs. */
function contentOf(memory: Memory, carries: Carries, place: Place): Content {
  if (carries.kind === 'text') return carries.text;
  if (carries.kind === 'result') {
    // "list them" lists what was counted; "the number" counts what was listed.
    if (saysAt(memory, place, 'as list')) turnInto(memory, 'list');
    else if (saysAt(memory, place, 'as number')) turnInto(memory, 'count');
    return memory.reads.length > 0 ? memory.reads : null;
  }
  if (carries.kind === 'reads') memory.reads = addReads(memory, carries.frame, place);
  if (carries.kind === 'reads') return memory.reads;
  if (carries.kind === 'oncall') {
    const [step] = addReads(memory, carries.frame, place);
    if (step) {
      // The on-call of nothing in particular would be anybody.
      if (!step.args.has('service') && !step.args.has('schedule')) aimAtService(memory, step);
      memory.person = { step, field: 'user' };
    }
  }
  return carries.kind === 'made' ? madeOf(memory, carries, place) : null;
}

/** A step that makes something of results: a summary of tickets. */
function madeOf(memory: Memory, { frame, of }: Carries & { kind: 'made' }, place: Place): Content {
  const content = contentOf(memory, of, place) ?? memory.reads;
  const [first] = content;
  if (typeof first === 'object' && content.length === 1 && first.tool === frame.tool) return content;
  const step = stepFor(memory, frame.tool, new Map(), place, { when: memory.condition });
  putText(memory, step, content);
  memory.steps.push(step);
  memory.reads = [step];
  return [step];
}

/** Gives a step its text: what was said, the result, or what the condition says. Never the order itself. */
function putText(memory: Memory, step: DraftStep, content: Content): void {
  const { tool, args, when } = step;
  const [arg] = argsThatTake(tool, 'message', 'results');
  if (arg === undefined || args.has(arg)) return;
  const creates = tool.asked?.role === 'create';
  const results = typeof content === 'string' ? [] : (content ?? []);
  const facts = [...new Set(when?.parts.flatMap(({ left }) => left.map((one) => one.step)))];
  // A ticket is called as what was looked for.
  const topics = creates
    ? [...results, ...facts].map((one) => one.args.get('text') ?? one.args.get('query'))
    : [];
  const topic = topics.find((one) => typeof one === 'string');
  const said = topic ?? (typeof content === 'string' ? content : memory.given.get('text'));
  const isTold = facts.length > 0 && facts.every((one) => one.tool.asked?.tells !== one.tool.main);
  const before = facts.length === 0 && tool.asked?.role !== 'page' ? memory.reads : [];
  const found = results.length > 0 ? results : isTold ? facts : before;
  const isFit = !creates || topic !== undefined || content === null || typeof content === 'string';
  if (said !== undefined && isFit) args.set(arg, said);
  else if (found.length > 0 && !creates) args.set(arg, listed(found));
  else memory.waiting.push({ step, arg });
}

/** A summary of nothing but a summary. */
function isAgain({ tool, args }: DraftStep): boolean {
  const parts = makesOfResults(tool) ? [...args.values()].flat().filter(isField) : [];
  return parts.length > 0 && parts.every(({ step }) => step.tool === tool);
}

/** "Handover for ops: on-call, open incidents and open tickets": look-ups that follow go into the summary. */
export function summarizeAlso(memory: Memory, found: readonly DraftStep[]): void {
  const { summary } = memory;
  const [arg] = summary ? argsThatTake(summary.tool, 'results') : [];
  if (!summary || !arg) return;
  const parts = [summary.args.get(arg) ?? []].flat().filter(isField);
  const steps = [...new Set([...parts.map(({ step }) => step), ...found])].filter((step) => step !== summary);
  summary.args.set(arg, listed(steps));
  memory.reads = [summary];
}

/** Steps that nobody gave a text: it is made of the facts, or asked for. */
export function wordlessIn(memory: Memory): Map<DraftStep, string> {
  const wordless = new Map<DraftStep, string>();
  for (const { step, arg } of memory.waiting) {
    if (step.when === null && step.tool.asked?.mustSay) need(memory, 'text', 'text');
    else wordless.set(step, arg);
  }
  return wordless;
}
