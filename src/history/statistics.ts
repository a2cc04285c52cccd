import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { cameRight, type PlannedRequest, readPlanned, wasUnhelpful } from '../core/planned-request.ts';
import { recordedRequests } from '../store/learning-data.ts';
import { shadowPlans } from '../store/shadow-plans.ts';
import { type Course, courses, type ToolSteps, type Totals, toolSteps, totals } from '../store/statistics.ts';
import type { Db } from '../store/tables.ts';
import { type Comparison, comparisons } from './second-planner.ts';

/** The outcomes of a number of requests that led to a plan; one may count under several words. */
export interface Plans {
  readonly planned: number;
  /** Approved or accepted as the answer, without a question or a change. */
  readonly right: number;
  /** Of those, the ones whose run or answer ended well. */
  readonly unaided: number;
  readonly questioned: number;
  readonly edited: number;
  readonly rejected: number;
  readonly expired: number;
  /** Rated by people as helpful, and by nobody as not helpful. */
  readonly helpful: number;
  /** Rated by somebody as not helpful. */
  readonly unhelpful: number;
  /** US dollars for models. */
  readonly usd: number;
}

/** Seconds. */
export interface Spread {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
}

export interface Counted {
  readonly what: string;
  readonly times: number;
}

/** How well requests of a period were served. */
export interface Statistics {
  readonly since: Date;
  /** Requests, with or without a plan. */
  readonly requests: number;
  readonly plans: Plans;
  readonly byPlanner: Readonly<Record<string, Plans>>;
  readonly byChannel: Readonly<Record<string, Plans>>;
  /** By the operator's teams; empty if no channel belongs to one. */
  readonly byTeam: Readonly<Record<string, Plans>>;
  /** `project of jira.count`, most frequent first. */
  readonly edits: readonly Counted[];
  /** Why plans were rejected. */
  readonly reasons: readonly Counted[];
  /** Why plans were rated as not helpful. */
  readonly complaints: readonly Counted[];
  readonly steps: readonly ToolSteps[];
  readonly totals: Totals;
  /** A second planner beside the one that was shown; empty without one. */
  readonly second: readonly Comparison[];
  /** Times since the request; null if there are none. */
  readonly to: Readonly<Record<'evidence' | 'decision' | 'result', Spread | null>>;
}

export interface StatisticsOf {
  readonly teamIds: readonly string[];
  readonly since: Date;
  /** How a channel is called here; null for one that stays unnamed and whose words are left out. */
  placeOf(channel: string): Promise<Place | null>;
}

export interface Place {
  readonly channel: string;
  /** The operator's team that it belongs to. */
  readonly team: string | null;
}

/** Plans that schedules and alerts order were written by operators, so they say nothing about planners. */
const ordered = ['schedule', 'alert'] as const;

/** A request with a plan, with its course. */
type Planned = PlannedRequest & { readonly course: Course | undefined; readonly place: Place | null };

export async function statistics(db: Db, { teamIds, since, placeOf }: StatisticsOf): Promise<Statistics> {
  const period = { teamIds, since };
  const [all, steps, sums, shadows] = await Promise.all([
    courses(db, period),
    toolSteps(db, period),
    totals(db, period),
    shadowPlans(db, period),
  ]);
  const byId = new Map(all.map((course) => [course.id, course]));
  const places = new Map<string, Place | null>();
  const planned: Planned[] = [];
  for (const teamId of teamIds) {
    for await (const one of recordedRequests(db, { teamId, since, except: ordered })) {
      const asked = readPlanned(one, () => null);
      if (asked === null) continue;
      const { id, channel } = asked;
      if (!places.has(channel)) places.set(channel, await placeOf(channel));
      planned.push({ ...asked, course: byId.get(id), place: places.get(channel) ?? null });
    }
  }
  const shown = planned.filter(({ place }) => place !== null);
  return {
    ...{ since, requests: all.length, plans: plansOf(planned) },
    byPlanner: grouped(planned, ({ agent, planner }) => (agent === null ? planner : `agent ${agent}`)),
    byChannel: grouped(planned, ({ place }) => place?.channel ?? 'private channels'),
    byTeam: grouped(planned, ({ place }) => place?.team ?? null),
    edits: counted(planned.flatMap(({ edits }) => edits.map(({ tool, slot }) => editWords(tool, slot)))),
    reasons: counted(shown.flatMap(({ rejectedFor }) => (rejectedFor === null ? [] : [rejectedFor.trim()]))),
    complaints: counted(shown.flatMap(({ ratings }) => ratings.flatMap(({ why }) => why ?? []))),
    ...{ steps, totals: sums },
    second: comparisons(shadows, new Map(planned.map((one) => [one.id, one])), counted),
    to: {
      evidence: spread(all.map(({ evidence }) => evidence)),
      decision: spread(all.map(({ decision }) => decision)),
      result: spread(all.map(({ result }) => result)),
    },
  };
}

function editWords(tool: string, slot: string): string {
  return slot === 'step' ? `${tool} added or left out` : `${slot} of ${tool}`;
}

function plansOf(planned: readonly Planned[]): Plans {
  const count = (fits: (one: Planned) => boolean): number => planned.filter(fits).length;
  const isRight = (one: Planned): boolean => one.wasTaken && cameRight(one);
  return {
    planned: planned.length,
    right: count(isRight),
    unaided: count((one) => isRight(one) && one.course?.outcome === 'done'),
    questioned: count(({ answers }) => answers.length > 0),
    edited: count(({ edits }) => edits.length > 0),
    rejected: count(({ rejectedFor }) => rejectedFor !== null),
    expired: count(({ state }) => state === 'expired'),
    helpful: count((one) => one.ratings.length > 0 && !wasUnhelpful(one)),
    unhelpful: count(wasUnhelpful),
    usd: planned.reduce((sum, { course }) => sum + (course?.usd ?? 0), 0),
  };
}

/** Most requests first. */
function grouped(planned: readonly Planned[], by: (one: Planned) => string | null): Record<string, Plans> {
  const groups = [...Map.groupBy(planned, by)].sort(([, a], [, b]) => b.length - a.length);
  return Object.fromEntries(
    groups.flatMap(([name, members]) => (name === null ? [] : [[name, plansOf(members)]])),
  );
}

function counted(all: readonly string[]): Counted[] {
  return [...Map.groupBy(all, (what) => what.toLowerCase()).values()]
    .map((same) => ({ what: same[0] ?? '', times: same.length }))
    .sort((a, b) => b.times - a.times);
}

/** The nearest value at or above each share. */
function spread(all: readonly (number | null)[]): Spread | null {
  const known = all.filter((one) => one !== null).toSorted((a, b) => a - b);
  const at = (share: number): number => Math.max(0, known[Math.ceil(known.length * share) - 1] ?? 0);
  return known.length === 0 ? null : { count: known.length, median: at(0.5), p95: at(0.95) };
}

/** Milliseconds for which the statistics of the week are shown before they are computed again. */
const weekMs = 600_000;

interface WeeklyDeps {
  readonly db: Db;
  readonly teamIds: () => readonly string[];
  readonly now: () => Date;
  readonly log: Log;
}

/** The statistics of the last seven days as last computed; nobody waits for them, as they read a week of history. */
export function weekly({ db, teamIds, now, log }: WeeklyDeps): () => Statistics | null {
  let [known, askedAt]: [Statistics | null, number] = [null, Number.NEGATIVE_INFINITY];
  return () => {
    const at = now().getTime();
    if (at - askedAt < weekMs) return known;
    askedAt = at;
    const since = new Date(at - 7 * 86_400_000);
    statistics(db, { teamIds: teamIds(), since, placeOf: async () => null }).then(
      (found) => {
        known = found;
      },
      (error: unknown) => log.warn(describeError(error), 'The statistics of the week could not be read'),
    );
    return known;
  };
}
