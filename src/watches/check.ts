import { cadenceWords } from '../core/cadence.ts';
import { readRow } from '../core/damaged-row.ts';
import { jsonOf } from '../core/json.ts';
import type { Plan } from '../core/plan.ts';
import { certainReply, type PlannerReply } from '../core/planning.ts';
import { type Alarm, isConditional, scheduleName, type Watch } from '../core/watch.ts';
import { type Arrival, requestIdOf } from '../request/intake.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import { watchReader } from '../store/watch-rows.ts';
import * as ticks from '../store/watch-ticks.ts';
import { get } from '../store/watches.ts';
import { type AlarmEvent, afterCheck } from './alarm.ts';
import type { TickEvent } from './clock.ts';
import type { WatchContext } from './context.ts';
import { endWatch } from './end.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { cardOf, closeCard, type ProblemState, problemState, threadOf } from './problem.ts';
import { eventMessage } from './report.ts';
import { commandOf } from './schedules.ts';

const dayMs = 86_400_000;

/**
 * One check: reads, reports what is worth reporting, and returns the request that enters the flow, if any: its goal
 * while that has no plan, else its plan. Idempotent.
 */
export async function checkWatch(
  { watch: id, key }: Pick<TickEvent, 'watch' | 'key'>,
  context: WatchContext,
): Promise<Arrival | null> {
  const { db, teamId } = context;
  const row = await get(db, { teamId, id });
  // A row that was damaged since its tick is reported as such.
  const watch = row === null || row.endedAt !== null ? null : readRow(row, watchReader, context.damaged);
  if (watch === null) return null;
  const command = commandOf(watch);
  if (command?.kind === 'handover') {
    await context.handOver(watch.channel, command.hours, key);
    await storeCheck(watch, { ...quiet, key, alarm: watch.alarm, found: 'handed over' }, context);
    return null;
  }
  if (command?.kind === 'report') {
    await context.postReport(watch.channel, command.days, key);
    await storeCheck(watch, { ...quiet, key, alarm: watch.alarm, found: 'reported' }, context);
    return null;
  }
  const { plan } = watch;
  if (plan === null) return unplanned(watch, key, context);
  const [wrong] = context.review(plan, watch.channel).findings;
  if (wrong !== undefined) return cannotContinue(watch, wrong.message, context);
  if (watch.lookKey === key) return repeated(watch, plan, key, context);
  if (!isConditional(plan, context.manifests)) return requestOf(watch, plan, key, null);
  const seen = await context.read({ requestId: `watch-${watch.id}`, requester: watch.owner, plan });
  return reportCheck(watch, plan, { key, ...evaluate(plan, seen, context.manifests) }, context);
}

async function cannotContinue(watch: Watch, why: string, context: WatchContext): Promise<null> {
  await endWatch(watch, { by: 'system', reason: `It cannot continue. ${why}` }, context);
  return null;
}

interface Check extends Evaluation {
  readonly key: string;
}

/** The effect of a clear or unclear result, given the last report. */
async function reportCheck(
  watch: Watch,
  plan: Plan,
  { key, result, found, isRefused }: Check,
  context: WatchContext,
): Promise<Arrival | null> {
  const { worse, problem: before } = watch;
  const limits = { worse, failures: context.limits.failures };
  const { alarm, events } = afterCheck(watch.alarm, result, limits, context.now().toISOString());
  if (events.includes('failing') && isRefused && scheduleName(watch.owner) === null)
    return cannotContinue(watch, found, context);
  const state = before === null || alarm.on === null ? null : await problemState(before, context);
  const hasBegun = events.includes('began');
  const asks = hasBegun || (result.kind === 'true' && asksAgain(state, events));
  const problem = asks ? requestIdOf(context.teamId, askKey(key)) : before;
  const card = before === null || events.length === 0 ? null : await cardOf(before, context);
  const about = { key, failures: alarm.failures, found, card };
  const messages = events.flatMap((event) => eventMessage(event, watch, about, context));
  const thread = asks && !hasBegun && before !== null ? await threadOf(before, context) : null;
  const check = { key, alarm, found, problem, asked: asks, messages };
  if (!(await storeCheck(watch, check, context))) return null;
  if (events.includes('over')) await closeItsCard(watch, found, context);
  return asks ? requestOf(watch, plan, key, thread, lookBefore(watch)) : null;
}

/** Without a message, and without a request. */
const quiet = { problem: null, asked: false, messages: [] };

/** Stores a check with its messages; false when it is already stored. */
async function storeCheck(
  { id }: Watch,
  check: {
    readonly key: string;
    readonly alarm: Alarm;
    readonly found: string;
    /** The request about to be made, or the last one. */
    readonly problem: string | null;
    readonly asked: boolean;
    readonly messages: readonly OutboxMessage[];
  },
  { db, teamId, reporting, now }: WatchContext,
): Promise<boolean> {
  const isStored = await ticks.storeCheck(db, {
    ...check,
    teamId,
    id,
    alarm: jsonOf(check.alarm),
    at: now(),
  });
  if (isStored && check.messages.length > 0) reporting.kick();
  return isStored;
}

/** A goal from the file. A failure to plan it is reported once a day, and a question waits for its answer. */
async function unplanned(watch: Watch, key: string, context: WatchContext): Promise<Arrival | null> {
  const arrival = arrivalOf(watch, key, null);
  if (watch.lookKey === key) return arrival;
  const state = watch.problem === null ? null : await problemState(watch.problem, context);
  if (state?.kind === 'under_way') return null;
  const at = context.now().getTime();
  if (watch.lookedAt !== null && at - watch.lookedAt.getTime() < dayMs) return null;
  const problem = requestIdOf(context.teamId, key);
  const check = { ...quiet, key, alarm: watch.alarm, found: 'not planned yet', problem, asked: true };
  return (await storeCheck(watch, check, context)) ? arrival : null;
}

/**
 * A new approval is needed: nobody answered, the incident was resolved but the problem persists, or it got worse since
 * the decision.
 */
function asksAgain(state: ProblemState | null, events: readonly AlarmEvent[]): boolean {
  if (state === null || state.kind === 'waits' || state.kind === 'under_way') return false;
  if (state.kind === 'expired') return true;
  if (state.kind === 'acted' && state.incident !== 'none') return state.incident === 'resolved';
  return events.includes('worse');
}

/** A check stored by a process before it died: completes what it was about to do, without repeating messages. */
async function repeated(
  watch: Watch,
  plan: Plan,
  key: string,
  context: WatchContext,
): Promise<Arrival | null> {
  if (watch.alarm.on === null) await closeItsCard(watch, watch.found ?? '', context);
  return watch.askedKey === key ? requestOf(watch, plan, key, null) : null;
}

async function closeItsCard({ problem }: Watch, found: string, context: WatchContext): Promise<void> {
  if (problem === null) return;
  await closeCard(problem, found === '' ? 'It is over.' : `It is over: ${found}.`, context);
}

function askKey(key: string): string {
  return `${key}:ask`;
}

/** The finding of the last clear check, for the approver. */
function lookBefore({ found, alarm }: Watch): string[] {
  return found === null || found === '' || alarm.failures > 0 ? [] : [`The check before: ${found}.`];
}

/** The request for its plan: a card to approve, or an answer. */
function requestOf(
  watch: Watch,
  plan: Plan,
  key: string,
  threadTs: string | null,
  before: readonly string[] = [],
): Arrival {
  const { id, planner, every, owner } = watch;
  const origin = scheduleName(owner) === null ? [`From a watch that checks ${cadenceWords(every)}.`] : [];
  const reply = certainReply({ kind: 'plan', plan }, planner, [...origin, ...before]);
  const planned: PlannerReply = { ...reply, source: { scope: `watch:${id}`, version: '' } };
  return { ...arrivalOf(watch, askKey(key), threadTs), planned };
}

function arrivalOf({ owner, goal, channel }: Watch, key: string, threadTs: string | null): Arrival {
  return { key, text: goal, via: 'schedule', requester: owner, home: null, channel, threadTs, quoted: null };
}
