import type { Click } from './approval/clicked.ts';
import type { ApproveClick } from './approval/decide.ts';
import type { Repeated, StoredRun } from './approval/decisions.ts';
import type { Proposal, Proposed } from './approval/propose.ts';
import type { Terms } from './approval/standing-modal.ts';
import type { Say } from './blocks/message.ts';
import type { Finding } from './core/finding.ts';
import type { Plan, PlanDraft } from './core/plan.ts';
import type { PlannerReply } from './core/planning.ts';
import type { Request, StoredRequest } from './core/request.ts';
import type { FailedRun, RunEvent } from './core/run.ts';
import type { NextTurn, Turn } from './core/turn.ts';
import type { Changed } from './plan/change.ts';
import type { AnswerClick } from './request/answers.ts';
import type { Arrival } from './request/intake.ts';
import type { PressClick } from './request/press.ts';
import type { Heard, ThreadMessage } from './request/thread.ts';
import type { UndoClick } from './request/undo.ts';
import type { Due } from './request/watches/tick.ts';
import type { Message } from './run/ports.ts';

/** A plan on its way to the review; `reply` is null where no planner made it. */
export interface Drafted {
  readonly draft: Plan | PlanDraft;
  readonly turn: Turn;
  readonly reply: PlannerReply | null;
}

/** A time at which a watch looks. */
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

/** What the pipeline asks of each stage. Whatever is null has been said to the person already. */
export interface Stages {
  readonly request: {
    /** One look of a watch: what is to be shown for it now. */
    look(tick: Tick): Promise<Due>;
    /** False when an hourly limit of the person is reached. */
    admits(asked: StoredRequest, plan: Plan, turn: Turn, say: Say): Promise<boolean>;
    /** Keeps a plan that is looked at again and again; null for any other. */
    keep(asked: StoredRequest, drafted: Drafted & { plan: Plan }, say: Say): Promise<Due | null>;
    /** Bounds and stores a goal. */
    take(arrival: Arrival, say: Say): Promise<StoredRequest | null>;
    /** Tells an answer and a change from talk between people. */
    hear(message: ThreadMessage, say: Say): Promise<Heard>;
    answer(click: AnswerClick, say: Say): Promise<NextTurn<StoredRequest> | null>;
    /** The request that takes back what a step did. */
    undo(click: UndoClick, say: Say): Promise<Arrival | null>;
    /** The request that a button of a result asks for. */
    press(click: PressClick, say: Say): Promise<Arrival | null>;
    /** Waits for a plan; the person who asked hears of it when a model takes its time. */
    awaitPlan<T>(plan: Promise<T>, say: Say): Promise<T>;
    /** Posts the one question and waits for its answer. */
    ask(request: Request, reply: PlannerReply, turn: Turn, say: Say): Promise<void>;
    refuse(request: Request, reply: PlannerReply, say: Say): Promise<void>;
    /** Says what the review found. */
    reject(request: Request, findings: readonly Finding[], say: Say): Promise<void>;
    /** `why`: what is wrong with the words, where that is known. */
    notUnderstood(turn: Turn, why: string | null, say: Say): Promise<void>;
    /** Planning failed: closes the request. Throws what it cannot explain. */
    broke(request: Request, error: unknown, say: Say): Promise<void>;
  };
  readonly plan: {
    make(request: Request, turn: Turn): Promise<PlannerReply>;
    /** Changes a plan in words. */
    change(request: Request, turn: Turn, draft: PlanDraft): Promise<Changed>;
    /** What is to be planned after a failed run, if anything. */
    remake(failed: FailedRun): Promise<NextTurn<StoredRequest> | null>;
  };
  /** Targets that are called by another name become what they are. */
  settle(
    draft: Plan | PlanDraft,
    request: Request,
  ): Promise<{ draft: Plan | PlanDraft; findings: readonly Finding[] }>;
  /** `channel`: where results are told. */
  review(
    draft: Plan | PlanDraft,
    channel: string | null,
  ): { plan: Plan | null; findings: readonly Finding[] };
  readonly approval: {
    /** Seals and stores a revision, or says what has to be asked first. */
    propose(proposal: Proposal, say: Say): Promise<Proposed>;
    /** False when a plan was changed too often. */
    takesMore(turn: Turn, say: Say): Promise<boolean>;
    approve(click: ApproveClick, say: Say): Promise<StoredRun | null>;
    tryOut(click: KeyedClick, say: Say): Promise<StoredRun | null>;
    again(click: KeyedClick, say: Say): Promise<Repeated | null>;
    /** A yes to a card and to what comes like it. */
    stand(click: ApproveClick, terms: Terms, say: Say): Promise<StoredRun | null>;
    reject(click: Click & { reason: string }, say: Say): Promise<void>;
    /** The yes that a button was, once what its plan is about was looked up. */
    pressed(of: RevisionRef): Promise<StoredRun | null>;
    stop(click: Click, say: Say): Promise<void>;
  };
  readonly run: {
    /** Reads for a plan that nobody said yes to; whoever asked hears of it when that takes long. */
    read(run: StoredRun, say: Say): Promise<void>;
    /** Starts what somebody said yes to; they hear of it when nobody is there to run it. */
    start(run: StoredRun, say: Say): Promise<void>;
  };
  readonly report: {
    /** What people are told of an event of a run; it is stored together with what it tells of. */
    messagesFor(event: RunEvent): Promise<readonly Message[]>;
    /** They are stored: they go out, and the card follows. */
    stored(event: RunEvent): Promise<void>;
    /** Leaves a failed run to whoever plans, which may be another process. */
    leave(failed: FailedRun): Promise<void>;
  };
  readonly follow: {
    /** Reads what became of an incident, and tells it where it was paged from. */
    changed(id: string): Promise<void>;
    /** Does so for every incident that is due. */
    round(): Promise<void>;
    /** Takes notice of what runs have opened whose process died before it could say so. */
    adopt(): Promise<void>;
  };
}

/** What a process needs that people talk to; the rest is where runs are. */
export type FrontStages = Omit<Stages, 'report'>;
