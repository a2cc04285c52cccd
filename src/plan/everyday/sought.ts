import type { Manifest } from '../../core/manifest.ts';
import type { Drafted } from './clause.ts';
import type { Heard } from './heard.ts';
import { type Slot, slotsOf } from './slots.ts';
import { askedOf, valuesFor } from './unseen.ts';

/**
 * A search that was given no words takes those that are left beside what it searches: “runbook checkout latency”. The
 * network has seen most of them only where they say nothing of a search.
 */
export function withSought(draft: Drafted, heard: Heard, tools: ReadonlyMap<string, Manifest>): Drafted {
  const [step, ...others] = draft.steps;
  if (step === undefined || others.length > 0 || draft.watch !== null) return draft;
  const tool = tools.get(step.tool);
  const seeks = tool?.asked?.seeks;
  const isGiven = ([arg, slot]: [string, Slot]): boolean => slot === 'text' && step.args.has(arg);
  if (tool === undefined || seeks === undefined || [...slotsOf(tool)].some(isGiven)) return draft;
  const words = valuesFor(askedOf(tool), heard)?.args.get(seeks);
  return words === undefined
    ? draft
    : { ...draft, steps: [{ ...step, args: new Map([...step.args, [seeks, words]]) }] };
}
