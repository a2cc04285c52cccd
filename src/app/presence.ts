import { randomUUID } from 'node:crypto';
import { holdExecutorLock } from '../store/executor-lock.ts';
import type { ProcessParts } from './process-parts.ts';

/** Shows by a lock that a process without a runner lives; resolves with its id. */
export async function appear({ options, base, stack }: ProcessParts): Promise<string> {
  const id = randomUUID();
  const lock = await holdExecutorLock(base.databaseUrl, id, options.onLost);
  stack.defer(() => lock.release());
  return id;
}
