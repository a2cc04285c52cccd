import type { Button } from '@slack/types';
import { writeCardRef } from '../../blocks/card-ref.ts';
import { actionIds } from '../../blocks/ids.ts';
import { actions, button, confirmation } from '../../blocks/layout.ts';
import type { Block } from '../../blocks/message.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import type { Revision } from '../../core/revision.ts';
import { capital, withoutText } from '../../core/step-words.ts';
import type { FactsView } from './read-results.ts';
import type { StepView } from './step-view.ts';

interface Shown {
  readonly whole: boolean;
  readonly isFolded: boolean;
  readonly isClosed: boolean;
  readonly facts: FactsView | null;
}

/** The buttons of an open card. */
export function cardButtons(
  revision: Revision,
  steps: readonly StepView[],
  { whole, isFolded, isClosed, facts }: Shown,
): Block {
  const value = writeCardRef(revision);
  const writing = isWritingPlan(steps);
  const again = button({ text: 'Try again', action: actionIds.again, value });
  const isUnclear = facts?.prospect === 'unclear';
  const approve = isClosed ? [] : [approveButton(revision, steps, whole, facts)];
  const details = button({ text: 'Whole plan', action: actionIds.details, value });
  return actions(
    [
      ...(isUnclear ? [again] : approve),
      ...(revision.sealed.source !== undefined && whole && writing && !isUnclear && !isClosed
        ? [button({ text: 'Approve from now on…', action: actionIds.standing, value })]
        : []),
      button({ text: 'Edit', action: actionIds.edit, value }),
      ...(writing && !isUnclear ? [button({ text: 'Dry run', action: actionIds.dryRun, value })] : []),
      ...(!isFolded && !isUnclear && (whole || isClosed) ? [details] : []),
      button({ text: 'Reject', action: actionIds.reject, value, style: 'danger' }),
    ],
    'buttons',
  );
}

function approveButton(
  revision: Revision,
  steps: readonly StepView[],
  whole: boolean,
  facts: FactsView | null,
): Button {
  const value = writeCardRef(revision);
  if (!whole) {
    return button({ text: 'Read all to approve', action: actionIds.details, value, style: 'primary' });
  }
  const writing = isWritingPlan(steps);
  const confirm = confirmation({
    title: writing ? 'Approve and run this?' : 'Run these reads?',
    text: confirmText(steps, facts),
    yes: writing ? 'Approve and run' : 'Run',
    no: 'Cancel',
  });
  return button({ text: 'Approve', action: actionIds.approve, value, style: 'primary', confirm });
}

/** Maximum characters in Slack's dialog. */
const maxConfirm = 300;
const maxText = 120;

/** Names every write with its condition and text, and what cannot be undone. */
export function confirmText(steps: readonly StepView[], facts: FactsView | null): string {
  const writes = writesOf(steps);
  if (writes.length === 0) return 'It only reads. Nothing is changed and nobody is told outside this thread.';
  const undo = [...new Set(writes.map((write) => write.undo?.split('. ')[0]).filter(Boolean))];
  const tail = undo.map((text) => `${text?.replace(/\.$/, '')}.`).join(' ');
  const full = writes
    .map((write) => `${write.what}${becauseOf(write, facts)}${textOf(write, facts)}.`)
    .join(' ');
  const bare = writes.map((write) => `${write.what}${becauseOf(write, facts)}.`).join(' ');
  const fitting = [`${full} ${tail}`, full, `${bare} ${tail}`, bare].find(
    (text) => text.length <= maxConfirm,
  );
  if (fitting !== undefined) return fitting;
  const each = Math.max(20, Math.floor(250 / Math.min(writes.length, 5)) - 2);
  const first = writes.slice(0, 5).map((write) => `${cut(write.what, each)}.`);
  return cut(
    `${writes.length} writes: ${first.join(' ')}${writes.length > 5 ? ' And more.' : ''}`,
    maxConfirm,
  );
}

function becauseOf({ step }: WriteWords, facts: FactsView | null): string {
  if (step.condition === null) return '';
  const verdict = step.step.when === undefined ? null : (facts?.verdictOf(step.step.when) ?? null);
  const now = verdict === null ? '' : ` (now ${verdict.values})`;
  return `, only if ${step.condition}${now}`;
}

function textOf({ step }: WriteWords, facts: FactsView | null): string {
  const [first] = step.texts;
  if (first === undefined) return '';
  const filled = facts?.textOf(step.step.id, first.arg) ?? first.text;
  return `: “${cut(oneLine(filled).replace(/\.$/, ''), maxText)}”`;
}

/** A write in a few words, for dialogs and explanations. */
interface WriteWords {
  readonly tool: string;
  /** "Pages Ana Ruiz, on call for ops until 18:00 UTC", or the step's sentence without its text. */
  readonly what: string;
  readonly step: StepView;
  readonly undo: string | null;
}

export function isWritingPlan(steps: readonly StepView[]): boolean {
  return steps.some((step) => step.effect === 'write');
}

function writesOf(steps: readonly StepView[]): WriteWords[] {
  return steps
    .filter((step) => step.effect === 'write')
    .map((step) => {
      const labels = step.targets.map((target) => target.label).join('; ');
      // Without an identity, a label only names the target, not the action.
      const isSeen = step.targets.every(({ identity }) => identity !== '');
      const words =
        isSeen && labels !== '' ? labels : [withoutText(step.sentence), labels].filter(Boolean).join(' → ');
      return {
        tool: step.step.tool,
        what: capital(words),
        step,
        undo: step.undo,
      };
    });
}
