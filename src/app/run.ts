import { setTimeout as pause } from 'node:timers/promises';
import type { Writers } from '../core/ports.ts';
import { unseal } from '../core/revision.ts';
import type { FailedRun, RunEvent } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';
import { firstTurn, type Pipeline, tellNobody } from '../pipeline.ts';
import type { RunnerDeps } from '../run/ports.ts';
import { holdExecutorLock } from '../store/executor-lock.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import { createRunStore } from '../store/run-store.ts';
import * as runs from '../store/runs.ts';
import { cardLink } from './card-link.ts';
import { every } from './every.ts';
import type { World } from './world.ts';

export interface RunWiring {
  readonly databaseUrl: string;
  readonly engineIsMigrated: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly writers: Writers;
  readonly pipeline: Pipeline;
  /** Null without a model. */
  readonly judge: RunnerDeps['judge'];
  readonly onLost: (reason: Error) => void;
}

/** Runs of one request, the first one included, after which a person has to look. */
const mostRuns = 3;
/** Outcomes of steps after which another try cannot be better. */
const hopeless = new Set(['kill_switch', 'cancelled', 'over_cap', 'digest_mismatch', 'no_grant']);

/** What the runner is given. */
export function runnerDeps(world: World, wiring: RunWiring): RunnerDeps {
  const { db, log, now, readers, catalogue, policy } = world;
  const { databaseUrl, engineIsMigrated, tools, writers, onLost } = wiring;
  return {
    ...{ databaseUrl, engineIsMigrated, tools, readers, writers, catalogue, policy, onLost, now, log },
    store: createRunStore(db),
    holdLock: (id, lost) => holdExecutorLock(databaseUrl, id, lost),
    threadLink: async (teamId, requestId) => cardLink(world, await revisions.latest(db, teamId, requestId)),
    emit: (event) => tell(world, event),
    onFailure: (failed) => replan(world, wiring.pipeline, failed),
    judge: wiring.judge,
    every: (ms, round) => every(ms, round, log),
    sleep: (ms) => pause(ms),
    random: Math.random,
  };
}

async function tell({ db, reporting }: World, event: RunEvent): Promise<void> {
  if (event.type === 'finished' && event.mode === 'run') {
    const { teamId, requestId: id } = event;
    await requests.setState(db, { teamId, id, to: 'finished', from: ['review', 'running'] });
  }
  await reporting.run(event);
}

/** What a failed run left undone becomes a new card, a bounded number of times; a person has to approve it again. */
async function replan(world: World, pipeline: Pipeline, failed: FailedRun): Promise<void> {
  const { db, teamId } = world;
  if (failed.mode !== 'run' || failed.outcome === 'cancelled') return;
  if (failed.results.some(({ reason }) => hopeless.has(reason?.code ?? ''))) return;
  const all = await runs.listOf(db, teamId, failed.requestId);
  if (all.filter((run) => run.mode === 'run').length >= mostRuns) return;
  const request = await requests.get(db, teamId, failed.requestId);
  const row = await revisions.latest(db, teamId, failed.requestId);
  // A newer card is there already: this was told twice, or somebody was faster.
  if (request === null || row === null || row.number !== failed.number) return;
  const basedOn = unseal(row.bytes, row.digest);
  await pipeline.proceed(request, { ...firstTurn('system'), basedOn, failed, replaces: false }, tellNobody);
}
