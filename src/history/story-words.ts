import type { AuditFact } from '../audit/line.ts';
import { isSaid, linked } from '../blocks/links.ts';
import { bold, code, link, person, type Span, time } from '../blocks/rich.ts';
import { shortDigest } from '../core/canonical.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Life } from '../core/incident-history.ts';
import type { Json } from '../core/json.ts';
import { own } from '../core/own-property.ts';
import type { RunMode, RunOutcome, StepResult } from '../core/run.ts';
import { capital } from '../core/step-words.ts';
import { checkTitles } from '../report/checked-words.ts';
import { eventSpans } from '../report/incident-words.ts';
import { outcomeTitles } from '../report/progress.ts';
import { outcomeWords, resultLinks, type Wording } from '../report/run-words.ts';
import type { CheckRow } from '../store/tables.ts';
import { type Listed, planStateWords, requesterWords } from './list.ts';

/** A run with the results of its steps. */
export interface StoryRun {
  readonly number: number;
  readonly mode: RunMode;
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  readonly wording: Wording;
  readonly results: readonly StepResult[];
  /** Whether its writes helped, as far as it was looked up. */
  readonly checks: readonly Pick<CheckRow, 'outcome' | 'words' | 'until' | 'endedAt'>[];
}

/** Everything known about a plan: its request, cards, clicks and runs, and how far it is verified. */
export interface Story {
  readonly plan: Listed;
  /** As typed. */
  readonly goal: string;
  /** The planner's questions, and people's answers. `by` is a Slack id. */
  readonly answers: readonly { readonly question: string; readonly answer: string; readonly by: string }[];
  readonly runs: readonly StoryRun[];
  /** Incidents opened by its runs. */
  readonly lives: readonly Life[];
  readonly log: readonly AuditFact[];
  /** Inconsistencies; empty when everything is verified. */
  readonly problems: readonly string[];
}

interface StorySection {
  readonly title: string;
  readonly rows: readonly (readonly Span[])[];
}

/** The story in sections of lines, oldest first; Slack and the command line show the same. */
export function storySections(story: Story): StorySection[] {
  return [
    { title: 'Asked', rows: askedRows(story) },
    { title: 'Shown and decided', rows: story.log.flatMap(decisionRow) },
    ...story.runs.map((run) => ({
      title: runTitle(run),
      rows: [...run.results.map((result) => stepRow(run, result)), ...run.checks.map(checkRow)],
    })),
    { title: 'After the page', rows: story.lives.flatMap(lifeRows) },
    { title: 'What the vendors answered', rows: vendorRows(story.log) },
    { title: 'Proof', rows: proofRows(story) },
  ].filter(({ rows }) => rows.length > 0);
}

function askedRows({ plan, goal, answers }: Story): Span[][] {
  const { requestId, requester, askedAt, state } = plan;
  const said = answers.map(({ question, answer, by }): Span[] => [
    `“${cut(oneLine(question), 200)}” `,
    person(by),
    `: “${cut(oneLine(answer), 300)}”`,
  ]);
  return [
    [...requesterWords(requester).map(begun), ', ', time(askedAt), `: “${cut(oneLine(goal), 300)}”`],
    ...said,
    [...planStateWords(state), '. Id ', code(requestId)],
  ];
}

export function checkRow({ outcome, words, until }: StoryRun['checks'][number]): Span[] {
  if (outcome === null) return ['Checking until ', time(until.toISOString()), ' whether it helped'];
  return [bold(checkTitles[outcome]), `: ${cut(oneLine(words ?? ''), 300)}`];
}

/** The history of an incident opened by a run. */
function lifeRows(life: Life): Span[][] {
  return life.events.map((event): Span[] => [...eventSpans(event, life), ', ', time(event.at)]);
}

function begun(span: Span): Span {
  return typeof span === 'string' ? span.replace(/^(?:asked )?b/, 'B') : span;
}

const decisionWords: Readonly<Record<string, string>> = {
  'revision.approved': 'Approved',
  'revision.seconded': 'One of several approvals',
  'revision.rejected': 'Rejected',
  'revision.expired': 'Expired: nobody decided in time',
  'revision.superseded': 'Replaced',
  'revision.cancelled': 'Cancelled',
  'revision.tampered': 'TAMPERED WITH: the stored plan was changed',
  'run.cancel_requested': 'Stop asked for',
  'revision.rated': 'Rated',
  'run.started': 'Run started',
  'run.refused': 'Run refused',
};

/** The card shown and every click on it, according to the audit log. */
function decisionRow(of: AuditFact): Span[][] {
  const said = decisionSpans(of);
  return said === null
    ? []
    : [[...said.words, ', ', time(of.at, '{date_short_pretty} {time_secs}'), ...said.after]];
}

/** One line of the audit log about a revision, with what stands before and after its time; null for the others. */
export function decisionSpans(of: AuditFact): { words: Span[]; after: Span[] } | null {
  const data = factsIn(of.data);
  const revision = `Revision ${/\/(\d+)$/.exec(of.subject)?.[1] ?? ''}`;
  if (of.kind === 'revision.proposed') {
    const digest = code(shortDigest(String(data.digest ?? '')));
    return { words: [bold(revision), ' ', digest, ' made by ', ...actorWords(of.actor)], after: [] };
  }
  if (of.kind === 'revision.shown')
    return {
      words: [`${revision} shown as a card`],
      after: [' · ', code(String(data.card ?? '').slice(0, 12))],
    };
  if (of.kind === 'click.refused') {
    const click = own(clickWords, String(data.action)) ?? String(data.action).replaceAll('_', ' ');
    const why = own(refusalWords, String(data.reason)) ?? String(data.reason).replaceAll('_', ' ');
    return { words: [...actorWords(of.actor), `’s click to ${click} was rejected: `, why], after: [] };
  }
  const words = decisionWords[of.kind];
  // The reads before approval and dry runs have a section of their own.
  const isOther = of.kind === 'run.started' && data.mode !== 'run';
  if (words === undefined || isOther) return null;
  const rating = typeof data.rating === 'string' ? ` as ${data.rating}` : '';
  const alone: Span[] = data.glass === true ? [bold(' ALONE, breaking glass')] : [];
  const given = typeof data.standing === 'string' ? ' by the standing approval of ' : ' by ';
  const why =
    typeof data.reason === 'string' && data.reason !== '' ? [`: “${cut(oneLine(data.reason), 200)}”`] : [];
  const by: Span[] = of.actor === 'system' ? [] : [given, ...actorWords(of.actor)];
  return { words: [bold(`${words}${rating}`), ...alone, ...by], after: why };
}

const clickWords: Readonly<Record<string, string>> = {
  ask: 'plan this',
  end_watch: 'end a watch',
  remove: 'remove a playbook',
  stop_all: 'stop all writes',
  resume: 'allow writes again',
  break_glass: 'approve it alone',
};

/** Why a click was rejected, by the codes of the audit log. */
const refusalWords: Readonly<Record<string, string>> = {
  cannot_tell: 'couldn’t verify them',
  decided: 'already decided',
  expired: 'it had expired',
  superseded: 'a newer revision had replaced it',
  not_an_approver: 'not an approver',
  four_eyes: 'it needs someone else',
  rules_changed: 'the rules had changed',
};

function actorWords(actor: string): Span[] {
  return actor === 'system' ? ['the bot'] : [person(actor)];
}

function runTitle({ mode, outcome, number }: StoryRun): string {
  if (mode === 'read') return `Read for revision ${number}, before anybody was asked`;
  const name = mode === 'dry_run' ? `Dry run of revision ${number}` : `Run of revision ${number}`;
  return `${name}: ${outcome === null ? 'running' : outcomeTitles[outcome].toLowerCase()}`;
}

const signs = { succeeded: '✓', skipped: '–', failed: '✗ FAILED:', unknown: '? UNKNOWN:' } as const;

export function stepRow({ wording }: StoryRun, result: StepResult): Span[] {
  if (result.reason?.code === 'dry_run')
    return [cut(oneLine(result.reason.message.replace(/^Dry run: w/, 'W')), 250)];
  const words = cut(oneLine(capital(outcomeWords(wording, result))), 250);
  const why =
    result.status === 'succeeded' || result.reason === null ? '' : ` (${oneLine(result.reason.message)})`;
  const links = resultLinks(wording, result);
  const unsaid = links.filter((one) => !isSaid(words, one));
  return [
    `${signs[result.status]} `,
    ...linked(words, links),
    cut(why, 250),
    ...unsaid.flatMap(({ url, words: name }): Span[] => [' ', link(url, name)]),
  ];
}

function proofRows({ log, problems }: Story): Span[][] {
  const [first, last] = [log[0]?.seq ?? 0, log.at(-1)?.seq ?? 0];
  if (problems.length > 0) return problems.map((problem) => [bold('NOT PROVEN: '), problem]);
  const lines = `${log.length} lines of the audit log, ${first} to ${last}`;
  return [
    [
      bold('Verified: '),
      `${lines}. Each is signed, none between them is missing, and the stored plan is the one that was shown.`,
    ],
  ];
}

/** Each intended write, with its number of attempts and the vendor's outcome. */
function vendorRows(log: readonly AuditFact[]): Span[][] {
  const sent = Map.groupBy(
    log.filter(({ kind }) => kind === 'write.intended'),
    intentOf,
  );
  return log.flatMap((of): Span[][] => {
    if (of.kind !== 'write.intended') return endedRow(of);
    const same = sent.get(intentOf(of)) ?? [];
    return same[0] === of ? [intendedRow(of, same.length)] : [];
  });
}

function intentOf({ data }: AuditFact): string {
  const { tool, step, key, adds } = factsIn(data);
  return JSON.stringify([tool, step, key, adds]);
}

function intendedRow({ data, at }: AuditFact, count: number): Span[] {
  const { tool, step, key, adds } = factsIn(data);
  const often = count === 1 ? [', '] : [` ${count} times, first `];
  return [
    `${String(tool)} (${String(step)}) was about to be ${adds === true ? 'completed' : 'sent'}`,
    ...often,
    time(at, '{time_secs}'),
    ', key ',
    code(String(key)),
  ];
}

function endedRow({ kind, data, at }: AuditFact): Span[][] {
  const ended = /^write\.(made|completed|failed|unknown)$/.exec(kind)?.[1];
  if (ended === undefined) return [];
  const words =
    { made: 'made', completed: 'completed', failed: 'FAILED', unknown: 'UNKNOWN' }[ended] ?? ended;
  const answer = code(cut(JSON.stringify(factsIn(data).evidence ?? null), 600));
  return [[bold(words), ', ', time(at, '{time_secs}'), ', answer ', answer]];
}

/** The data of a log line by name. */
function factsIn(data: Json): { readonly [key: string]: Json | undefined } {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
}
