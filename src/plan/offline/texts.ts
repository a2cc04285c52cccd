import type { Carries } from './carried.ts';
import { type DraftStep, type DraftValue, type FieldOf, isField } from './draft.ts';
import { addReads, turnInto } from './look-ups.ts';
import { type Memory, need, type Place, saysAt, stepFor } from './memory.ts';
import { makesOfResults } from './reads.ts';
import { takesOf } from './takes.ts';

/** What a write says: words, or the results of steps. */
type Content = readonly DraftStep[] | string | null;

const tells = (step: DraftStep): FieldOf => ({
  step,
  field: step.tool.asked?.tells ?? step.tool.main ?? 'lines',
});
const listed = (steps: readonly DraftStep[]): DraftValue =>
  steps.flatMap((step, index) => [...(index > 0 ? ['\n'] : []), tells(step)]);

/** "list them" lists what was counted; "the number" counts what was listed. */
function asWanted(memory: Memory, place: Place): void {
  if (saysAt(memory, place, 'as list')) turnInto(memory, 'list');
  else if (saysAt(memory, place, 'as number')) turnInto(memory, 'count');
}

/** What an order sends, with the look-ups that it needs. */
export function contentOf(memory: Memory, carries: Carries, place: Place): Content {
  switch (carries.kind) {
    case 'text':
      return carries.text;
    case 'result':
      asWanted(memory, place);
      return memory.reads.length > 0 ? memory.reads : null;
    case 'reads':
      memory.reads = carries.frames.flatMap((frame) => addReads(memory, frame, place));
      return memory.reads;
    case 'made': {
      const content = contentOf(memory, carries.of, place) ?? memory.reads;
      if (content.length === 1 && typeof content !== 'string' && content[0]?.tool === carries.frame.tool)
        return content;
      const step = stepFor(memory, carries.frame.tool, new Map(), place, memory.condition);
      putText(memory, step, content);
      memory.steps.push(step);
      memory.reads = [step];
      return [step];
    }
    case 'oncall':
      memory.person = { step: addReads(memory, carries.frame, place)[0] as DraftStep, field: 'user' };
      return null;
    default:
      return null;
  }
}

/** Gives a step its text: what was said, the result, or what the condition says. Never the order itself. */
export function putText(memory: Memory, step: DraftStep, content: Content): void {
  const { tool, args, when } = step;
  const arg = Object.keys(tool.args.shape).find((name) =>
    ['message', 'results'].includes(takesOf(tool, name)),
  );
  if (arg === undefined || args.has(arg)) return;
  const creates = tool.asked?.role === 'create';
  const reads = typeof content === 'string' ? null : content;
  const facts = [...new Set(when?.parts.flatMap(({ left }) => left.map((one) => one.step)))];
  const topic = creates
    ? [...(reads ?? []), ...facts]
        .map((step) => step.args.get('text') ?? step.args.get('query'))
        .find((one) => one !== undefined)
    : undefined;
  const said =
    typeof topic === 'string' ? topic : typeof content === 'string' ? content : memory.given.get('text');
  if (said !== undefined && (reads === null || !creates || topic !== undefined)) args.set(arg, said);
  else if (reads && reads.length > 0 && !creates) args.set(arg, listed(reads));
  else if (facts.length > 0 && !creates && facts.every(({ tool }) => tool.asked?.tells !== tool.main))
    args.set(arg, listed(facts));
  else if (facts.length === 0 && memory.reads.length > 0 && !creates && tool.asked?.role !== 'page')
    args.set(arg, listed(memory.reads));
  else memory.waiting.push({ step, arg });
}

/** A summary of nothing but a summary. */
export function isAgain({ tool, args }: DraftStep): boolean {
  if (!makesOfResults(tool)) return false;
  const parts = [...args.values()].flat().filter(isField);
  return parts.length > 0 && parts.every(({ step }) => step.tool === tool);
}

/** "Handover for ops: on-call, open incidents and open tickets": look-ups that follow go into the summary. */
export function summarizeAlso(memory: Memory, found: readonly DraftStep[]): void {
  const { summary } = memory;
  const arg =
    summary && Object.keys(summary.tool.args.shape).find((name) => takesOf(summary.tool, name) === 'results');
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
