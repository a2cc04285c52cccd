import type { Message } from '../blocks/message.ts';
import { cadenceWords } from '../core/cadence.ts';
import type { Finding } from '../core/finding.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import { isConditional, scheduleName, type Watch, type WatchLimits } from '../core/watch.ts';
import { type Alarm, type AlarmEvent, afterLook } from '../core/watch-state.ts';
import { type Arrival, requestIdOf } from '../request/intake.ts';
import { readSubcommand } from '../request/subcommand.ts';
import { type EndPort, endWatch } from './end.ts';
import { type Judged, judge, type Seen } from './evaluate.ts';
import {
  closeCard,
  type ProblemCard,
  type ProblemPort,
  type ProblemState,
  problemState,
  threadOf,
} from './problem.ts';
import { cannotLook, itIsOver, itIsWorse, worksAgain } from './words.ts';

/** Next action for the pipeline after a check. */
export type Due =
  | { readonly kind: 'nothing' }
  /** Its goal has to be planned before anything can be checked. */
  | { readonly kind: 'plan'; readonly arrival: Arrival }
  /** Its plan is shown: a card to approve, or an answer. */
  | { readonly kind: 'show'; readonly arrival: Arrival; readonly plan: Plan; readonly reply: PlannerReply }
  /** Its card is waiting. */
  | { readonly kind: 'waits'; readonly requestId: string };

/** A message of a watch, sent once per key. */
export interface WatchWord {
  /** The thread of a problem's card or answer, the watch's own thread, or the channel if there is no card. */
  readonly to: Pick<ProblemCard, 'requestId' | 'number'> | 'watch' | 'channel';
  readonly key: string;
  readonly message: Message;
}

export interface TickPort extends Pick<EndPort, 'load' | 'end'>, ProblemPort {
  readonly teamId: string;
  readonly limits: WatchLimits;
  /** Findings on a plan under the current catalogue and rules. */
  review(plan: Plan, channel: string): readonly Finding[];
  /** Reads without keeping anything. */
  look(watch: Watch, plan: Plan): Promise<Seen>;
  /** Stores a check with its messages; false when it is already stored. */
  store(watch: Watch, look: Omit<StoredLook, 'watch'>): Promise<boolean>;
  /** Posts the handover for the next shift to a channel, once per key. */
  handOver(channel: string, hours: number, key: string): Promise<void>;
  readonly manifests: () => ReadonlyMap<string, Manifest>;
}

export interface StoredLook {
  readonly watch: Watch;
  readonly key: string;
  readonly alarm: Alarm;
  readonly found: string;
  /** The request about to be made, or the last one. */
  readonly problem: string | null;
  readonly asked: boolean;
  readonly words: readonly WatchWord[];
}

const nothing: Due = { kind: 'nothing' };
const dayMs = 86_400_000;

/** One check: reads, reports what is worth reporting, and returns the next action. Idempotent. */
export async function tick(
  { id, key }: { readonly id: string; readonly key: string },
  port: TickPort,
): Promise<Due> {
  const watch = await port.load(id);
  if (watch === null || watch.endedAt !== null) return nothing;
  const words = scheduleName(watch.owner) === null ? null : readSubcommand(watch.goal);
  if (words?.kind === 'handover') {
    await port.handOver(watch.channel, words.hours, key);
    const { alarm } = watch;
    await port.store(watch, { key, alarm, found: 'handed over', problem: null, asked: false, words: [] });
    return nothing;
  }
  const { plan } = watch;
  if (plan === null) return unplanned(watch, key, port);
  const [wrong] = port.review(plan, watch.channel);
  if (wrong !== undefined) {
    await endWatch(watch, { by: 'system', reason: `It cannot continue. ${wrong.message}` }, port);
    return nothing;
  }
  if (!isConditional(plan, port.manifests())) return shown(watch, plan, key, null);
  if (watch.lookKey === key) return repeated(watch, plan, key, port);
  const judged = judge(plan, await port.look(watch, plan), port.manifests());
  const { worse } = watch;
  const heard = afterLook(
    watch.alarm,
    judged.look,
    { worse, failures: port.limits.failures },
    port.now().toISOString(),
  );
  if (heard.events.includes('failing') && judged.isRefused && scheduleName(watch.owner) === null) {
    await endWatch(watch, { by: 'system', reason: `It cannot continue. ${judged.found}` }, port);
    return nothing;
  }
  return follow(watch, plan, { key, judged, ...heard }, port);
}

interface Heard {
  readonly key: string;
  readonly judged: Judged;
  readonly alarm: Alarm;
  readonly events: readonly AlarmEvent[];
}

async function follow(
  watch: Watch,
  plan: Plan,
  { key, judged, alarm, events }: Heard,
  port: TickPort,
): Promise<Due> {
  const state = watch.problem === null || alarm.on === null ? null : await problemState(watch.problem, port);
  const asks = events.includes('began') || (judged.look.kind === 'true' && asksAgain(state, events));
  const problem = asks ? requestIdOf(port.teamId, askKey(key)) : watch.problem;
  const head = watch.problem === null || events.length === 0 ? null : await port.head(watch.problem);
  const of = { key, failures: alarm.failures, card: head?.card ?? null };
  const words = events.flatMap((event) => wordsOf(event, watch, judged, of));
  const thread =
    asks && !events.includes('began') && watch.problem !== null ? await threadOf(watch.problem, port) : null;
  const stored = await port.store(watch, { key, alarm, found: judged.found, problem, asked: asks, words });
  if (!stored) return nothing;
  if (events.includes('over')) await closeItsCard(watch, judged.found, port);
  if (asks) return shown(watch, plan, key, thread, lookBefore(watch));
  return state?.kind === 'waits' && watch.problem !== null
    ? { kind: 'waits', requestId: watch.problem }
    : nothing;
}

/** A goal from the file. A failure to plan it is reported once a day, and a question waits for its answer. */
async function unplanned(watch: Watch, key: string, port: TickPort): Promise<Due> {
  const due: Due = { kind: 'plan', arrival: arrivalOf(watch, key, null) };
  if (watch.lookKey === key) return due;
  const state = watch.problem === null ? null : await problemState(watch.problem, port);
  if (state?.kind === 'under_way') return nothing;
  const since =
    watch.lookedAt === null ? Number.POSITIVE_INFINITY : port.now().getTime() - watch.lookedAt.getTime();
  if (since < dayMs) return nothing;
  const { alarm } = watch;
  const look = {
    key,
    alarm,
    found: 'not planned yet',
    problem: requestIdOf(port.teamId, key),
    asked: true,
    words: [],
  };
  return (await port.store(watch, look)) ? due : nothing;
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

function wordsOf(
  event: AlarmEvent,
  watch: Watch,
  { found }: Judged,
  { key, failures, card }: { key: string; failures: number; card: ProblemCard | null },
): WatchWord[] {
  const word = (to: WatchWord['to'], message: Message): WatchWord[] => [
    { to, key: `${key}:${event}`, message },
  ];
  if (event === 'worse') return word(card ?? 'channel', itIsWorse(found, watch.alarm.on?.said ?? null));
  if (event === 'over') return word(card ?? 'channel', itIsOver(found, watch.alarm.on?.since ?? ''));
  if (event === 'failing') return word('watch', cannotLook(watch, found, failures));
  return event === 'works' ? word('watch', worksAgain(watch, found)) : [];
}

/** A check stored by a process before it died: completes what it was about to do, without repeating messages. */
async function repeated(watch: Watch, plan: Plan, key: string, port: TickPort): Promise<Due> {
  if (watch.alarm.on === null) await closeItsCard(watch, watch.found ?? '', port);
  if (watch.askedKey !== key) return nothing;
  return shown(watch, plan, key, null);
}

async function closeItsCard({ problem }: Watch, found: string, port: TickPort): Promise<void> {
  if (problem === null) return;
  await closeCard(problem, found === '' ? 'It is over.' : `It is over: ${found}.`, port);
}

function askKey(key: string): string {
  return `${key}:ask`;
}

/** The finding of the last clear check, for the approver. */
function lookBefore({ found, alarm }: Watch): string[] {
  return found === null || found === '' || alarm.failures > 0 ? [] : [`The check before: ${found}.`];
}

function shown(
  watch: Watch,
  plan: Plan,
  key: string,
  threadTs: string | null,
  before: readonly string[] = [],
): Due {
  const { id, planner, every, owner } = watch;
  const source = { scope: `watch:${id}`, version: '' };
  const origin = scheduleName(owner) === null ? [`From a watch that checks ${cadenceWords(every)}.`] : [];
  const notes = [...origin, ...before];
  const reply: PlannerReply = {
    answer: { kind: 'plan', plan },
    planner,
    confidence: 1,
    usage: null,
    notes,
    source,
  };
  return { kind: 'show', arrival: arrivalOf(watch, askKey(key), threadTs), plan, reply };
}

function arrivalOf({ owner, goal, channel }: Watch, key: string, threadTs: string | null): Arrival {
  return { key, text: goal, via: 'schedule', requester: owner, home: null, channel, threadTs, quoted: null };
}
