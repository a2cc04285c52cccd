import { randomUUID } from 'node:crypto';
import type { Message } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { failed } from './private.ts';

export interface FailurePort {
  /** What was asked for is planned no more. */
  close(): Promise<unknown>;
  /** Says it to whoever asked. */
  tell(message: Message): Promise<void>;
  readonly log: Log;
}

/** What failed is said to its person, with a reference that stands in the log. */
export async function tellFailed(error: unknown, { close, tell, log }: FailurePort): Promise<void> {
  const reference = randomUUID().slice(0, 8);
  log.error({ reference, ...describeError(error) }, 'Handler failed');
  await close().catch((cause: unknown) => {
    log.warn({ reference, ...describeError(cause) }, 'A request that failed could not be closed');
  });
  await tell(failed(reference, error instanceof VendorError ? error.message : null));
}
