import type { StoredRun } from './approval/card-actions.ts';
import type { Rejected } from './approval/change-by-reason.ts';
import type { Say } from './blocks/message.ts';
import type { Arrival, Taken } from './request/intake.ts';
import type { ThreadMessage } from './request/thread-message.ts';
import type { StopClick } from './request/under-way.ts';
import type { Drafted, FrontStages } from './stages.ts';

/**
 * The whole flow: a request is taken in, planned and reviewed; its reads run, and become the answer or go on the card;
 * an approval starts the run that writes. Watches, alerts and agents make requests; the rest of a failed run is planned again.
 */
export function createPipeline(stages: FrontStages) {
  const { request, watches, alerts, agents, plan, review, approval, run, incidents } = stages;

  const submit = async (arrival: Arrival | null, say: Say): Promise<void> =>
    make(arrival && (await request.take(arrival, say)), say);

  async function make(next: Taken | null, say: Say): Promise<void> {
    if (next === null) return;
    const { request: asked, turn, planned } = next;
    try {
      const reply = planned ?? (await request.awaitPlan(asked, plan.make(asked, turn), say));
      if (reply === null) return;
      if (reply.answer.kind === 'refuse') return await request.refuse(asked, reply, say);
      if (reply.answer.kind === 'clarify') return await request.ask(asked, reply, turn, say);
      await show({ request: asked, plan: reply.answer.plan, turn, reply }, say);
    } catch (error) {
      await request.broke(asked, error);
    } finally {
      await request.handled(asked);
    }
  }

  async function change(next: Drafted, say: Say): Promise<void> {
    const { request: asked, turn } = next;
    if (!(await approval.takesMore(turn, say))) return;
    if (turn.change === null) return show(next, say);
    const changed = await request.awaitChange(plan.change(asked, turn, next.plan), say);
    if (!changed.ok) return request.notUnderstood(turn, changed.why, say);
    await show({ ...next, plan: changed.plan, reply: changed.reply }, say);
  }

  async function changeByReason(next: Rejected | null, say: Say): Promise<void> {
    if (next === null || !(await approval.takesMore(next.turn, say))) return;
    const { request: asked, turn } = next;
    const changed = await request.awaitChange(plan.changeByReason(asked, turn, next.plan), say);
    if (!changed.ok) return approval.keepRejected(next, changed.why);
    await show({ ...next, plan: changed.plan, reply: changed.reply }, say);
  }

  async function show(next: Drafted | null, say: Say): Promise<void> {
    if (next === null) return;
    const { request: asked, turn } = next;
    const named = await stages.resolveNames(next.plan, asked);
    const reviewed = review(named.draft, asked.channel);
    const findings = [...named.findings, ...reviewed.findings];
    if (reviewed.plan === null || findings.length > 0) return request.reject(asked, findings, say);
    if (!(await request.admits(asked, reviewed.plan, turn, say))) return;
    const planned = { request: asked, plan: reviewed.plan, turn, reply: next.reply ?? null };
    if (await watches.takePlan(planned, say)) return;
    const { proposal, findings: unlisted } = await stages.listTargets(planned);
    if (proposal === null) return request.reject(asked, unlisted, say);
    const { reads, granted, question } = await approval.propose(proposal, say);
    if (question !== null) return request.ask(asked, question, turn, say);
    if (reads !== null) await run.read(reads, say);
    await start(granted, say);
  }

  async function start(granted: StoredRun | null, say: Say): Promise<void> {
    if (granted !== null) await run.start(granted, say);
  }

  return {
    submitted: (arrival: Arrival, say: Say) => submit(arrival, say),
    watchDue: first(watches.check, submit),
    alertsArrived: alerts.receive,
    alertCardDue: first(alerts.propose, submit),
    alertAcknowledged: first(alerts.acknowledge, submit),
    agentProposed: first(agents.begin, make),
    alertFixed: first(alerts.fix, submit),
    undo: first(request.undo, submit),
    fixed: first(request.fix, submit),
    nextFixed: first(request.nextFix, submit),
    sameAgain: first(request.same, submit),
    followUp: first(request.followUp, submit),
    answered: first(request.answer, make),
    /** False when it is talk between people. */
    async threadMessage(message: ThreadMessage, say: Say): Promise<boolean> {
      const heard = await request.hear(message, say);
      if (heard.kind === 'request') await submit(heard.arrival, say);
      if (heard.kind === 'answer') await make(heard, say);
      if (heard.kind === 'change') await change(heard, say);
      if (heard.kind === 'approval') await start(await approval.approve(heard.click, say), say);
      if (heard.kind === 'rejection') await changeByReason(await approval.reject(heard.click, say), say);
      if (heard.kind === 'stop') await approval.stop(heard.click, say);
      return heard.kind !== 'talk';
    },
    edited: change,
    approved: first(approval.approve, start),
    approvedStanding: first(approval.approveStanding, start),
    approvedByButton: first(approval.approveByButton, start),
    dryRun: first(approval.dryRun, start),
    repeated: first(approval.repeat, show),
    rejected: first(approval.reject, changeByReason),
    stopped: approval.stop,
    async stoppedInThread(click: StopClick, say: Say): Promise<void> {
      for (const run of await request.stopped(click, say)) await approval.stop(run, say);
    },
    incidentChanged: incidents.changed,
    runFailed: first(plan.replan, make),
  };
}
export type Pipeline = ReturnType<typeof createPipeline>;

/** A stage handles an event first; its result goes on. */
function first<E, N>(stage: (event: E, say: Say) => Promise<N>, next: (of: N, say: Say) => Promise<void>) {
  return async (event: E, say: Say): Promise<void> => next(await stage(event, say), say);
}
