import { writeCardRef } from '../blocks/card-ref.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button, confirmation } from '../blocks/layout.ts';
import type { Block } from '../blocks/message.ts';
import type { Manifest } from '../core/manifest.ts';
import type { IncidentNow, Offer } from '../core/offer.ts';
import type { Revision } from '../core/revision.ts';
import type { StepResult } from '../core/run.ts';
import { type CallOf, offersOf, otherWays } from '../core/suggested-plan.ts';

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
