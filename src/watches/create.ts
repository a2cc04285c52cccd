import type { Message, Say } from '../blocks/message.ts';
import { omissionNotes } from '../blocks/plan-notes.ts';
import { type Cadence, minutesText, momentText } from '../core/cadence.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { effectOf } from '../core/code-step.ts';
import { jsonOf } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { type PlannerReply, planningNotes } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import { saysWhen, takesTime } from '../core/queries/bind.ts';
import type { StoredRequest } from '../core/request.ts';
import { argText, nounFor, vocabularyOf } from '../core/step-words.ts';
import { planTitle, watchedState } from '../core/title.ts';
import { isConditional, scheduleName, type Watch, type WatchLimits } from '../core/watch.ts';
import { setPlan } from '../store/file-watches.ts';
import { setState } from '../store/requests.ts';
import { activeWatch, rowOf } from '../store/watch-rows.ts';
import * as watches from '../store/watches.ts';
import { checkEvent } from './clock.ts';
import type { WatchContext } from './context.ts';
import { dueTicks, firstTick, minuteMs } from './next-tick.ts';
import { closeCard } from './problem.ts';
import {
  cannotChange,
  endIsPast,
  hasEnded,
  tooFar,
  tooManyWatches,
  tooOften,
  watchChanged,
  watchMade,
} from './words.ts';

/** A reviewed plan; `reply` is null if no planner made it. */
export interface Planned {
  readonly request: StoredRequest;
  readonly plan: Plan;
  readonly turn: Turn;
  readonly reply: PlannerReply | null;
}

const dayMs = 86_400_000;

/**
 * Takes a plan that is checked repeatedly: a person's becomes a watch, and a schedule's is what it checks from now on.
 * False for any other plan.
 */
export async function takePlan(planned: Planned, context: WatchContext, say: Say): Promise<boolean> {
  if (planned.request.via === 'schedule') return planSchedule(planned, context);
  if (planned.plan.watch === undefined) return false;
  await makeWatch(planned, context, say);
  return true;
}

/** A model’s words are no title. */
const titled = (plan: Plan, reply: PlannerReply | null, { manifests }: WatchContext): Plan =>
  reply?.planner === 'model' ? { ...plan, summary: planTitle(plan.steps, manifests) } : plan;

/** The first check enters the flow like any other. */
async function planSchedule(
  { request: asked, plan: planned, turn, reply }: Planned,
  context: WatchContext,
): Promise<boolean> {
  const { db, teamId, now } = context;
  const name = scheduleName(asked.requester);
  const watch = name === null || turn.basedOn !== null ? null : await activeWatch(db, { teamId, id: name });
  if (watch === null || watch.plan !== null) return false;
  const { watch: _times, ...plan } = titled(planned, reply, context);
  const { id } = watch;
  const check = checkEvent(id, `watch:${id}:planned:${asked.id}`);
  await setPlan(db, {
    ...{ teamId, id, plan: jsonOf(plan), planner: reply?.planner ?? 'person', requestId: asked.id },
    ...{ check: { key: check.key, event: jsonOf(check) }, at: now() },
  });
  return true;
}

/** Makes a watch from a plan with a schedule, or changes the watch of its request, or tells the person why not. */
async function makeWatch(
  { request: asked, plan, turn, reply }: Planned,
  context: WatchContext,
  say: Say,
): Promise<void> {
  const { db, teamId, limits, manifests, now } = context;
  const { watch: times, ...said } = titled(plan, reply, context);
  if (times === undefined) throw new TypeError('the plan says no times');
  if (turn.basedOn !== null) return say(cannotChange());
  const before = turn.change === null ? null : await activeWatch(db, { teamId, id: `w-${asked.id}` });
  const once = sinceLastCheck(said, { every: times.every, before: before?.every ?? null }, context);
  const at = now();
  const until = new Date(times.until ?? momentText(new Date(at.getTime() + limits.days * dayMs)));
  const wrong = whatIsWrong(times.every, until, at, limits);
  if (wrong !== null) return refuse(wrong);
  const watch = {
    ...{ id: `w-${asked.id}`, owner: asked.requester, goal: asked.goal, channel: asked.channel, until },
    ...{ plan: once, planner: reply?.planner ?? 'person', every: times.every },
    ...{ worse: times.worse ?? limits.worse, nextAt: firstTick(times.every, at) },
    ...{ alarm: { on: null, failures: 0 }, found: null, problem: null },
    ...{ endedAt: null, lookedAt: null, lookKey: null, askedKey: null },
  } as const;
  const state = watchedState(once, manifests);
  const message = watchMade(watch, {
    isConditional: isConditional(once, manifests),
    state,
    summary: once.summary,
    isDefaultEnd: times.until === undefined,
    writes: once.steps.some(({ tool }) => effectOf(tool, manifests) !== 'read'),
    more: [...aboutPlan(once, manifests), ...planningNotes(reply, plan.summary)],
  });
  if (turn.change !== null) {
    const isChanged = await changeWatch(
      watch,
      { by: turn.actor, cause: turn.cause, message, state },
      context,
    );
    return isChanged ? undefined : say(hasEnded());
  }
  const stored = await storeWatch(watch, { threadTs: asked.threadTs, message }, context);
  if (stored === 'person_has_many') return refuse(tooManyWatches('person', limits));
  if (stored === 'there_are_many') return refuse(tooManyWatches('all', limits));
  await setState(db, { teamId, id: asked.id, to: 'closed' });

  async function refuse(message: Message): Promise<void> {
    if (turn.change === null) await setState(db, { teamId, id: asked.id, to: 'refused' });
    await say(message);
  }
}

/** Where no time was said, each check counts what came since the last one; also after its interval has changed. */
function sinceLastCheck(
  plan: Plan,
  { every, before }: { readonly every: Cadence; readonly before: Cadence | null },
  { manifests, queries }: Pick<WatchContext, 'manifests' | 'queries'>,
): Plan {
  const window = windowOf(every);
  const steps = plan.steps.map((step) => {
    const language = manifests.get(step.tool)?.queries;
    const own = queries.filter((query) => query.language === language && query.name === step.args.named);
    const isOld = before !== null && step.args.window === windowOf(before);
    const takes = own.length > 0 ? own.every(takesTime) : language !== 'sql';
    if (language === undefined || window === null || !takes || (saysWhen(step.args) && !isOld)) return step;
    return { ...step, args: { ...step.args, window } };
  });
  const isSame = steps.every((step, index) => step === plan.steps[index]);
  return isSame ? plan : { ...plan, steps, summary: planTitle(steps, manifests) };
}

/** The time between two checks, ISO 8601; null where it differs from check to check. */
function windowOf(every: Cadence): string | null {
  if (!('minutes' in every)) return /^\d+ \d+ \* \* \*$/.test(every.cron) ? 'P1D' : null;
  const text = minutesText(every.minutes).toUpperCase();
  return text.endsWith('D') ? `P${text}` : `PT${text}`;
}

/** Stores it with the message that represents it. */
async function storeWatch(
  watch: Watch,
  { threadTs, message }: { readonly threadTs: string | null; readonly message: Message },
  { db, teamId, limits, reporting, now }: WatchContext,
): ReturnType<typeof watches.insert> {
  const { perPerson, inAll } = limits;
  const row = rowOf(teamId, watch, { entry: null, threadTs, createdAt: now() });
  const made = reporting.toWatch(teamId, watch.id, 'message', { key: `watch:${watch.id}`, message });
  const stored = await watches.insert(db, row, { perPerson, inAll, messages: [made] });
  if (stored === 'new') reporting.kick();
  return stored;
}

/** Changes an active watch's plan or times and reports that on its message; false when it had ended. */
async function changeWatch(
  watch: Watch,
  about: { readonly by: string; readonly cause: string; readonly message: Message; readonly state: string },
  context: WatchContext,
): Promise<boolean> {
  const { db, teamId, reporting, now } = context;
  const { by, cause, message, state } = about;
  const { id } = watch;
  const row = rowOf(teamId, watch, { entry: null, threadTs: null, createdAt: now() });
  const changed = { key: `watch:${id}:changed:${cause}`, message: watchChanged(watch, by, state) };
  const messages = [
    reporting.toWatch(teamId, id, 'update', { key: `watch:${id}:state`, message }),
    reporting.toWatch(teamId, id, 'reply', changed),
  ];
  const problem = (await watches.get(db, { teamId, id }))?.problem ?? null;
  // First, so that a process dying in between leaves no open card.
  if (problem !== null) await closeCard(problem, 'The watch that asked for it was changed.', context);
  const isChanged = await watches.change(db, { ...row, by, at: now(), messages });
  if (isChanged) reporting.kick();
  return isChanged;
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

const maxText = 250;

/** The texts, assumptions and omissions of a plan, which its title does not say. */
function aboutPlan(plan: Plan, manifests: ReadonlyMap<string, Manifest>): string[] {
  const words = vocabularyOf(plan.steps, manifests);
  const texts = plan.steps.flatMap(({ tool, args }) => {
    const isWrite = manifests.get(tool)?.effect === 'write';
    const text = isWrite ? (args.text ?? args.summary) : undefined;
    return text === undefined
      ? []
      : [cut(oneLine(argText(text, (ref) => `{${nounFor(ref, words)}}`)), maxText)];
  });
  return [
    ...[...new Set(texts)].map((text) => `Text: “${text}”`),
    ...plan.assumptions.map((assumption) => `Assumption: ${assumption}`),
    ...omissionNotes(plan),
  ];
}
