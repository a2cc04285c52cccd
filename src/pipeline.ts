import { type Say, tellNobody } from './blocks/message.ts';
import type { PlanDraft } from './core/plan.ts';
import type { StoredRequest } from './core/request.ts';
import type { FailedRun } from './core/run.ts';
import { firstTurn, type Turn } from './core/turn.ts';
import type { Due } from './request/watches/tick.ts';
import type { Drafted, FrontStages, Stages } from './stages.ts';

/**
 * The whole flow: a request is taken in, planned and reviewed; its reads run, and are the answer or stand on the card; a
 * yes starts the run that writes; a run is reported; what it leaves undone is planned anew. Each line names its stage.
 */
export function createPipeline({ request, plan, review, approval, run, follow }: FrontStages) {
  async function proceed(asked: StoredRequest, turn: Turn, say: Say): Promise<void> {
    try {
      const reply = await plan.make(asked, turn);
      if (reply.answer.kind === 'refuse') return await request.refuse(asked, reply, say);
      if (reply.answer.kind === 'clarify') return await request.ask(asked, reply, turn);
      await show(asked, { draft: reply.answer.plan, turn, reply }, say);
    } catch (error) {
      await request.broke(asked, error, say);
    }
  }

  async function show(asked: StoredRequest, { draft, turn, reply }: Drafted, say: Say): Promise<void> {
    const settled = await plan.settle(draft, asked);
    const reviewed = review(settled.draft, asked.channel);
    const findings = [...settled.findings, ...reviewed.findings];
    if (reviewed.plan === null || findings.length > 0) return request.reject(asked, findings, say);
    const due = await request.keep(asked, { draft, plan: reviewed.plan, turn, reply }, say);
    if (due !== null) return looked(due, say);
    const { reads, question } = await approval.propose(
      { request: asked, plan: reviewed.plan, turn, reply },
      say,
    );
    if (question !== null) return request.ask(asked, question, turn);
    if (reads !== null) await run.read(reads, say);
  }

  async function looked(due: Due, say: Say): Promise<void> {
    if (due.kind === 'plan') return submitted(due.arrival, say);
    if (due.kind !== 'show') return;
    const { arrival, plan: draft, reply } = due;
    const asked = await request.take(arrival, say);
    if (asked !== null)
      await show(asked, { draft, turn: firstTurn(asked.requester, arrival.key), reply }, say);
  }

  async function change(asked: StoredRequest, draft: PlanDraft, turn: Turn, say: Say): Promise<void> {
    const changed = await plan.change(asked, turn, draft);
    if (!changed.ok) return request.notUnderstood(turn, changed.why, say);
    await show(asked, { draft: changed.plan, turn, reply: changed.reply }, say);
  }

  async function submitted(arrival: Parameters<typeof request.take>[0], say: Say): Promise<void> {
    const asked = await request.take(arrival, say);
    if (asked !== null) await proceed(asked, firstTurn(asked.requester, arrival.key), say);
  }

  return {
    /** A goal of a person. */
    submitted,
    /** A watch looks: nothing is said unless there is something to say. */
    async ticked(tick: Parameters<typeof request.look>[0], say: Say): Promise<void> {
      await looked(await request.look(tick), say);
    },
    /** The button that takes a step back: a plan of its own. */
    async undone(click: Parameters<typeof request.undo>[0], say: Say): Promise<void> {
      const arrival = await request.undo(click, say);
      if (arrival !== null) await submitted(arrival, say);
    },
    /** A button that asks for one more step, or the form behind it: a plan of its own, with its yes. */
    async pressed(click: Parameters<typeof request.press>[0], say: Say): Promise<void> {
      const arrival = await request.press(click, say);
      if (arrival !== null) await submitted(arrival, say);
    },
    /** A message in a thread. False when it is talk between people. */
    async heard(message: Parameters<typeof request.hear>[0], say: Say): Promise<boolean> {
      const heard = await request.hear(message, say);
      if (heard.kind === 'answer') await proceed(heard.request, heard.turn, say);
      if (heard.kind === 'change' && (await approval.takesMore(heard.turn, say))) {
        await change(heard.request, heard.plan, heard.turn, say);
      }
      return heard.kind !== 'talk';
    },
    /** A button under a question. */
    async answered(click: Parameters<typeof request.answer>[0], say: Say): Promise<void> {
      const next = await request.answer(click, say);
      if (next !== null) await proceed(next.request, next.turn, say);
    },
    /** The form of a card: fields, or on top of them a change in words. */
    async edited(asked: StoredRequest, draft: PlanDraft, turn: Turn, say: Say): Promise<void> {
      if (!(await approval.takesMore(turn, say))) return;
      await (turn.change === null
        ? show(asked, { draft, turn, reply: null }, say)
        : change(asked, draft, turn, say));
    },
    async approved(click: Parameters<typeof approval.approve>[0], say: Say): Promise<void> {
      const granted = await approval.approve(click, say);
      if (granted !== null) await run.start(granted, say);
    },
    /** The yes of a form that says for how long and how often it holds. */
    async stood(
      click: Parameters<typeof approval.stand>[0],
      of: Parameters<typeof approval.stand>[1],
      say: Say,
    ): Promise<void> {
      const granted = await approval.stand(click, of, say);
      if (granted !== null) await run.start(granted, say);
    },
    async triedOut(click: Parameters<typeof approval.tryOut>[0], say: Say): Promise<void> {
      const stored = await approval.tryOut(click, say);
      if (stored !== null) await run.start(stored, say);
    },
    /** The same plan once more, with what is read now. */
    async repeated(click: Parameters<typeof approval.again>[0], say: Say): Promise<void> {
      const next = await approval.again(click, say);
      if (next !== null) await show(next.request, { draft: next.plan, turn: next.turn, reply: null }, say);
    },
    rejected: approval.reject,
    stopped: approval.stop,
    /** What a button asked for was looked up: its yes. */
    async pressedYes(of: { requestId: string; number: number }): Promise<void> {
      const granted = await approval.pressed(of);
      if (granted !== null) await run.start(granted, tellNobody);
    },
    /** PagerDuty said that something happened to an incident. */
    lived: follow.changed,
    /** What a run left undone; whichever process ran it, one that plans takes it up. */
    async failed(failed: FailedRun): Promise<void> {
      const next = await plan.remake(failed);
      if (next !== null) await proceed(next.request, next.turn, tellNobody);
    },
  };
}
export type Pipeline = ReturnType<typeof createPipeline>;

/** The rest of it, in the process that runs: what a run tells is worded, stored with what it tells of, and sent. */
export function createTelling({ report }: Pick<Stages, 'report'>) {
  return { told: report.messagesFor, ran: report.stored, left: report.leave };
}
export type Telling = ReturnType<typeof createTelling>;
