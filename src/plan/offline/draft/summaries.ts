import { type DraftPart, type DraftStep, isFromStep, sourcesOf } from './draft.ts';
import type { Work } from './work.ts';

/**
 * "handover for @bo: A, B and C in one summary": a summary of the first part only, made before the rest was read, gives
 * way to the one of everything.
 */
export function mergeSummaries(work: Work): void {
  const summaries = work.steps.filter((step) => step.tool === 'llm.summarize');
  const last = summaries.at(-1);
  if (last === undefined) return;
  for (const early of summaries) {
    const own = sourcesOf(early);
    const covered = own.every((source) => sourcesOf(last).includes(source));
    if (early === last || !covered) continue;
    const users = work.steps.filter((step) => step !== last && sourcesOf(step).includes(early));
    if (users.some((step) => step.tool !== 'slack.post')) continue;
    for (const step of [early, ...users]) dropSource(last, step);
    const taken = work.steps.some((step) =>
      users.some((user) => sourcesOf(step).includes(user) || step.needs.has(user)),
    );
    if (taken || sourcesOf(last).length === 0) continue;
    for (const step of users) replaceSource(step, early, last);
    work.steps.splice(
      0,
      work.steps.length,
      ...work.steps.filter((step) => step !== early && !users.includes(step)),
    );
    const kept = users.filter((step) => !work.steps.some((other) => sameAddress(step, other)));
    work.steps.push(...kept);
    for (const step of work.steps) if (step.needs.delete(early)) step.needs.add(last);
  }
}

function sameAddress(a: DraftStep, b: DraftStep): boolean {
  return a.tool === b.tool && a.args.channel === b.args.channel && a.args.user === b.args.user;
}

function replaceSource(step: DraftStep, from: DraftStep, to: DraftStep): void {
  for (const [name, value] of Object.entries(step.args)) {
    const swap = (part: DraftPart): DraftPart => {
      if (isFromStep(part)) return part.step === from ? { ...part, step: to } : part;
      return typeof part === 'object' && 'labelOf' in part && part.labelOf === from
        ? { ...part, labelOf: to }
        : part;
    };
    if (Array.isArray(value)) step.args = { ...step.args, [name]: value.map(swap) };
    else if (isFromStep(value) && value.step === from)
      step.args = { ...step.args, [name]: { ...value, step: to } };
  }
}

function dropSource(step: DraftStep, gone: DraftStep): void {
  const { input } = step.args;
  if (!Array.isArray(input)) return;
  const kept = input.filter((part) => {
    if (isFromStep(part)) return part.step !== gone;
    return !(typeof part === 'object' && 'labelOf' in part && part.labelOf === gone);
  });
  step.args = { ...step.args, input: kept };
}
