import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RowKind } from '../core/damaged-row.ts';
import type { ModelUsage, PlannerReply } from '../core/planning.ts';
import type { RunEvent } from '../core/run.ts';
import type { SlotChange } from '../core/slot-change.ts';
import { beginWithZero, type Counters, createCounters } from './counters.ts';
import { modes, statuses } from './labels.ts';
import { createWeek, type Week } from './week.ts';

/** A revision that was decided, replaced or expired. */
export interface DecidedRevision {
  readonly state: string;
  readonly planner: string;
  readonly createdAt: Date;
  /** Null if neither a person nor its expiry decided it. */
  readonly decidedAt: Date | null;
}

/** Current figures from the database. */
export interface CurrentFigures {
  /** Number of waiting or active items, by kind. */
  readonly open: Readonly<Record<string, { readonly count: number; readonly oldestSeconds: number }>>;
  /** Schedule ticks of the last 24 hours, by outcome. */
  readonly ticks: Readonly<Record<string, number>>;
  readonly areWritesStopped: boolean;
  /** Null until it is known. */
  readonly week: Week | null;
}

/**
 * Counts events while the bot works. The code that builds a part connects it here. Series that start at 0 must be known
 * in advance: Prometheus takes a series' first value as its baseline.
 */
export interface Figures {
  /** Registers a tool. */
  willRun(tool: string, effect: string): void;
  /** Registers a vendor. */
  willCall(vendor: string): void;
  /** Registers a model. */
  willAsk(model: string): void;
  requested(via: string): void;
  planned(planner: PlannerReply['planner'] | 'none', outcome: string, seconds: number): void;
  /** Something from Slack was acknowledged. */
  acknowledged(seconds: number): void;
  /** A request has its card or answer. */
  shown(seconds: number): void;
  /** A statement of the database ended. */
  queried(seconds: number, outcome: 'ok' | 'error'): void;
  /** A request was refused; `reason`: the planner's, or the review's rule. */
  refused(reason: string): void;
  decided(revision: DecidedRevision): void;
  /** A person's changes to a plan. */
  edited(changes: readonly SlotChange[]): void;
  /** A stored row is damaged. */
  damaged(kind: RowKind): void;
  ran(event: RunEvent, effectOf: (tool: string) => string): void;
  /** A completed write; `key` identifies it. */
  wrote(tool: string, key: string): void;
  /** `code`: why a vendor call failed, null when it did not. */
  called(vendor: string, call: string, seconds: number, code: string | null): void;
  spent(usage: ModelUsage): void;
  /**
   * All metrics in Prometheus' text format, with the current readiness and figures; without the figures if they are
   * unavailable.
   */
  exposition(
    current: () => Promise<CurrentFigures>,
    ready: () => Promise<Readonly<Record<string, boolean>>>,
  ): Promise<string>;
  readonly contentType: string;
}

/** Maximum keys of writes remembered for detecting duplicates. */
const maxKeys = 10_000;

/** All of the bot's metrics, in a separate registry. */
export function createFigures(version: string, role: string): Figures {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  beginWithZero(counters);
  const [showCurrent, showWeek] = [createCurrent(registry), createWeek(registry)];
  const parts = gaugeOf(registry, 'ready', '1 for a part that is ready, 0 for one that is not.', ['part']);
  gaugeOf(registry, 'build_info', 'Always 1; version and role are its labels.', ['version', 'role']).set(
    { version, role },
    1,
  );
  return {
    contentType: registry.contentType,
    ...announcing(counters),
    ...countingRequests(counters),
    ...countingWork(counters),
    async exposition(current, ready) {
      const [known, each] = await Promise.all([current().catch(() => null), ready()]);
      showCurrent(known);
      showWeek(known?.week ?? null);
      for (const [part, isReady] of Object.entries(each)) parts.set({ part }, isReady ? 1 : 0);
      return registry.metrics();
    },
  };
}

/** Starts the series of registered things at 0. */
function announcing(counters: Counters): Pick<Figures, 'willRun' | 'willCall' | 'willAsk'> {
  return {
    willRun(tool, effect) {
      counters.stepTime.zero({ tool });
      for (const mode of modes)
        for (const status of statuses) counters.steps.inc({ mode, tool, effect, status }, 0);
    },
    willCall(vendor) {
      for (const outcome of ['ok', 'error']) counters.callTime.zero({ vendor, outcome });
    },
    willAsk(model) {
      for (const kind of ['prompt', 'cached', 'completion']) counters.tokens.inc({ model, kind }, 0);
      counters.usd.inc({ model }, 0);
    },
  };
}

/** From the request to the decision. */
function countingRequests(
  counters: Counters,
): Pick<
  Figures,
  'acknowledged' | 'requested' | 'planned' | 'shown' | 'refused' | 'damaged' | 'decided' | 'edited'
> {
  return {
    acknowledged: (seconds) => counters.acknowledging.observe(seconds),
    shown: (seconds) => counters.cardTime.observe(Math.max(0, seconds)),
    requested: (via) => counters.requests.inc({ via }),
    planned(planner, outcome, seconds) {
      counters.plans.inc({ planner, outcome });
      counters.planning.observe({ planner }, seconds);
    },
    refused: (reason) => counters.refusals.inc({ reason }),
    damaged: (kind) => counters.damaged.inc({ kind }),
    decided({ state, planner, createdAt, decidedAt }) {
      counters.decisions.inc({ decision: state, planner });
      if (decidedAt === null || !(state === 'approved' || state === 'rejected')) return;
      const seconds = (decidedAt.getTime() - createdAt.getTime()) / 1_000;
      counters.decisionTime.observe({ decision: state }, Math.max(0, seconds));
    },
    edited(changes) {
      for (const { tool, slot } of changes) counters.edits.inc({ tool, slot });
    },
  };
}

/** Runs, and the calls of vendors and models. */
function countingWork(counters: Counters): Pick<Figures, 'ran' | 'queried' | 'wrote' | 'called' | 'spent'> {
  const made = new Set<string>();
  return {
    ran(event, effectOf) {
      const { mode } = event;
      if (event.type === 'finished') {
        counters.runs.inc({ mode, outcome: event.outcome });
        const began = event.results.map(({ startedAt }) => startedAt).toSorted()[0];
        if (began !== undefined) counters.runTime.observe({ mode }, secondsFrom(began, event.at));
      }
      if (event.type !== 'step_finished') return;
      const { tool, status, startedAt, finishedAt } = event.result;
      counters.steps.inc({ mode, tool, effect: effectOf(tool), status });
      if (status !== 'skipped') counters.stepTime.observe({ tool }, secondsFrom(startedAt, finishedAt));
    },
    queried: (seconds, outcome) => counters.statementTime.observe({ outcome }, seconds),
    wrote(tool, key) {
      if (made.has(key)) counters.repeats.inc({ tool });
      made.add(key);
      const [oldest = ''] = made;
      if (made.size > maxKeys) made.delete(oldest);
    },
    called(vendor, call, seconds, code) {
      counters.callTime.observe({ vendor, outcome: code === null ? 'ok' : 'error' }, seconds);
      if (code !== null) counters.callErrors.inc({ vendor, call, code });
    },
    spent({ model, promptTokens, cachedTokens, completionTokens, usd }) {
      counters.tokens.inc({ model, kind: 'prompt' }, promptTokens);
      counters.tokens.inc({ model, kind: 'cached' }, cachedTokens);
      counters.tokens.inc({ model, kind: 'completion' }, completionTokens);
      counters.usd.inc({ model }, usd);
    },
  };
}

/** Between two ISO times; processes may disagree by a moment. */
function secondsFrom(began: string, ended: string): number {
  return Math.max(0, (Date.parse(ended) - Date.parse(began)) / 1_000);
}

function gaugeOf<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[],
): Gauge<L> {
  return new Gauge({ name: `countersign_${name}`, help, labelNames: [...labelNames], registers: [registry] });
}

/** Sets the gauges; leaves them out when the figures are unknown, because an old value looks like a current one. */
function createCurrent(registry: Registry): (current: CurrentFigures | null) => void {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    gaugeOf(registry, name, help, labelNames);
  const open = gauge('open', 'What waits or is under way; the same from every process.', ['what']);
  const oldest = gauge('oldest_seconds', 'Age of the oldest of them.', ['what']);
  const ticks = gauge('schedule_ticks_day', 'Ticks of schedules of the last 24 hours.', ['state']);
  const stopped = gauge('writes_stopped', '1 while the kill switch is on.', []);
  return (current) => {
    for (const each of [open, oldest, ticks, stopped]) each.reset();
    stopped.remove();
    if (current === null) return;
    for (const [what, { count, oldestSeconds }] of Object.entries(current.open)) {
      open.set({ what }, count);
      oldest.set({ what }, oldestSeconds);
    }
    for (const [state, count] of Object.entries(current.ticks)) ticks.set({ state }, count);
    stopped.set(current.areWritesStopped ? 1 : 0);
  };
}
