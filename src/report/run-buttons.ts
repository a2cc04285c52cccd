import { writeCardRef } from '../blocks/card-ref.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button, confirmation } from '../blocks/layout.ts';
import type { Block } from '../blocks/message.ts';
import { line, rich } from '../blocks/rich.ts';
import { effectOf } from '../core/code-step.ts';
import type { Manifest } from '../core/manifest.ts';
import type { IncidentNow, Offer } from '../core/offer.ts';
import type { Revision } from '../core/revision.ts';
import type { StepResult } from '../core/run.ts';
import { capital } from '../core/step-words.ts';
import { type CallOf, offersOf, otherWays } from '../core/suggested-plan.ts';
import { undoOf } from '../core/undo.ts';
import { outcomeWords, type Wording } from './run-words.ts';

/** A possible next step, and the step it follows. */
export interface Next {
  readonly stepId: string;
  readonly offer: Offer;
}

/**
 * Possible next steps after the results of a run; from the last result that offers any. `call`: where what was to call
 * people did not go out, other ways come first.
 */
export function nextOf(
  results: readonly StepResult[],
  now: IncidentNow | null,
  manifests: ReadonlyMap<string, Manifest>,
  call: Omit<CallOf, 'results' | 'manifests'> | null = null,
): Next[] {
  const waysOf = (result: StepResult) =>
    call === null ? [] : otherWays(result, { ...call, results, manifests });
  const last = results.toReversed();
  const missed = last.find((result) => waysOf(result).length > 0);
  if (missed !== undefined) return waysOf(missed).map((offer) => ({ stepId: missed.stepId, offer }));
  for (const result of last) {
    const offers = offersOf(result, now, manifests);
    if (offers.length > 0) return offers.map((offer) => ({ stepId: result.stepId, offer }));
  }
  return [];
}

export const nextBlock = 'next';

/** One button for each; its action comes from the stored step, not from the button. */
export function nextButtons(revision: Revision, next: readonly Next[]): Block {
  const all = next.map(({ stepId, offer }, index) =>
    button({
      text: offer.words,
      action: `${actionIds.next}${offer.tool}`,
      value: writeCardRef(revision, stepId),
      ...(offer.confirm ? { confirm: confirmation({ ...offer.confirm, style: 'danger' }) } : {}),
      ...(index === 0 ? { style: 'primary' } : {}),
    }),
  );
  return actions(all, nextBlock);
}

/** Stops the run of a revision, after a confirmation. */
export function stopButton(
  revision: Parameters<typeof writeCardRef>[0],
  blockId: string,
  waiting: { readonly text: string } | null = null,
): Block {
  const running = {
    title: 'Stop this run?',
    text: 'What is already on its way may still arrive. What was already done stays done.',
    yes: 'Stop it',
    no: 'Keep running',
  };
  const still = { title: 'Cancel this plan?', text: 'Nothing of it ran.', yes: 'Cancel it', no: 'Keep it' };
  const confirm = confirmation({ ...(waiting === null ? running : still), style: 'danger' });
  const text = waiting?.text ?? 'Stop';
  const value = writeCardRef(revision);
  return actions([button({ text, action: actionIds.cancel, value, style: 'danger', confirm })], blockId);
}

/** Whether a plan writes anything. */
export const writes = (
  { sealed: { plan } }: Pick<Revision, 'sealed'>,
  manifests: ReadonlyMap<string, Manifest>,
): boolean => plan.steps.some(({ tool }) => effectOf(tool, manifests) === 'write');

interface Pressed extends Pick<CallOf, 'services' | 'manifests'> {
  /** A button asked for the step. */
  readonly isPressed: boolean;
}

/** The buttons below a step's own reply: undo it, or take the next step. */
export function buttonsOfStep(
  result: StepResult,
  revision: Revision,
  { manifests, services, isPressed }: Pressed,
): Block[] {
  // Where a button was, the thread has those of its incident already.
  const hasThem = isPressed && result.status === 'succeeded' && manifests.get(result.tool)?.livesOn !== true;
  const next = hasThem ? [] : nextOf([result], null, manifests, { sealed: revision.sealed, services });
  return [...undoBlocks(result, revision, next, manifests), ...nextBlocks(revision, next)];
}

/** The buttons below the reply at the end of a run, with what each of several takes back. */
export function buttonsAfter(
  results: readonly StepResult[],
  revision: Revision,
  next: readonly Next[],
  of: Wording,
  manifests: ReadonlyMap<string, Manifest>,
): Block[] {
  const undone = results.filter((result) => undoOf(result, manifests) !== null);
  const named = (result: StepResult): Block[] =>
    undone.length < 2 ? [] : [rich([line(capital(outcomeWords(of, result)))])];
  const back = undone.flatMap((result, nth) => {
    const blocks = undoBlocks(result, revision, next, manifests, nth);
    return blocks.length === 0 ? [] : [...named(result), ...blocks];
  });
  return [...back, ...nextBlocks(revision, next)];
}

const nextBlocks = (revision: Revision, next: readonly Next[]): Block[] =>
  next.length === 0 ? [] : [nextButtons(revision, next)];

function undoBlocks(
  result: StepResult,
  revision: Revision,
  next: readonly Next[],
  manifests: ReadonlyMap<string, Manifest>,
  nth = 0,
): Block[] {
  const isOffered = next.some(({ offer }) => offer.tool === undoOf(result, manifests)?.tool);
  const back = isOffered ? [] : backButtons(revision, result, manifests);
  return back.length === 0 ? [] : [actions(back, nth === 0 ? 'undo' : `undo:${nth}`)];
}

/** The button that undoes a step; none where there is nothing to undo. */
export function backButtons(
  revision: Revision,
  result: StepResult,
  manifests: ReadonlyMap<string, Manifest>,
): ReturnType<typeof button>[] {
  const undo = undoOf(result, manifests);
  const value = writeCardRef(revision, result.stepId);
  return undo === null ? [] : [button({ text: undo.words, action: actionIds.undo, value })];
}
