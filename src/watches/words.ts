import { endWatchButton } from '../blocks/end-watch.ts';
import { cutNotice, escapeMrkdwn, fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note, titled } from '../blocks/note.ts';
import { bold, code, line, lines, person, quote, rich, type Span, time } from '../blocks/rich.ts';
import { cadenceWords, worseWords } from '../core/cadence.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { scheduleName, type Watch, type WatchLimits } from '../core/watch.ts';

/** All wording about watches, except lists. */

/** "The watch “…”" or "The schedule “…”": how people refer to it. */
function watchTitle({ owner, goal, plan }: Pick<Watch, 'owner' | 'goal' | 'plan'>): string {
  const name = scheduleName(owner);
  return name === null ? `The watch “${cut(oneLine(plan?.summary ?? goal), 120)}”` : `The schedule “${name}”`;
}

/** The message that represents a watch, with its End button. */
export function watchMade(
  watch: Watch,
  about: {
    readonly isConditional: boolean;
    /** The state it looks for, in words; empty if there are no words for it. */
    readonly state: string;
    readonly summary: string;
    readonly isDefaultEnd: boolean;
    readonly writes: boolean;
    /** Its texts, assumptions and omissions. */
    readonly more: readonly string[];
  },
): Message {
  const { until, worse, every } = watch;
  const summary = cut(oneLine(about.summary), maxSummary);
  const says: Span[] = about.isConditional
    ? [
        `I report when ${stateWords(about.state, summary)}, when it gets worse by ${worseWords(worse)}, and when it is over.`,
      ]
    : ['It has no condition, so I report every time.'];
  const end: Span[] =
    until === null
      ? []
      : [
          'It ends ',
          time(until.toISOString()),
          about.isDefaultEnd ? ', because no end was given. To choose one, say “until Friday”.' : '.',
        ];
  const rows: Span[][] = [
    [bold('Watching'), ` ${cadenceWords(every)}: `, summary, '.'],
    says,
    ...about.more.map((one): Span[] => [cut(oneLine(one), 300)]),
    about.writes ? [asksFirst] : [],
    end,
  ];
  const asked = rich([line(person(watch.owner), ' asked:'), quote(cut(oneLine(watch.goal), 300))]);
  return {
    text: fallbackText(`Watching ${cadenceWords(every)}: ${about.summary}`),
    blocks: [rich([lines(rows.filter((row) => row.length > 0))]), asked, endWatchButton(watch.id)],
  };
}

const maxSummary = 200;

/** The state a watch looks for, unless its summary has just said it. */
function stateWords(state: string, summary: string): string {
  if (state === '') return 'there is something to do';
  return summary.includes(state) ? 'it becomes true' : cut(state, 300);
}

const asksFirst =
  'Each time it asks for an approval first, until somebody who may taps “Approve from now on…” on its card.';

/** For its thread, when somebody changed it in words. */
export function watchChanged({ every, plan, goal }: Watch, by: string, state: string): Message {
  const summary = cut(oneLine(plan?.summary ?? goal), maxSummary);
  const says = state === '' || summary.includes(state) ? '' : ` I report when ${stateWords(state, summary)}.`;
  return note([bold('Changed by '), person(by), `: ${cadenceWords(every)}: ${summary}.${says}`]);
}

/** The same message after it has ended. Mentions the owner if somebody else ended it, which notifies them. */
export function watchEnded(watch: Watch, by: string, reason: string): Message {
  const rows: Span[][] = [
    [
      ...(by === watch.owner ? [] : ownerSpans(watch)),
      bold(`${watchTitle(watch)} has ended`),
      ...byWords(by),
      ': ',
      oneLine(reason),
    ],
    [
      cadenceWords(watch.every),
      ...(watch.found === null ? [] : ['. Last check: ', cut(oneLine(watch.found), 200)]),
    ],
  ];
  return note(...rows);
}

function byWords(by: string): Span[] {
  return by === 'system' ? [] : [' by ', person(by)];
}

/** `said`: the value last reported. */
export function itIsWorse(found: string, said: number | null): Message {
  return note([bold('Worse: '), `${found}.`, said === null ? '' : ` Last time I said ${said}.`]);
}

/** `since`: ISO 8601, when it began. */
export function itIsOver(found: string, since: string): Message {
  return note([bold('Over: '), found === '' ? '' : `${found}. `, 'It began ', time(since), '.']);
}

export function cannotCheck(watch: Watch, found: string, failures: number): Message {
  return note([
    ...ownerSpans(watch),
    bold(`${watchTitle(watch)} cannot check`),
    `: ${found} ${failures} checks in a row failed. I keep trying and will say when it works again.`,
  ]);
}

export function worksAgain(watch: Watch, found: string): Message {
  return note([bold(`${watchTitle(watch)} works again.`), found === '' ? '' : ` ${found}.`]);
}

function ownerSpans({ owner }: Watch): Span[] {
  return scheduleName(owner) === null ? [person(owner), ' '] : [];
}

export function checksMissed(watch: Watch, missed: readonly Date[], looksNow: boolean): Message {
  const [first] = missed;
  const last = missed.at(-1);
  const span: Span[] =
    first === undefined || last === undefined || missed.length === 1
      ? [' at ', time((first ?? new Date(0)).toISOString())]
      : [` ${missed.length} times from `, time(first.toISOString()), ' to ', time(last.toISOString())];
  const then = looksNow
    ? 'It is checking again.'
    : 'The missed run was not replayed; use /plan if it still matters.';
  return note([
    ...ownerSpans(watch),
    bold(`${watchTitle(watch)} was missed`),
    ...span,
    '. Countersign was not running then. ',
    then,
  ]);
}

/** A private message to a requester, adapted for a channel: it must say who asked, and for what. */
export function watchSaid(watch: Watch, message: Message): Message {
  const title = scheduleName(watch.owner) === null ? 'A watch asked:' : `${watchTitle(watch)} asked:`;
  const asked = rich([line(...ownerSpans(watch), bold(title)), quote(cut(oneLine(watch.goal), 300))]);
  return {
    text: cutNotice(`${escapeMrkdwn(watchTitle(watch))}: ${message.text}`),
    blocks: [asked, ...message.blocks],
  };
}

export function watchFailed(watch: Watch, message: string): Message {
  return note([bold(`${watchTitle(watch)} failed: `), cut(oneLine(message), 600), ' Nothing was run.']);
}

// Visible only to the requester.

export function tooOften({ minutes }: WatchLimits): Message {
  return titled('That is too often.', [
    `I check no more often than ${cadenceWords({ minutes })}. Nothing was set up. For example: `,
    code(`every ${minutes} minutes`),
    '.',
  ]);
}

export function endIsPast(until: Date): Message {
  return titled('That end time is in the past.', [
    time(until.toISOString()),
    ' is over. Nothing was set up.',
  ]);
}

export function tooFar({ maxDays }: WatchLimits): Message {
  return titled('That end time is too far ahead.', [
    `A watch ends after at most ${maxDays} days. Nothing was set up.`,
  ]);
}

export function tooManyWatches(whose: 'person' | 'all', { perPerson, inAll }: WatchLimits): Message {
  const many = whose === 'person' ? `You have ${perPerson} watches` : `There are ${inAll} watches here`;
  return titled('No room for another watch.', [
    `${many}, which is the limit. End one with `,
    code('/plan watches'),
    '. Nothing was set up.',
  ]);
}

export function hasEnded(): Message {
  return titled('That watch has already ended.');
}

export function ended(): Message {
  return titled('Ended.', ['It no longer checks.']);
}

export function cannotChange(): Message {
  return titled('I can’t turn a card into a watch.', [
    'Ask again and say how often, for example “every 10 minutes”.',
  ]);
}
