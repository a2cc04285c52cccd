import { setTimeout as pause } from 'node:timers/promises';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Policy } from '../core/policy.ts';
import type { Readers, Writers } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import type { Pipeline } from '../pipeline.ts';
import type { RunnerDeps } from '../run/ports.ts';
import { startReads, startRun } from '../run/start.ts';
import type { Stages } from '../stages.ts';
import { enginePool } from '../store/database.ts';
import { holdExecutorLock } from '../store/executor-lock.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import { createRunStore } from '../store/run-store.ts';
import * as runs from '../store/runs.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Books } from './books.ts';
import { cardLink } from './card-link.ts';
import { every } from './every.ts';

export interface RunnerParts extends Books {
  readonly databaseUrl: string;
  readonly engineIsMigrated: boolean;
  readonly gateway: SlackGateway;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly readers: Readers;
  readonly writers: Writers;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Null without a model. */
  readonly judge: RunnerDeps['judge'];
  readonly pipeline: Pick<Pipeline, 'told' | 'ran' | 'failed'>;
  readonly onLost: (reason: Error) => void;
  readonly now: () => Date;
  readonly log: Log;
}

/** What the runner is given. */
export function runnerDeps(parts: RunnerParts): RunnerDeps {
  const { db, databaseUrl, gateway, tools, readers, writers, catalogue, policy, judge, onLost } = parts;
  const { engineIsMigrated, pipeline, now, log } = parts;
  return {
    ...{ databaseUrl, engineIsMigrated, tools, readers, writers, catalogue, policy, judge, onLost, now, log },
    store: createRunStore(db),
    enginePool: enginePool(databaseUrl, log),
    holdLock: (id, lost) => holdExecutorLock(databaseUrl, id, lost),
    threadLink: async (teamId, requestId) => cardLink(gateway, await revisions.latest(db, teamId, requestId)),
    messagesFor: (event) => pipeline.told(event),
    emit: (event) => pipeline.ran(event),
    onFailure: (failed) => pipeline.failed(failed),
    every: (ms, round) => every(ms, round, log),
    sleep: (ms) => pause(ms),
    random: Math.random,
  };
}

export function runStage(
  { db, teamId, log }: Books & { readonly log: Log },
  start: (teamId: string, runId: string) => Promise<void>,
): Stages['run'] {
  return {
    read: (run, say) =>
      startReads(
        run,
        {
          start: (runId) => start(teamId, runId),
          isRunning: async (runId) => (await runs.get(db, { teamId, runId }))?.state === 'running',
          // The process may end meanwhile.
          sleep: (ms) => pause(ms, undefined, { ref: false }),
          log,
        },
        say,
      ),
    start: (run) =>
      startRun(run, {
        start: (runId) => start(teamId, runId),
        async runs(id) {
          await requests.setState(db, { teamId, id, to: 'running', from: ['review'] });
        },
        log,
      }),
  };
}
