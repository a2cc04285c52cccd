import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RowKind } from '../core/damage.ts';
import type { ModelUsage, PlannerReply } from '../core/planning.ts';
import type { RunEvent } from '../core/run.ts';
import type { SlotChange } from '../core/slot-change.ts';
import { beginWithZero, type Counters, createCounters } from './counters.ts';
import { modes, statuses } from './labels.ts';

/** What is known of a revision that is decided, replaced or expired. */
export interface DecidedRevision {
  readonly state: string;
  readonly planner: string;
  readonly createdAt: Date;
  /** Null where neither a person nor time decided. */
  readonly decidedAt: Date | null;
}

/** How things stand in the database at this moment. */
export interface Standing {
  /** How many wait or are under way, by what they are. */
  readonly open: Readonly<Record<string, { readonly count: number; readonly oldestSeconds: number }>>;
  /** Ticks of schedules of the last 24 hours, by what became of them. */
  readonly ticks: Readonly<Record<string, number>>;
  readonly areWritesStopped: boolean;
}

/**
 * What is counted while the bot works. Each part is told of what happens in it by whoever built it. What is counted from
 * 0 on has to be known beforehand: Prometheus takes the first value that it sees of a series for its beginning.
 */
export interface Figures {
  /** There is such a tool. */
  willRun(tool: string, effect: string): void;
  /** There is such a vendor. */
  willCall(vendor: string): void;
  /** There is such a model. */
  willAsk(model: string): void;
  requested(via: string): void;
  planned(planner: PlannerReply['planner'] | 'none', outcome: string, seconds: number): void;
  /** A request was turned down; `reason`: the planner's, or the rule of the review. */
  refused(reason: string): void;
  decided(revision: DecidedRevision): void;
  /** What a person changed in a plan. */
  edited(changes: readonly SlotChange[]): void;
  /** A stored row is damaged. */
  damaged(kind: RowKind): void;
  ran(event: RunEvent, effectOf: (tool: string) => string): void;
  /** A write was made; `key` names it. */
  wrote(tool: string, key: string): void;
  /** `code`: why a call of a vendor failed, null when it did not. */
  called(vendor: string, call: string, seconds: number, code: string | null): void;
  spent(usage: ModelUsage): void;
  /**
   * All of it in Prometheus' text format, with what is ready and how things stand now; without the latter where it cannot
   * be asked.
   */
  exposition(
    standing: () => Promise<Standing>,
    ready: () => Promise<Readonly<Record<string, boolean>>>,
  ): Promise<string>;
  readonly contentType: string;
}

/** Keys of writes that are remembered to notice one that is made twice. */
const maxKeys = 10_000;

/** Every figure that the bot shows, in a registry of its own. */
export function createFigures(version: string, role: string): Figures {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  beginWithZero(counters);
  const showStanding = createStanding(registry);
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
    async exposition(standing, ready) {
      const [known, each] = await Promise.all([standing().catch(() => null), ready()]);
      showStanding(known);
      for (const [part, isReady] of Object.entries(each)) parts.set({ part }, isReady ? 1 : 0);
      return registry.metrics();
    },
  };
}

/** Begins series with 0 for what there is. */
function announcing(counters: Counters): Pick<Figures, 'willRun' | 'willCall' | 'willAsk'> {
  return {
    willRun(tool, effect) {
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
): Pick<Figures, 'requested' | 'planned' | 'refused' | 'damaged' | 'decided' | 'edited'> {
  return {
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
function countingWork(counters: Counters): Pick<Figures, 'ran' | 'wrote' | 'called' | 'spent'> {
  const made = new Set<string>();
  return {
    ran(event, effectOf) {
      const { mode } = event;
      if (event.type === 'finished') counters.runs.inc({ mode, outcome: event.outcome });
      if (event.type !== 'step_finished') return;
      const { tool, status } = event.result;
      counters.steps.inc({ mode, tool, effect: effectOf(tool), status });
    },
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

function gaugeOf<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[],
): Gauge<L> {
  return new Gauge({ name: `countersign_${name}`, help, labelNames: [...labelNames], registers: [registry] });
}

/** Sets the gauges; they are left out when nothing is known, for an old figure reads like a new one. */
function createStanding(registry: Registry): (standing: Standing | null) => void {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    gaugeOf(registry, name, help, labelNames);
  const open = gauge('open', 'What waits or is under way; the same from every process.', ['what']);
  const oldest = gauge('oldest_seconds', 'Age of the oldest of them.', ['what']);
  const ticks = gauge('schedule_ticks_day', 'Ticks of schedules of the last 24 hours.', ['state']);
  const stopped = gauge('writes_stopped', '1 while the kill switch is on.', []);
  return (standing) => {
    for (const each of [open, oldest, ticks, stopped]) each.reset();
    stopped.remove();
    if (standing === null) return;
    for (const [what, { count, oldestSeconds }] of Object.entries(standing.open)) {
      open.set({ what }, count);
      oldest.set({ what }, oldestSeconds);
    }
    for (const [state, count] of Object.entries(standing.ticks)) ticks.set({ state }, count);
    stopped.set(standing.areWritesStopped ? 1 : 0);
  };
}
