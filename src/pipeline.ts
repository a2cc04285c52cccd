import type { StoredRun } from './approval/card-actions.ts';
import type { ApproveClick } from './approval/decide.ts';
import type { Terms } from './approval/standing/modal.ts';
import { type Say, tellNobody } from './blocks/message.ts';
import type { PlanDraft } from './core/plan.ts';
import { firstTurn, type Turn } from './core/planning-turn.ts';
import type { StoredRequest } from './core/request.ts';
import type { FailedRun } from './core/run.ts';
import type { AnswerClick } from './request/answers.ts';
import type { Arrival } from './request/intake.ts';
import type { PressClick } from './request/press.ts';
import type { ThreadMessage } from './request/thread.ts';
import type { UndoClick } from './request/undo.ts';
import type { Drafted, FrontStages, KeyedClick, RevisionRef, Stages, Tick } from './stages.ts';
import type { Due } from './watches/tick.ts';

/**
 * The whole flow: a request is taken in, planned and reviewed; its reads run, and become the answer or go on the card;
 * an approval starts the run that writes; a run is reported; its unfinished part is replanned. Each line names its
 * stage.
 */
export function createPipeline({ request, plan, settle, review, approval, run, follow }: FrontStages) {
  async function proceed(asked: StoredRequest, turn: Turn, say: Say): Promise<void> {
    try {
      const reply = await request.awaitPlan(plan.make(asked, turn), say);
      if (reply.answer.kind === 'refuse') return await request.refuse(asked, reply, say);
      if (reply.answer.kind === 'clarify') return await request.ask(asked, reply, turn, say);
      await show(asked, { draft: reply.answer.plan, turn, reply }, say);
    } catch (error) {
      await request.broke(asked, error, say);
    }
  }

  async function show(asked: StoredRequest, { draft, turn, reply }: Drafted, say: Say): Promise<void> {
    const settled = await settle(draft, asked);
    const reviewed = review(settled.draft, asked.channel);
    const findings = [...settled.findings, ...reviewed.findings];
    if (reviewed.plan === null || findings.length > 0) return request.reject(asked, findings, say);
    if (!(await request.admits(asked, reviewed.plan, turn, say))) return;
    const due = await request.keep(asked, { draft, plan: reviewed.plan, turn, reply }, say);
    if (due !== null) return looked(due, say);
    const { reads, granted, question } = await approval.propose(
      { request: asked, plan: reviewed.plan, turn, reply },
      say,
    );
    if (question !== null) return request.ask(asked, question, turn, say);
    if (reads !== null) await run.read(reads, say);
    await begun(granted, say);
  }

  async function looked(due: Due, say: Say): Promise<void> {
    if (due.kind === 'plan') return submit(due.arrival, say);
    if (due.kind !== 'show') return;
    const { arrival, plan: draft, reply } = due;
    const asked = await request.take(arrival, say);
    if (asked !== null)
      await show(asked, { draft, turn: firstTurn(asked.requester, arrival.key), reply }, say);
  }

  async function change(asked: StoredRequest, draft: PlanDraft, turn: Turn, say: Say): Promise<void> {
    const changed = await request.awaitPlan(plan.change(asked, turn, draft), say);
    if (!changed.ok) return request.notUnderstood(turn, changed.why, say);
    await show(asked, { draft: changed.plan, turn, reply: changed.reply }, say);
  }

  async function submit(arrival: Arrival | null, say: Say): Promise<void> {
    const asked = arrival && (await request.take(arrival, say));
    if (arrival !== null && asked !== null)
      await proceed(asked, firstTurn(asked.requester, arrival.key), say);
  }

  /** Starts an approved run. */
  async function begun(granted: StoredRun | null, say: Say): Promise<void> {
    if (granted !== null) await run.start(granted, say);
  }

  return {
    /** A person's goal. */
    submitted: (arrival: Arrival, say: Say) => submit(arrival, say),
    /** A watch's check: says nothing unless there is something to report. */
    ticked: async (tick: Tick, say: Say) => looked(await request.look(tick), say),
    /** The button that undoes a step: a separate plan. */
    undone: async (click: UndoClick, say: Say) => submit(await request.undo(click, say), say),
    /** A button for a follow-up step, or its form: a separate plan with its own approval. */
    pressed: async (click: PressClick, say: Say) => submit(await request.press(click, say), say),
    /** A message in a thread. False when it is talk between people. */
    async heard(message: ThreadMessage, say: Say): Promise<boolean> {
      const heard = await request.hear(message, say);
      if (heard.kind === 'request') await submit(heard.arrival, say);
      if (heard.kind === 'answer') await proceed(heard.request, heard.turn, say);
      if (heard.kind === 'change' && (await approval.takesMore(heard.turn, say))) {
        await change(heard.request, heard.plan, heard.turn, say);
      }
      return heard.kind !== 'talk';
    },
    /** A button under a question. */
    async answered(click: AnswerClick, say: Say): Promise<void> {
      const next = await request.answer(click, say);
      if (next !== null) await proceed(next.request, next.turn, say);
    },
    /** The form of a card: edited fields, possibly with a change in words on top. */
    async edited(asked: StoredRequest, draft: PlanDraft, turn: Turn, say: Say): Promise<void> {
      if (!(await approval.takesMore(turn, say))) return;
      await (turn.change === null
        ? show(asked, { draft, turn, reply: null }, say)
        : change(asked, draft, turn, say));
    },
    approved: async (click: ApproveClick, say: Say) => begun(await approval.approve(click, say), say),
    /** Approval through the form that sets how long and how often it applies. */
    standingApproved: async (click: ApproveClick, terms: Terms, say: Say) =>
      begun(await approval.giveStanding(click, terms, say), say),
    dryRunAsked: async (click: KeyedClick, say: Say) => begun(await approval.dryRun(click, say), say),
    /** The same plan again, with fresh reads. */
    async repeated(click: KeyedClick, say: Say): Promise<void> {
      const next = await approval.repeat(click, say);
      if (next !== null) await show(next.request, { draft: next.plan, turn: next.turn, reply: null }, say);
    },
    rejected: approval.reject,
    stopped: approval.stop,
    /** The targets of a button's request were looked up: counts its approval. */
    approvedByButton: async (of: RevisionRef) => begun(await approval.approveByButton(of), tellNobody),
    /** PagerDuty reported a change to an incident. */
    lived: follow.changed,
    /** The rest of a failed run; whichever process ran it, one that plans takes over. */
    async failed(failed: FailedRun): Promise<void> {
      const next = await plan.remake(failed);
      if (next !== null) await proceed(next.request, next.turn, tellNobody);
    },
  };
}
export type Pipeline = ReturnType<typeof createPipeline>;

/** The reporting part, in the process that runs: a run's events become messages, which are stored with them and sent. */
export function createTelling({ report }: Pick<Stages, 'report'>) {
  return { told: report.messagesFor, ran: report.stored, left: report.leave };
}
export type Telling = ReturnType<typeof createTelling>;
