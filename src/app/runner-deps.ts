import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import { cardLink } from '../history/plans.ts';
import type { Clock } from '../process/clock.ts';
import { holdExecutorLock } from '../process/lock.ts';
import type { RunnerDeps, WorkDeps } from '../run/ports.ts';
import type { Stages } from '../stages.ts';
import { createRunStore } from '../store/run-store.ts';
import type { Base, Ground, Workspace } from './process-context.ts';

type Tooling = Pick<Workspace, 'tools' | 'readers' | 'writers' | 'catalogue' | 'policy' | 'judge'>;

/** Dependencies for the runs of one workspace. */
export function workDeps(
  { db, gateway }: Ground,
  { tools, readers, writers, catalogue, policy, judge }: Tooling,
  {
    report,
    ...more
  }: Pick<WorkDeps, 'now' | 'log'> &
    Required<Pick<WorkDeps, 'around'>> & { readonly report: Stages['report'] },
): WorkDeps {
  return {
    ...{ tools, readers, writers, catalogue, policy, judge, ...more },
    store: createRunStore(db),
    threadLink: ({ channel, ts }) => cardLink(gateway, { cardChannel: channel, cardTs: ts }),
    messagesFor: report.messagesFor,
    emit: report.stored,
    onFailure: report.leave,
    sleep: (ms) => pause(ms),
    random: Math.random,
  };
}

/** Dependencies of a process's runner. */
export function runnerDeps(
  { db, databaseUrl }: Base,
  {
    log,
    clock,
    ...more
  }: Pick<RunnerDeps, 'workOf' | 'onLost'> & { readonly log: Log; readonly clock: Clock },
): RunnerDeps {
  return {
    ...{ log, ...more },
    store: createRunStore(db),
    holdLock: (id, lost) => holdExecutorLock(databaseUrl, id, lost),
    whileOpen: (round) => clock.on(null, 'runs', round),
  };
}
