import type { AgentEvent } from './agents/context.ts';
import type { AgentTurn } from './agents/propose.ts';
import type { AckClick, AlertCardEvent, AlertRequest } from './alerts/requests.ts';
import type { Repeated, StoredRun } from './approval/card-actions.ts';
import type { Rejected } from './approval/change-by-reason.ts';
import type { ApproveClick, RejectClick } from './approval/decide.ts';
import type { Click } from './approval/find-revision.ts';
import type { Proposed } from './approval/propose.ts';
import type { Proposal } from './approval/seal-plan.ts';
import type { Terms } from './approval/standing/modal.ts';
import type { Say } from './blocks/message.ts';
import type { AlertsEvent } from './core/alert.ts';
import type { Finding } from './core/finding.ts';
import type { Plan, PlanDraft } from './core/plan.ts';
import type { PlannerReply } from './core/planning.ts';
import type { NextTurn, Turn } from './core/planning-turn.ts';
import type { Request, StoredRequest } from './core/request.ts';
import type { Revision } from './core/revision.ts';
import type { RunEvent } from './core/run.ts';
import type { PlanStage } from './plan/stage.ts';
import type { Arrival } from './request/intake.ts';
import type { RequestStage } from './request/stage.ts';
import type { Listed } from './review/list-targets.ts';
import type { OutboxMessage } from './store/outbox.ts';
import type { TickEvent } from './watches/clock.ts';
import type { Planned } from './watches/create.ts';

/** A plan before its review. */
export interface Drafted extends NextTurn<StoredRequest> {
  readonly plan: Plan | PlanDraft;
  /** The planner's reply that contained it; absent where a person filled in the form. */
  readonly reply?: PlannerReply | null;
}

/** A click with the key of its delivery. */
type KeyedClick = Click & { readonly key: string };

/** The functions the pipeline needs from each stage. A null result means that the person has already been told. */
export interface Stages {
  readonly request: RequestStage;
  readonly watches: {
    /** One check of a watch: says nothing unless there is something to report, and returns the request it makes. */
    check(event: TickEvent): Promise<Arrival | null>;
    /** Takes a plan that is checked repeatedly; false for any other. */
    takePlan(planned: Planned, say: Say): Promise<boolean>;
  };
  readonly alerts: {
    /** Takes in what monitoring reports, and shows it. */
    receive(event: AlertsEvent): Promise<void>;
    /** Looks at every problem that is due: gathers its evidence, and keeps its message up to date. */
    round(): Promise<void>;
    /** The request for a card that a rule proposes. */
    propose(event: AlertCardEvent): Promise<AlertRequest | null>;
    /** The request of the button that acknowledges an incident. */
    acknowledge(click: AckClick, say: Say): Promise<AlertRequest | null>;
    /** The request of the button that proposes the fix of a cause. */
    fix(click: AckClick, say: Say): Promise<AlertRequest | null>;
  };
  readonly agents: {
    /** The planning that an agent's stored proposal, or its answer to a question about it, leaves to do. */
    begin(event: AgentEvent): Promise<AgentTurn | null>;
  };
  readonly plan: Pick<PlanStage, 'make' | 'change' | 'changeByReason' | 'replan'>;
  /** Resolves target names. */
  resolveNames(
    draft: Plan | PlanDraft,
    request: Request,
  ): Promise<{ draft: Plan | PlanDraft; findings: readonly Finding[] }>;
  /** `channel`: where results are reported. */
  review(
    draft: Plan | PlanDraft,
    channel: string | null,
  ): { plan: Plan | null; findings: readonly Finding[] };
  /** Reads the lists that writes go through, and puts a write for each entry in their place. */
  listTargets(proposal: Proposal): Promise<Listed<Proposal>>;
  readonly approval: {
    /** Seals and stores a revision, or returns the question to ask first. */
    propose(proposal: Proposal, say: Say): Promise<Proposed>;
    /** False when the revision limit is reached. */
    takesMore(turn: Turn, say: Say): Promise<boolean>;
    approve(click: ApproveClick, say: Say): Promise<StoredRun | null>;
    /** Approves a card and future ones like it, for as long and as often as the form says. */
    approveStanding(click: ApproveClick & { readonly terms: Terms }, say: Say): Promise<StoredRun | null>;
    /** Counts a button click as approval: its plan's targets were looked up. */
    approveByButton(of: { readonly requestId: string; readonly number: number }): Promise<StoredRun | null>;
    dryRun(click: KeyedClick, say: Say): Promise<StoredRun | null>;
    /** The same plan again, with fresh reads. */
    repeat(click: KeyedClick, say: Say): Promise<Repeated | null>;
    reject(click: RejectClick, say: Say): Promise<Rejected | null>;
    /** Says that the reason of a rejection led to no other plan. */
    keepRejected(rejected: Rejected, why: string | null): Promise<void>;
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
    messagesFor(event: RunEvent, revision: Revision | null): Promise<readonly OutboxMessage[]>;
    /** Called after they are stored: sends them, and updates the card. */
    stored(event: RunEvent): Promise<void>;
  };
  readonly incidents: {
    /** Reads an incident's history, and reports it in the thread it was paged from, and in alerts that show it. */
    changed(id: string): Promise<void>;
    /** Does so for every incident that is due. */
    round(): Promise<void>;
    /** Starts to follow incidents opened by runs whose process died before reporting them. */
    adopt(): Promise<void>;
  };
}

/** The stages of a process that people talk to; the rest belongs to processes with runs. */
export type FrontStages = Omit<Stages, 'report'>;
