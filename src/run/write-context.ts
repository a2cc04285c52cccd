import type { Problem } from '../core/dedup-key.ts';
import type { Step } from '../core/plan.ts';
import type { WriteContext, WriteTool } from '../core/tool.ts';
import type { ActiveRun } from './active-run.ts';
import { personWords } from './may-start.ts';

/** The context of a write without the writers, which only `callWriter` gets, and without the signal of one call. */
export type KeyedContext = Omit<WriteContext, 'writers' | 'signal'>;

export interface FilledWrite {
  readonly tool: WriteTool;
  readonly args: Record<string, unknown>;
}

export interface KeyedWrite extends FilledWrite {
  readonly context: KeyedContext;
}

/** The idempotency key of a write: the same for every execution of this step, and unique to it. */
function writeKey(run: ActiveRun, step: Step): string {
  return `cs-${run.key.runId}-${step.id}`;
}

/** The problem the write is about, from the approved bytes. */
function problemOf({ sealed }: ActiveRun, step: Step): Problem | null {
  return sealed.problems?.find((one) => one.step === step.id) ?? null;
}

/** "@ana and @ben", or the other way it was approved; follows "approved by". */
export function approvedWords(run: ActiveRun): string {
  const { grant } = run.stored;
  if (grant === null) return '';
  const all = grant.by.map((id) => personWords(run, id));
  const names = [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ');
  if (grant.how === 'standing') return `the standing approval of ${names}`;
  return grant.how === 'glass' ? `${names} alone, breaking glass` : names;
}

/** The approver is added once the grant has been read. */
export async function contextOf(run: ActiveRun, step: Step): Promise<KeyedContext> {
  const { readers, now } = run.deps;
  return {
    readers,
    now,
    asker: run.sealed.requester,
    key: writeKey(run, step),
    problem: problemOf(run, step),
    origin: {
      requester: personWords(run, run.sealed.requester),
      approver: '',
      goal: run.sealed.plan.goal,
      threadLink: await run.threadLink(),
      startedAt: run.startedAt,
    },
  };
}
