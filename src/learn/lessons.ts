import { type Failure, type PlannedRequest, wasUnhelpful } from '../core/planned-request.ts';
import type { SlotChange } from '../core/slot-change.ts';

/** An item and how often it occurred. */
export interface Counted<T> {
  readonly what: T;
  readonly times: number;
}

/** Decisions about the plans of one playbook, or of one phrase. */
export interface Lesson {
  readonly playbook: string | null;
  /** As last typed; null for a playbook, which is requested in many ways. */
  readonly phrase: string | null;
  readonly asked: number;
  /** Requests for which the planner had to ask. */
  readonly answered: number;
  readonly edited: number;
  readonly rejected: number;
  /** Rated by somebody as not helpful. */
  readonly unhelpful: number;
  /** Approved, and a step of its run failed or is unknown. */
  readonly failed: number;
  readonly changes: readonly Counted<SlotChange>[];
  readonly answers: readonly Counted<PlannedRequest['answers'][number]>[];
  readonly reasons: readonly Counted<string>[];
  readonly complaints: readonly Counted<string>[];
  readonly failures: readonly Counted<Failure>[];
}

/** By playbook or phrase, those that needed the most work first; leaves out those that were right. */
export function lessonsOf(all: readonly PlannedRequest[]): Lesson[] {
  const groups = Map.groupBy(all, ({ playbook, phrase }) => (playbook === null ? `"${phrase}` : playbook));
  return [...groups.values()]
    .map(lessonOf)
    .filter((lesson) => trouble(lesson) > 0)
    .sort((a, b) => trouble(b) - trouble(a) || b.asked - a.asked);
}

function trouble({ answered, edited, rejected, unhelpful, failed }: Lesson): number {
  return answered + edited + rejected + unhelpful + failed;
}

function lessonOf(asked: readonly PlannedRequest[]): Lesson {
  const newest = asked.at(-1);
  const playbook = newest?.playbook ?? null;
  return {
    playbook,
    phrase: playbook === null ? (newest?.goal ?? '') : null,
    asked: asked.length,
    answered: asked.filter(({ answers }) => answers.length > 0).length,
    edited: asked.filter(({ edits }) => edits.length > 0).length,
    rejected: asked.filter(({ rejectedFor }) => rejectedFor !== null).length,
    unhelpful: asked.filter(wasUnhelpful).length,
    failed: asked.filter(({ failures }) => failures.length > 0).length,
    changes: counted(
      asked.flatMap(({ edits }) => edits),
      changeKey,
    ),
    answers: counted(
      asked.flatMap(({ answers }) => answers),
      ({ question, answer }) => JSON.stringify([question, answer.toLowerCase()]),
    ),
    reasons: counted(
      asked.flatMap(({ rejectedFor }) => rejectedFor ?? []),
      (reason) => reason.toLowerCase(),
    ),
    complaints: counted(
      asked.flatMap(({ ratings }) =>
        ratings.flatMap(({ rating, why }) => (rating === 'unhelpful' ? [why ?? ''] : [])),
      ),
      (why) => why.toLowerCase(),
    ),
    failures: counted(
      asked.flatMap(({ failures }) => failures).toReversed(),
      ({ tool, code }) => `${tool} ${code}`,
    ),
  };
}

function changeKey({ tool, slot, from, to }: SlotChange): string {
  return JSON.stringify([tool, slot, from, to]);
}

/** Most frequent first. */
function counted<T>(all: readonly T[], key: (one: T) => string): Counted<T>[] {
  return [...Map.groupBy(all, key).values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ what: same[0], times: same.length }]))
    .sort((a, b) => b.times - a.times);
}
