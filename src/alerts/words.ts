import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { AlertRow } from '../store/tables.ts';

/** Words about alerts besides their message. */

const maxNamed = 5;

/** "HighErrorRate, PodDown (12) and 3 more": each title once. */
export function titlesIn(rows: readonly Pick<AlertRow, 'title'>[]): string {
  const counts = new Map<string, number>();
  for (const { title } of rows) counts.set(title, (counts.get(title) ?? 0) + 1);
  const all = [...counts].map(
    ([title, count]) => `${cut(oneLine(title), 100)}${count > 1 ? ` (${count})` : ''}`,
  );
  const more = all.length - maxNamed;
  return `${all.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function alsoFiring(rows: readonly AlertRow[]): Message {
  return note([bold('Also firing now: '), `${titlesIn(rows)}.`]);
}

export function firingAgain(firings: number, isLast: boolean): Message {
  const again: Span[] = [bold(`Firing again`), `, the ${firings === 2 ? 'second' : 'third'} time.`];
  if (!isLast) return note(again);
  return note(again, [
    'It is flapping, so I say no more about it here until it has been over for an hour. The message above stays current.',
  ]);
}

/** Of a problem whose alerts have other labels by now. */
export const movedAway = 'Its alerts have other labels now, and belong to another rule.';

/** `since`: when it last began. `isLost`, `isMoved`: nothing says that it has ended. */
export function overNow(
  since: Date,
  { isLost, isMoved }: { readonly isLost: boolean; readonly isMoved: boolean },
): Message {
  if (isMoved) return note([bold('Moved. '), movedAway]);
  if (isLost)
    return note([
      bold('Not heard of for a day'),
      ', so I count it as over. Its end may not have been delivered.',
    ]);
  return note([bold('Over.'), ' It began ', time(since.toISOString()), '.']);
}

export function notProposed(playbook: string, why: string): Message {
  return note([bold(`${playbook} is not proposed: `), cut(oneLine(why), 500)]);
}

export function wordsInThread(rule: string, message: Message): Message {
  const head = note([bold(`For the alert rule ${rule}:`)]);
  return { text: `${head.text} ${message.text}`, blocks: [...head.blocks, ...message.blocks] };
}

/** Once an hour at most. */
export function unmatchedLine(rows: readonly AlertRow[]): Message {
  const unread = rows.filter(({ title }) => title === '');
  const matched = rows.filter(({ title }) => title !== '');
  const doors = (of: readonly AlertRow[]): Span[] =>
    [...new Set(of.map(({ door }) => door))].flatMap((door, nth): Span[] => [
      nth === 0 ? '' : ', ',
      code(door),
    ]);
  const are = matched.length === 1 ? '1 alert fits' : `${matched.length} alerts fit`;
  return note(
    ...(matched.length === 0
      ? []
      : [
          [
            bold(`${are} no rule: `),
            `${titlesIn(matched)} (`,
            ...doors(matched),
            '). A rule under ',
            code('alerts'),
            ' in countersign.yml would show them.',
          ],
        ]),
    ...(unread.length === 0
      ? []
      : [
          [
            bold('Some deliveries could not be read'),
            ', in whole or in part: ',
            ...doors(unread),
            '. Compare their payload with docs/alerts.md.',
          ],
        ]),
  );
}

/** A delivery was accepted, and then lost to an error: somebody has to look at monitoring itself. */
export function alertsFailed(why: string): Message {
  return note([
    bold('Alerts could not be worked on'),
    ` (${cut(oneLine(why), 300)}). Look at your monitoring: something may be firing that is not shown here.`,
  ]);
}

export function outOfDate(): Message {
  return note(['That button is out of date. The message above shows how it stands now.']);
}
