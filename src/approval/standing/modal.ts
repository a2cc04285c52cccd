import { writeCardRef } from '../../blocks/card-ref.ts';
import type { FormValues } from '../../blocks/form-values.ts';
import { viewIds } from '../../blocks/ids.ts';
import { numberInput, option, selectInput } from '../../blocks/inputs.ts';
import { plain } from '../../blocks/layout.ts';
import type { Modal } from '../../blocks/message.ts';
import { bold, bullets, line, rich } from '../../blocks/rich.ts';
import type { Revision } from '../../core/revision.ts';
import { scopeWords } from '../../core/standing-approval.ts';
import { inGroups, stepItem } from '../card/step-item.ts';
import { type Manifests, type StepView, stepViews } from '../card/step-view.ts';

/** Its duration, and the maximum number of writes in 24 hours. */
export interface Terms {
  readonly days: number;
  readonly perDay: number;
}

const daysBlock = 'days';
const perDayBlock = 'per_day';
const choices = [1, 3, 7, 14, 30] as const;
const maxPerDay = 100;

/** Asks for the end date and the daily limit; below them the whole plan, because all of it runs without a click from then on. */
export function standingModal(revision: Revision, manifests: Manifests, now: Date): Modal {
  const { source } = revision.sealed;
  const views = stepViews(revision, manifests);
  const options = choices.map((days) =>
    option(String(days), `${days === 1 ? '1 day' : `${days} days`}, until ${dayOf(now, days)}`),
  );
  return {
    type: 'modal',
    callback_id: viewIds.standing,
    private_metadata: writeCardRef(revision),
    title: plain('Standing approval', 24),
    submit: plain('Approve', 24),
    close: plain('Back', 24),
    blocks: [
      rich([
        line(
          bold(
            `Approves this card now, and later ones of ${scopeWords(source?.scope ?? '')} without a click:`,
          ),
        ),
        bullets([
          line('only the same steps, targets and bounds, and only when their condition is true'),
          ...(wakes(views) ? [line('pages whoever is on call at the time, not the person named below')] : []),
          line('each run is told in its thread, with a button to revoke'),
          line('it ends when the rules, the tools, the playbook or your right to approve change'),
        ]),
      ]),
      selectInput({ blockId: daysBlock, label: 'For how long', options, value: '7' }),
      numberInput({
        blockId: perDayBlock,
        label: 'Writes in 24 hours, at most',
        ...{ value: '3', decimal: false, min: 1, max: maxPerDay },
      }),
      rich(inGroups(views, stepItem), 'steps'),
    ],
  };
}

/** The people it wakes were looked up for this card, and are looked up again for each. */
function wakes(views: readonly StepView[]): boolean {
  return views.some(({ targets }) => targets.some(({ people = [] }) => people.length > 0));
}

function dayOf(now: Date, days: number): string {
  const at = new Date(now.getTime() + days * 86_400_000);
  return at.toLocaleDateString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}

/** The choice, or the error for its field. */
export function readStanding(
  values: FormValues,
): { ok: true; terms: Terms } | { ok: false; errors: Record<string, string> } {
  const days = Number(values.get(daysBlock));
  const perDay = Number(values.get(perDayBlock));
  if (!choices.some((one) => one === days))
    return { ok: false, errors: { [daysBlock]: 'Choose one of these.' } };
  if (Number.isInteger(perDay) && perDay >= 1 && perDay <= maxPerDay)
    return { ok: true, terms: { days, perDay } };
  return { ok: false, errors: { [perDayBlock]: `Between 1 and ${maxPerDay}.` } };
}
