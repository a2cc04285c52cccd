import type { Message, Say } from '../blocks/message.ts';
import { type Cadence, momentText } from '../core/cadence.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import { isConditional, type Watch, type WatchLimits } from '../core/watch.ts';
import type { RequestBook } from '../request/ports.ts';
import { dueTicks, firstTick, minuteMs } from './next-tick.ts';
import { cannotChange, endIsPast, hasEnded, tooFar, tooManyWatches, tooOften, watchMade } from './words.ts';

export interface MakePort {
  readonly limits: WatchLimits;
  readonly requests: Pick<RequestBook, 'move'>;
  /** Stores it with the message that represents it. */
  insert(
    watch: Watch & { readonly plan: Plan },
    from: { readonly threadTs: string | null; readonly message: Message },
  ): Promise<'new' | 'known' | 'person_has_many' | 'there_are_many'>;
  /** Changes an active watch's plan or times and reports that on its message; false when it had ended. */
  change(
    watch: Watch & { readonly plan: Plan },
    of: { readonly by: string; readonly cause: string; readonly message: Message },
  ): Promise<boolean>;
  readonly manifests: () => ReadonlyMap<string, Manifest>;
  readonly now: () => Date;
}

const dayMs = 86_400_000;

/** Makes a watch from a plan with a schedule, or changes the watch of its request, or tells the person why not. */
export async function makeWatch(
  asked: StoredRequest,
  { plan, turn, reply }: { plan: Plan; turn: Turn; reply: PlannerReply | null },
  port: MakePort,
  say: Say,
): Promise<void> {
  const { watch: times, ...once } = plan;
  if (times === undefined) throw new TypeError('the plan says no times');
  if (turn.basedOn !== null) return say(cannotChange());
  const { limits } = port;
  const now = port.now();
  const until = new Date(times.until ?? momentText(new Date(now.getTime() + limits.days * dayMs)));
  const wrong = whatIsWrong(times.every, until, now, limits);
  if (wrong !== null) return refuse(wrong);
  const watch = {
    ...{ id: `w-${asked.id}`, owner: asked.requester, goal: asked.goal, channel: asked.channel, until },
    ...{ plan: once, planner: reply?.planner ?? 'person', every: times.every },
    ...{
      worse: times.worse ?? limits.worse,
      nextAt: firstTick(times.every, now),
      alarm: { on: null, failures: 0 },
    },
    ...{ endedAt: null, lookedAt: null, lookKey: null, askedKey: null, found: null, problem: null },
  } as const;
  const message = watchMade(watch, {
    isConditional: isConditional(once, port.manifests()),
    summary: once.summary,
    isDefaultEnd: times.until === undefined,
  });
  if (turn.change !== null) {
    const isChanged = await port.change(watch, { by: turn.actor, cause: turn.cause, message });
    return isChanged ? undefined : say(hasEnded());
  }
  const stored = await port.insert(watch, { threadTs: asked.threadTs, message });
  if (stored === 'person_has_many') return refuse(tooManyWatches('person', limits));
  if (stored === 'there_are_many') return refuse(tooManyWatches('all', limits));
  await port.requests.move({ id: asked.id, to: 'closed' });

  async function refuse(message: Message): Promise<void> {
    if (turn.change === null) await port.requests.move({ id: asked.id, to: 'refused' });
    await say(message);
  }
}

function whatIsWrong(every: Cadence, until: Date, now: Date, limits: WatchLimits): Message | null {
  if (shortest(every, now) < limits.minutes * minuteMs) return tooOften(limits);
  if (until <= now) return endIsPast(until);
  // A named end day may reach beyond the current hour.
  return until.getTime() - now.getTime() > (limits.maxDays + 1) * dayMs ? tooFar(limits) : null;
}

/** The shortest interval between checks within the next two days. */
function shortest(every: Cadence, now: Date): number {
  if ('minutes' in every) return every.minutes * minuteMs;
  const { due } = dueTicks(every, now, new Date(now.getTime() + 2 * dayMs));
  const gaps = due.slice(1).map((tick, index) => tick.getTime() - (due[index]?.getTime() ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...gaps);
}
