import { askedBlock, cardFacts, cardTitle } from '../blocks/card-frame.ts';
import { writeCardRef } from '../blocks/card-ref.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Block, Message } from '../blocks/message.ts';
import { ratingBlock } from '../blocks/rating.ts';
import { bold, line, lines, noticeText, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Life } from '../core/incident-history.ts';
import type { Revision } from '../core/revision.ts';
import type { Approval, RunOutcome, StepResult, StepStatus } from '../core/run.ts';
import { stepSentence, withoutText } from '../core/step-words.ts';
import type { CheckRow } from '../store/tables.ts';
import { checkTitles } from './checked-words.ts';
import { incidentStateSpans } from './incident-words.ts';
import { missedCall } from './missed-call.ts';
import { type Next, nextButtons, stopButton } from './run-buttons.ts';
import { approvedSpans, becauseWords, onlyIf, outcomeWords, skipWords, type Wording } from './run-words.ts';

/** Current state of a step of a run. */
export interface ShownStep {
  readonly stepId: string;
  readonly running: boolean;
  readonly result: StepResult | null;
}

export interface RunProgress {
  readonly revision: Revision;
  readonly wording: Wording;
  readonly steps: readonly ShownStep[];
  readonly approval: (Approval & { readonly at: Date }) | null;
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  readonly finishedAt: string | null;
  /** Somebody requested it to stop. */
  readonly stopping: boolean;
  /** History of the incident that it opened; absent or null if there is none, or nothing is known yet. */
  readonly life?: Life | null;
  /** Whether its writes helped; those that are still open have no outcome. */
  readonly checks?: readonly Pick<CheckRow, 'stepId' | 'outcome'>[];
  /** Possible next steps. */
  readonly next?: readonly Next[];
}

type TaskStatus = 'pending' | 'in_progress' | 'complete' | 'error';
type StepState = StepStatus | 'running' | 'waiting';

/** A skipped step was not done, so it gets no green tick. */
const marks: Record<StepState, { task: TaskStatus; sign: string; word: string }> = {
  waiting: { task: 'pending', sign: '○', word: '' },
  running: { task: 'in_progress', sign: '◐', word: 'running' },
  succeeded: { task: 'complete', sign: '✓', word: '' },
  skipped: { task: 'pending', sign: '–', word: 'skipped: ' },
  failed: { task: 'error', sign: '✗', word: 'FAILED: ' },
  unknown: { task: 'error', sign: '?', word: 'UNKNOWN: ' },
};

export const outcomeTitles: Record<RunOutcome, string> = {
  done: 'Done',
  partly: 'Partly done',
  failed: 'Failed',
  unknown: 'Outcome unknown, please check',
  cancelled: 'Cancelled',
};

/** The card during and after the run, with native plan blocks, and a fallback in plain sections. */
export function progressCard(progress: RunProgress): { message: Message; fallback: Message } {
  const { revision } = progress;
  const frame = (steps: Block, rating: readonly Block[]): Block[] => [
    cardTitle(revision),
    rich([lines([...stateRows(progress), decisionWords(progress)])], 'state'),
    askedBlock(revision, cut(oneLine(revision.sealed.plan.goal), 200)),
    steps,
    cardFacts(revision, { open: false }),
    ...lastButton(progress),
    ...rating,
  ];
  const rating = progress.outcome === null ? [] : [ratingBlock(revision)];
  const state = stateRows(progress)[0] ?? [runTitle(progress)];
  const text = noticeText([...state, `: ${revision.sealed.plan.summary}`]);
  return {
    message: { text, blocks: frame(taskList(progress), rating) },
    fallback: { text, blocks: frame(lineList(progress), []) },
  };
}

/** "Nobody was paged", or "Acknowledged by Ana Ruiz after 2 min": people look for the outcome of the page. */
function stateRows({ wording, outcome, steps, life }: RunProgress): Span[][] {
  const missed = missedCall(
    wording,
    outcome,
    steps.flatMap(({ result }) => result ?? []),
  );
  const words = life == null ? null : incidentStateSpans(life);
  return [...(missed === null ? [] : [[bold(missed.words)]]), ...(words === null ? [] : [words])];
}

function runTitle({ outcome, stopping }: RunProgress): string {
  if (outcome !== null) return outcomeTitles[outcome];
  return stopping ? 'Stopping' : 'Running';
}

function decisionWords(progress: RunProgress): Span[] {
  const { approval, finishedAt, checks = [] } = progress;
  const approved: Span[] =
    approval === null ? [] : ['. ', ...approvedSpans(approval), ', ', time(approval.at.toISOString())];
  const finished: Span[] = finishedAt === null ? [] : [', finished ', time(finishedAt, '{time_secs}')];
  const outcomes = new Set(checks.flatMap(({ outcome }) => outcome ?? []));
  const checked = [...outcomes].flatMap((outcome): Span[] => ['. ', bold(checkTitles[outcome])]);
  return [bold(runTitle(progress)), ...approved, ...finished, ...checked];
}

function stateOf(progress: RunProgress, stepId: string): StepState {
  const now = progress.steps.find((step) => step.stepId === stepId);
  return now?.result?.status ?? (now?.running ? 'running' : 'waiting');
}

/** The line below a step: its outcome, or what it waits for. */
function remark(progress: RunProgress, stepId: string): string {
  const result = progress.steps.find((step) => step.stepId === stepId)?.result;
  if (!result) {
    const condition = onlyIf(progress.wording, stepId);
    return condition === null ? '' : `only if ${condition}`;
  }
  const done = progress.steps.flatMap((step) => step.result ?? []);
  const words =
    result.status === 'succeeded'
      ? `${outcomeWords(progress.wording, result)}${becauseWords(progress.wording, result, done)}`
      : result.status === 'skipped'
        ? skipWords(progress.wording, result, done)
        : result.reason?.message;
  return `${marks[result.status].word}${words ?? ''}`;
}

/** Maximum characters for the title and remark of a step, so that even forty steps fit into one message. */
function roomFor(steps: number): { title: number; remark: number } {
  const each = Math.floor(7_000 / steps) - 100;
  return { title: clamp(each * 0.4, 40, 200), remark: clamp(each * 0.6, 60, 400) };
}

function clamp(value: number, min: number, max: number): number {
  return Math.floor(Math.min(max, Math.max(min, value)));
}

function taskList(progress: RunProgress): Block {
  const { steps } = progress.wording.sealed.plan;
  const room = roomFor(steps.length);
  const tasks = steps.map((step) => {
    const status = marks[stateOf(progress, step.id)].task;
    const words = remark(progress, step.id);
    return {
      type: 'task_card' as const,
      task_id: step.id,
      title: cut(oneLine(withoutText(stepSentence(step, progress.wording.words))), room.title),
      status,
      ...(words ? { output: rich([line(cut(oneLine(words), room.remark))]) } : {}),
    };
  });
  return { type: 'plan', block_id: 'steps', title: 'Steps', tasks };
}

function lineList(progress: RunProgress): Block {
  const { steps } = progress.wording.sealed.plan;
  const room = roomFor(steps.length);
  const rows = steps.map((step): Span[] => {
    const words = remark(progress, step.id);
    const title = cut(oneLine(withoutText(stepSentence(step, progress.wording.words))), room.title);
    return [
      bold(`${marks[stateOf(progress, step.id)].sign} `),
      title,
      words ? `\n     ${cut(oneLine(words), room.remark)}` : '',
    ];
  });
  return rich([lines(rows)], 'steps');
}

/** Stop while it runs; afterwards possible next steps, or Run again if its approval had been overtaken by events. */
function lastButton({ revision, outcome, stopping, steps, next = [] }: RunProgress): Block[] {
  if (outcome === null) return stopping ? [] : [stopButton(revision, 'buttons')];
  if (next.length > 0) return [nextButtons(revision, next)];
  if (!steps.some(({ result }) => result?.reason?.code === 'condition_changed')) return [];
  const value = writeCardRef(revision);
  return [actions([button({ text: 'Run again', action: actionIds.again, value })], 'buttons')];
}
