import type { Repeated, StoredRun } from './approval/card-actions.ts';
import type { ApproveClick } from './approval/decide.ts';
import type { Click } from './approval/find-revision.ts';
import type { Proposed } from './approval/propose.ts';
import type { Proposal } from './approval/seal-plan.ts';
import type { Terms } from './approval/standing/modal.ts';
import type { Say } from './blocks/message.ts';
import type { Finding } from './core/finding.ts';
import type { Plan, PlanDraft } from './core/plan.ts';
import type { PlannerReply } from './core/planning.ts';
import type { NextTurn, Turn } from './core/planning-turn.ts';
import type { Request, StoredRequest } from './core/request.ts';
import type { FailedRun, RunEvent } from './core/run.ts';
import type { Changed } from './plan/change.ts';
import type { AnswerClick } from './request/answers.ts';
import type { Arrival } from './request/intake.ts';
import type { PressClick } from './request/press.ts';
import type { Heard, ThreadMessage } from './request/thread.ts';
import type { UndoClick } from './request/undo.ts';
import type { Message } from './run/ports.ts';
import type { Due } from './watches/tick.ts';

/** A plan before its review; `reply` is null if no planner made it. */
export interface Drafted {
  readonly draft: Plan | PlanDraft;
  readonly turn: Turn;
  readonly reply: PlannerReply | null;
}

/** A scheduled check of a watch. */
export interface Tick {
  readonly id: string;
  readonly key: string;
}

/** A click with the key of its delivery. */
export type KeyedClick = Click & { readonly key: string };

export interface RevisionRef {
  readonly requestId: string;
  readonly number: number;
}

/** The functions the pipeline needs from each stage. A null result means that the person has already been told. */
export interface Stages {
  readonly request: {
    /** One check of a watch: returns what to show for it now. */
    look(tick: Tick): Promise<Due>;
    /** False when an hourly limit of the person is reached. */
    admits(asked: StoredRequest, plan: Plan, turn: Turn, say: Say): Promise<boolean>;
    /** Keeps a plan that is looked at again and again; null for any other. */
    keep(asked: StoredRequest, drafted: Drafted & { plan: Plan }, say: Say): Promise<Due | null>;
    /** Validates and stores a goal. */
    take(arrival: Arrival, say: Say): Promise<StoredRequest | null>;
    /** Distinguishes an answer and a change from talk between people. */
    hear(message: ThreadMessage, say: Say): Promise<Heard>;
    answer(click: AnswerClick, say: Say): Promise<NextTurn<StoredRequest> | null>;
    /** The request that undoes a step. */
    undo(click: UndoClick, say: Say): Promise<Arrival | null>;
    /** The request of a button below a result. */
    press(click: PressClick, say: Say): Promise<Arrival | null>;
    /** Waits for a plan; tells the requester when a model takes a while. */
    awaitPlan<T>(plan: Promise<T>, say: Say): Promise<T>;
    /** Posts the question and waits for its answer. */
    ask(request: Request, reply: PlannerReply, turn: Turn, say: Say): Promise<void>;
    refuse(request: Request, reply: PlannerReply, say: Say): Promise<void>;
    /** Reports the review's findings. */
    reject(request: Request, findings: readonly Finding[], say: Say): Promise<void>;
    /** `why`: the problem with the words, if known. */
    notUnderstood(turn: Turn, why: string | null, say: Say): Promise<void>;
    /** Planning failed: closes the request. Rethrows errors it cannot explain. */
    broke(request: Request, error: unknown, say: Say): Promise<void>;
  };
  readonly plan: {
    make(request: Request, turn: Turn): Promise<PlannerReply>;
    /** Changes a plan in words. */
    change(request: Request, turn: Turn, draft: PlanDraft): Promise<Changed>;
    /** The next planning turn after a failed run, if any. */
    remake(failed: FailedRun): Promise<NextTurn<StoredRequest> | null>;
  };
  /** Resolves target names. */
  settle(
    draft: Plan | PlanDraft,
    request: Request,
  ): Promise<{ draft: Plan | PlanDraft; findings: readonly Finding[] }>;
  /** `channel`: where results are reported. */
  review(
    draft: Plan | PlanDraft,
    channel: string | null,
  ): { plan: Plan | null; findings: readonly Finding[] };
  readonly approval: {
    /** Seals and stores a revision, or returns the question to ask first. */
    propose(proposal: Proposal, say: Say): Promise<Proposed>;
    /** False when the revision limit is reached. */
    takesMore(turn: Turn, say: Say): Promise<boolean>;
    approve(click: ApproveClick, say: Say): Promise<StoredRun | null>;
    dryRun(click: KeyedClick, say: Say): Promise<StoredRun | null>;
    repeat(click: KeyedClick, say: Say): Promise<Repeated | null>;
    /** Approves a card and future ones like it. */
    giveStanding(click: ApproveClick, terms: Terms, say: Say): Promise<StoredRun | null>;
    reject(click: Click & { reason: string }, say: Say): Promise<void>;
    /** Counts a button click as approval, once its plan's targets were looked up. */
    approveByButton(of: RevisionRef): Promise<StoredRun | null>;
    stop(click: Click, say: Say): Promise<void>;
  };
  readonly run: {
    /** Starts the reads of a plan that nobody approved yet; tells the requester when that takes long. */
    read(run: StoredRun, say: Say): Promise<void>;
    /** Starts an approved run; tells the approver when no process is there to run it. */
    start(run: StoredRun, say: Say): Promise<void>;
  };
  readonly report: {
    /** The messages for an event of a run, stored together with it. */
    messagesFor(event: RunEvent): Promise<readonly Message[]>;
    /** Called after they are stored: sends them, and updates the card. */
    stored(event: RunEvent): Promise<void>;
    /** Leaves a failed run to a process that plans, possibly another one. */
    leave(failed: FailedRun): Promise<void>;
  };
  readonly follow: {
    /** Reads an incident's history, and reports it in the thread it was paged from. */
    changed(id: string): Promise<void>;
    /** Does so for every incident that is due. */
    round(): Promise<void>;
    /** Starts to follow incidents opened by runs whose process died before reporting them. */
    adopt(): Promise<void>;
  };
}

/** The stages of a process that people talk to; the rest belongs to processes with runs. */
export type FrontStages = Omit<Stages, 'report'>;
