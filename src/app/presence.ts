import { randomUUID } from 'node:crypto';
import { holdExecutorLock } from '../process/lock.ts';
import type { ProcessParts } from './process-context.ts';

/** Holds a lock that shows that a process without a runner is alive; resolves with its id. */
export async function appear({ options, base, stack }: ProcessParts): Promise<string> {
  const id = randomUUID();
  const lock = await holdExecutorLock(base.databaseUrl, id, options.onLost);
  stack.defer(() => lock.release());
  return id;
}
