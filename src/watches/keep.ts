import type { Say } from '../blocks/message.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import { scheduleName } from '../core/watch.ts';
import { type MakePort, makeWatch } from './create.ts';
import { type Due, type TickPort, tick } from './tick.ts';

export interface KeepPort extends MakePort, TickPort {
  /** Stores the plan made for the goal of a file watch. */
  setPlan(id: string, plan: Plan, planner: PlannerReply['planner']): Promise<void>;
}

/**
 * Keeps a plan with repeated checks: a person's becomes a watch, and a schedule's is what it checks from now on. Null
 * for any other plan.
 */
export async function keep(
  asked: StoredRequest,
  drafted: { plan: Plan; turn: Turn; reply: PlannerReply | null },
  port: KeepPort,
  say: Say,
): Promise<Due | null> {
  const { plan, turn, reply } = drafted;
  const { watch: times, ...once } = plan;
  if (asked.via !== 'schedule') {
    if (times === undefined) return null;
    await makeWatch(asked, drafted, port, say);
    return { kind: 'nothing' };
  }
  const name = scheduleName(asked.requester);
  const watch = name === null || turn.basedOn !== null ? null : await port.load(name);
  if (watch === null || watch.plan !== null || watch.endedAt !== null) return null;
  await port.setPlan(watch.id, once, reply?.planner ?? 'person');
  await port.requests.move({ id: asked.id, to: 'closed' });
  return tick({ id: watch.id, key: `watch:${watch.id}:planned:${asked.id}` }, port);
}
