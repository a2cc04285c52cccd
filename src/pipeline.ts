import type { Message } from './blocks/message.ts';
import type { Finding } from './core/finding.ts';
import type { Plan, PlanDraft } from './core/plan.ts';
import type { PlannerReply } from './core/planning.ts';
import type { Request } from './core/request.ts';
import type { Revision } from './core/revision.ts';
import type { FailedRun } from './core/run.ts';

/** Says something to the one person who acted, where they acted. */
export type Say = (message: Message) => Promise<void>;

/** Where nobody acted, or nobody listens. */
export const tellNobody: Say = async () => undefined;

/** What planning starts from beside the request: answers to questions, a change in words, a failed run. */
export interface Turn {
  /** The revision that is changed or replaced, or null for a fresh request. */
  readonly basedOn: Revision | null;
  readonly change: string | null;
  readonly failed: FailedRun | null;
  /** False when `basedOn` has run already: what follows it leaves it as it is. */
  readonly replaces: boolean;
  /** Slack id of who caused this turn, or `system`. */
  readonly actor: string;
}

export const firstTurn = (actor: string): Turn => ({
  basedOn: null,
  change: null,
  failed: null,
  replaces: true,
  actor,
});

type Reviewed = { readonly plan: Plan | null; readonly findings: readonly Finding[] };

/** The stages, each already wired to what it needs. */
export interface Stages {
  plan(request: Request, turn: Turn): Promise<PlannerReply>;
  /** `request`: what it answers, for the channel where results are told. */
  review(draft: Plan | PlanDraft, request?: Request): Reviewed;
  /** Seals, stores and shows a revision; false when what it changes was decided meanwhile. */
  propose(request: Request, plan: Plan, turn: Turn, reply: PlannerReply | null): Promise<boolean>;
  /** Posts the one question and waits for its answer. */
  ask(request: Request, reply: PlannerReply, turn: Turn): Promise<void>;
  refuse(request: Request, reply: PlannerReply, say: Say): Promise<void>;
  /** What could not be planned, said to the person; nothing is stored. */
  reject(request: Request, findings: readonly Finding[], say: Say): Promise<void>;
  /** The card that was changed is closed already. */
  tooLate(say: Say): Promise<void>;
}

/** request → plan → review → approval. A yes then starts the run, and the run reports; see `app.ts`. */
export function createPipeline(stages: Stages) {
  async function show(
    request: Request,
    draft: Plan | PlanDraft,
    turn: Turn,
    reply: PlannerReply | null,
    say: Say,
  ): Promise<boolean> {
    const reviewed = stages.review(draft, request);
    if (reviewed.plan === null) {
      await stages.reject(request, reviewed.findings, say);
      return false;
    }
    const shown = await stages.propose(request, reviewed.plan, turn, reply);
    if (!shown) await stages.tooLate(say);
    return shown;
  }

  return {
    /** A goal, an answer, a change in words or a failed run becomes a card, a question or a refusal. */
    async proceed(request: Request, turn: Turn, say: Say): Promise<void> {
      const reply = await stages.plan(request, turn);
      if (reply.answer.kind === 'refuse') return stages.refuse(request, reply, say);
      if (reply.answer.kind === 'clarify') return stages.ask(request, reply, turn);
      await show(request, reply.answer.plan, turn, reply, say);
    },

    /** A plan that a person edited becomes a new revision. */
    edited: (request: Request, draft: PlanDraft, turn: Turn, say: Say) =>
      show(request, draft, turn, null, say),

    /** A plan that the planner changed in words becomes a new revision. */
    changed: (request: Request, plan: Plan, turn: Turn, reply: PlannerReply, say: Say) =>
      show(request, plan, turn, reply, say),

    review: stages.review,
  };
}
export type Pipeline = ReturnType<typeof createPipeline>;
