import type { Button } from '@slack/types';
import { writeCardRef } from '../../blocks/card-ref.ts';
import { actionIds } from '../../blocks/ids.ts';
import { actions, button, confirmation } from '../../blocks/layout.ts';
import type { Block } from '../../blocks/message.ts';
import type { Revision } from '../../core/revision.ts';
import { confirmText } from './confirm.ts';
import type { FactsView } from './read-results.ts';
import type { StepView } from './step-view.ts';
import { isWritingPlan } from './writes.ts';

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
  const yes = isClosed ? [] : [yesButton(revision, steps, whole, facts)];
  const details = button({ text: 'Whole plan', action: actionIds.details, value });
  return actions(
    [
      ...(isUnclear ? [again] : yes),
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

function yesButton(
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
