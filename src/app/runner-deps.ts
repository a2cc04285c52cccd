import { setTimeout as pause } from 'node:timers/promises';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Policy } from '../core/policy.ts';
import type { Readers, Writers } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import type { Telling } from '../pipeline.ts';
import type { RunnerDeps } from '../run/ports.ts';
import { enginePool } from '../store/database.ts';
import { holdExecutorLock } from '../store/executor-lock.ts';
import * as revisions from '../store/revisions.ts';
import { createRunStore } from '../store/run-store.ts';
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
  readonly telling: Telling;
  readonly around: NonNullable<RunnerDeps['around']>;
  readonly onLost: (reason: Error) => void;
  readonly now: () => Date;
  readonly log: Log;
}

/** What the runner is given. */
export function runnerDeps(parts: RunnerParts): RunnerDeps {
  const { db, databaseUrl, gateway, tools, readers, writers, catalogue, policy, judge, onLost } = parts;
  const { engineIsMigrated, telling, around, now, log } = parts;
  return {
    ...{
      databaseUrl,
      engineIsMigrated,
      tools,
      readers,
      writers,
      catalogue,
      policy,
      judge,
      around,
      onLost,
      now,
      log,
    },
    store: createRunStore(db),
    enginePool: enginePool(databaseUrl, log),
    holdLock: (id, lost) => holdExecutorLock(databaseUrl, id, lost),
    threadLink: async (teamId, requestId) => cardLink(gateway, await revisions.latest(db, teamId, requestId)),
    messagesFor: telling.told,
    emit: telling.ran,
    onFailure: telling.left,
    every: (ms, round) => every(ms, round, log),
    sleep: (ms) => pause(ms),
    random: Math.random,
  };
}
