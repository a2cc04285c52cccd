import { duration } from '../blocks/card-frame.ts';
import { fallbackText } from '../blocks/escape.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Message } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { bold, code, line, link, person, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Life } from '../core/incident-history.ts';
import { eventSpans } from '../report/incident-words.ts';
import type { AlertRow } from '../store/tables.ts';
import { type Draft, draftSections } from './review-draft-words.ts';
import { fitted } from './story.ts';
import { checkRow, decisionSpans, type Story, type StoryRun, stepRow } from './story-words.ts';

/** All wording of a review: every line is from a record, and says when. */

/** A message that people marked for the review. */
export interface MarkedMessage {
  /** ISO 8601. */
  readonly at: string;
  /** Slack id; null for another app. */
  readonly by: string | null;
  readonly words: string;
}

/** The facts of an incident, from its first alert on. */
export interface Review {
  readonly life: Life;
  readonly alerts: readonly AlertRow[];
  /** Plans about the incident, oldest first. */
  readonly plans: readonly Story[];
  readonly marked: readonly MarkedMessage[];
  /** Sources that could not be read; a sentence each. */
  readonly missing: readonly string[];
  /** A model's prose; null without a model. */
  readonly draft?: Draft | null;
}

interface Section {
  readonly title: string;
  readonly rows: readonly (readonly Span[])[];
}

/** `at` is ISO 8601. `isWhole`: known by the second only, as PagerDuty's are. */
interface Line {
  readonly at: string;
  readonly isWhole?: true;
  readonly words: readonly Span[];
}

/** Maximum alerts with lines of their own. */
const maxAlerts = 10;
const maxWords = 200;

/** From the first alert to the last decision, oldest first. */
function timelineOf({ life, alerts, plans, marked }: Review): Line[] {
  const opened: Line = { at: life.openedAt, isWhole: true, words: [bold('Incident opened')] };
  const reported = alerts.slice(0, maxAlerts).flatMap(({ title, since, until }): Line[] => {
    const name = `“${cut(oneLine(title), maxWords)}”`;
    const began = { at: since.toISOString(), words: [bold('Alert'), ` ${name} fired`] };
    return until === null
      ? [began]
      : [began, { at: until.toISOString(), words: [bold('Alert'), ` ${name} ended`] }];
  });
  const said = marked.map(({ at, by, words }): Line => {
    const who: Span[] = by === null ? ['Another app'] : [person(by)];
    return { at, words: ['📌 ', ...who, `: “${cut(oneLine(words), maxWords)}”`] };
  });
  return [
    opened,
    ...reported,
    ...life.events.map((event): Line => ({ at: event.at, isWhole: true, words: eventSpans(event, life) })),
    ...plans.flatMap(planLines),
    ...said,
  ].sort((a, b) => orderOf(a) - orderOf(b));
}

/** A time given in whole seconds sorts to the end of its second, behind its causes. */
function orderOf({ at, isWhole }: Line): number {
  return isWhole ? Math.floor(Date.parse(at) / 1_000) * 1_000 + 999.5 : Date.parse(at);
}

/** Lines of the log that a review is about: what people decided, not how a card was shown. */
const kinds: ReadonlySet<string> = new Set([
  ...['revision.proposed', 'revision.approved', 'revision.seconded', 'revision.rejected', 'revision.expired'],
  ...[
    'revision.cancelled',
    'revision.superseded',
    'revision.tampered',
    'run.cancel_requested',
    'run.refused',
  ],
]);

function planLines(story: Story): Line[] {
  const { log, runs } = story;
  const summary = summaryOf(story);
  const decided = log
    .filter(({ kind }) => kinds.has(kind))
    .flatMap((fact): Line[] => {
      const said = decisionSpans(fact);
      return said === null ? [] : [{ at: fact.at, words: [...said.words, ...said.after, ` · ${summary}`] }];
    });
  const done = runs
    .filter(({ mode }) => mode === 'run')
    .flatMap((run) => [
      ...writesOf(run).map((result): Line => ({ at: result.finishedAt, words: stepRow(run, result) })),
      ...run.checks.flatMap((check): Line[] =>
        check.endedAt === null ? [] : [{ at: check.endedAt.toISOString(), words: checkRow(check) }],
      ),
    ]);
  return [...decided, ...done];
}

function writesOf({ wording, results }: StoryRun): StoryRun['results'] {
  const isWrite = (stepId: string) => wording.words.scope.get(stepId)?.effect === 'write';
  return results.filter(({ stepId, status }) => isWrite(stepId) && status !== 'skipped');
}

/** Things that nobody has finished, each a ticket to open. */
export function openEnds({ life, alerts, plans }: Review): Span[][] {
  const firing = alerts.filter(({ state }) => state === 'firing');
  const waiting = plans.filter(({ plan }) => plan.state.kind === 'waiting');
  const doubts = plans.flatMap(({ runs }) =>
    runs
      .filter(({ mode }) => mode === 'run')
      .flatMap((run) =>
        writesOf(run)
          .filter(({ status }) => status !== 'succeeded')
          .map((result) => stepRow(run, result)),
      ),
  );
  return [
    ...(life.state === 'resolved' ? [] : [[`The incident is still ${life.state}.`]]),
    ...firing.map(({ title }) => [`Alert “${cut(oneLine(title), maxWords)}” still fires.`]),
    ...waiting.map((story) => [`“${summaryOf(story)}” still waits for approval.`]),
    ...doubts,
  ];
}

function summaryOf({ plan }: Story): string {
  return cut(oneLine(plan.revision?.sealed.plan.summary ?? 'a damaged plan'), 120);
}

/** "Acknowledged after 3 min by Ana Ruiz, resolved after 41 min." */
function times({ openedAt, events, state }: Life): Span[][] {
  const after = (at: string) => duration(Math.max(0, Date.parse(at) - Date.parse(openedAt)));
  const taken = events.find(({ kind }) => kind === 'acknowledged');
  const over =
    state === 'resolved'
      ? events.findLast(({ kind }) => kind === 'resolved' || kind === 'merged')
      : undefined;
  return [
    ['Opened ', time(openedAt)],
    [taken === undefined ? 'Nobody acknowledged it' : `Acknowledged after ${after(taken.at)}`],
    [over === undefined ? `Still ${state}` : `Resolved after ${after(over.at)}`],
  ];
}

function proof({ plans }: Review): Span[] {
  const problems = plans.flatMap((story) => story.problems);
  if (problems.length > 0) return [bold('NOT PROVEN: '), problems[0] ?? ''];
  const lines = plans.reduce((sum, { log }) => sum + log.length, 0);
  return lines === 0
    ? ['No plan was about it.']
    : [bold('Verified: '), `${lines} lines of the audit log are signed and unbroken.`];
}

/** `timeline` is the first part of a review. */
export function sectionsOf(review: Review, which: 'timeline' | 'review'): Section[] {
  const lines = timelineOf(review);
  const rows = lines.map(({ at, words }): Span[] => [time(at, '{time_secs}'), ' ', ...words]);
  const hidden = review.alerts.length - maxAlerts;
  const more = hidden > 0 ? [[`${hidden} more alerts of the same problem are not listed`]] : [];
  const timeline = { title: 'Timeline', rows: [...rows, ...more] };
  const missing = { title: 'Not in it', rows: review.missing.map((words): Span[] => [words]) };
  const ends = openEnds(review);
  const all =
    which === 'timeline'
      ? [timeline, missing]
      : [
          { title: 'Times', rows: times(review.life) },
          timeline,
          { title: 'Open ends', rows: ends.length === 0 ? [['None.']] : ends },
          missing,
          { title: 'Proof', rows: [proof(review)] },
          ...(review.draft ? draftSections(review.draft) : []),
        ];
  return all.filter((section) => section.rows.length > 0);
}

export const publishPlaces = ['channel', 'canvas', 'ticket', 'page', 'ends'] as const;
export type PublishPlace = (typeof publishPlaces)[number];

/**
 * Where a review can be published: the channel in which it was asked for, as a message or a canvas, the default project,
 * the first space, and the project for tickets about its open ends.
 */
export type Publishing = Readonly<Record<PublishPlace, string | null>>;

const publishWords: Readonly<Record<PublishPlace, (name: string) => string>> = {
  channel: (name) => `Post it to #${name}`,
  canvas: (name) => `Make it a canvas in #${name}`,
  ticket: (name) => `File it in ${name}`,
  page: (name) => `Make it a page in ${name}`,
  ends: (name) => `Open tickets for its open ends in ${name}`,
};

export function reviewMessage(review: Review, which: 'timeline' | 'review', to: Publishing): Message {
  const { number, title, url } = review.life;
  const name = `#${number} ${cut(oneLine(title), 120)}`;
  const head = which === 'review' ? 'Review of ' : 'Incident ';
  const lead = rich([line(bold(head), ...(url === '' ? [name] : [link(url, name)]))]);
  const sections = sectionsOf(review, which);
  const blocks = sections.map(({ title: heading, rows }) =>
    fitted(heading, rows, heading === 'Timeline' ? 6_500 : 1_200, 'PagerDuty and /plan history have them'),
  );
  const places = openEnds(review).length > 0 ? to : { ...to, ends: null };
  const buttons = which === 'review' ? publishButtons(number, places) : [];
  return {
    text: fallbackText(`${head}${name}`),
    blocks: [lead, ...blocks, ...(buttons.length === 0 ? [] : [actions(buttons, 'publish_review')])],
  };
}

function publishButtons(number: number, to: Publishing): ReturnType<typeof button>[] {
  return publishPlaces.flatMap((place) => {
    const name = to[place];
    if (name === null) return [];
    const action = `${actionIds.publishReview}${place}`;
    return [button({ text: cut(publishWords[place](name), 75), action, value: String(number) })];
  });
}

export function noSuchIncident(asked: string): Message {
  return titled(`PagerDuty has no incident ${cut(oneLine(asked), 40)}.`, [
    'Its number stands in PagerDuty and on the card, for example ',
    code('/plan review 1182'),
    '.',
  ]);
}

export function noOpenEnds(): Message {
  return titled('There is no ticket to create.', ['Nothing that everybody may read is still open in it.']);
}

export function reviewFailed(why: string): Message {
  return titled('PagerDuty could not be asked.', [`${oneLine(why)} Try again in a minute.`]);
}
