import { writeCardRef } from '../blocks/card-ref.ts';
import { fallbackText } from '../blocks/escape.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Message } from '../blocks/message.ts';
import { bold, lines, rich, type Span, time } from '../blocks/rich.ts';
import { type Cause, causesOf } from '../core/cause.ts';
import { cutWords, oneLine } from '../core/clean-text.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Revision } from '../core/revision.ts';
import type { CheckDue, RunEvent } from '../core/run.ts';
import { capital, stepSentence, withoutText } from '../core/step-words.ts';
import { serviceOf } from '../core/targets.ts';
import { type CheckOutcome, withinWords } from '../core/verify.ts';
import { stepOf, type Wording } from './run-words.ts';

/** "Checking until 12:40 whether it helped." */
export function checkDueWords(wording: Wording, { stepId, until }: CheckDue): Span[] {
  const writes = wording.sealed.plan.steps.filter(({ verify }) => verify !== undefined);
  const step = stepOf(wording, stepId);
  const what =
    writes.length < 2 || step === undefined ? 'it' : `“${withoutText(stepSentence(step, wording.words))}”`;
  return ['Checking until ', time(until, '{time}'), ` whether ${what} helped.`];
}

export const checkTitles: Readonly<Record<CheckOutcome, string>> = {
  helped: 'Helped',
  did_not_help: 'Did not help',
  not_checked: 'Could not be checked whether it helped',
};

/** Whether a write helped, with the numbers; if it did not, what can be done next. */
export function checkedReply(
  wording: Wording,
  { stepId, checked }: Extract<RunEvent, { type: 'checked' }>,
  then: ReturnType<typeof button>[],
): Message {
  const step = stepOf(wording, stepId);
  const what = step === undefined ? stepId : withoutText(stepSentence(step, wording.words));
  const title = checkTitles[checked.outcome];
  const within =
    checked.outcome === 'did_not_help' ? ` within ${withinWords(step?.verify?.within ?? 0)}` : '';
  const rows: Span[][] = [
    [bold(`${title}${within}: `), what],
    [`${capital(cutWords(oneLine(checked.words), 1_200))}.`],
  ];
  const buttons = checked.outcome === 'did_not_help' ? [actions(then, 'checked')] : [];
  return { text: fallbackText(`${title}: ${what}`), blocks: [rich([lines(rows)]), ...buttons] };
}

/** After a write that did not help: the fix of another cause where its service has one, else the form behind `/plan`. */
export function nextStep(
  revision: Revision,
  stepId: string,
  {
    manifests,
    causes,
  }: {
    readonly manifests: ReadonlyMap<string, Manifest>;
    readonly causes: readonly Cause[];
  },
): ReturnType<typeof button> {
  const service = serviceOf(revision.sealed.plan, stepId, manifests);
  const fits = service === null ? [] : causesOf(causes, service).filter(({ fix }) => fix !== null);
  const action = fits.length === 0 ? actionIds.planNext : actionIds.nextFix;
  return button({ text: 'Plan the next step', action, value: writeCardRef(revision, stepId) });
}
