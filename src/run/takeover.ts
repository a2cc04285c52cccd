import { DBOS } from '@dbos-inc/dbos-sdk';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import type { Log } from '../core/log.ts';
import type { ExecutorLock } from './ports.ts';

/** Executors other than this one that have runs in their hands, alive or not. */
async function otherExecutors(own: string): Promise<string[]> {
  const pending = await DBOS.listWorkflows({ status: 'PENDING', loadInput: false, loadOutput: false });
  const ids = new Set(pending.map((workflow) => workflow.executorId));
  return [...ids].filter((id) => id !== undefined && id !== own).map(String);
}

/** The engine's state of runs by id; a run that it does not know is absent. */
export async function workflowStates(ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await DBOS.listWorkflows({ workflowIDs: [...ids], loadInput: false, loadOutput: false });
  return new Map(found.map((workflow) => [workflow.workflowID, workflow.status]));
}

/**
 * Takes over the runs of executors that are gone: whoever gets the lock of a dead process puts its runs back into the
 * queue from which the living ones draw. DBOS offers this to its own control plane only, hence the internal import.
 */
export async function takeOverDead(own: string, lock: ExecutorLock, log: Log): Promise<void> {
  for (const id of await otherExecutors(own)) {
    if (!(await lock.tryTakeOver(id))) continue;
    try {
      const recovered = (await DBOSExecutor.globalInstance?.recoverPendingWorkflows([id])) ?? [];
      log.info({ executor: id, runs: recovered.length }, 'took over the runs of a process that is gone');
    } finally {
      await lock.letGo(id);
    }
  }
}
