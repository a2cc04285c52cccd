import { randomUUID } from 'node:crypto';
import type { Message } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { failed } from './undeliverable.ts';

export interface FailurePort {
  /** Stops planning the request. */
  close(): Promise<unknown>;
  /** Tells the requester. */
  tell(message: Message): Promise<void>;
  readonly log: Log;
}

/** Reports a failure to its person, with a reference that is also in the log. */
export async function tellFailed(error: unknown, { close, tell, log }: FailurePort): Promise<void> {
  const reference = randomUUID().slice(0, 8);
  log.error({ reference, ...describeError(error) }, 'Handler failed');
  await close().catch((cause: unknown) => {
    log.warn({ reference, ...describeError(cause) }, 'A request that failed could not be closed');
  });
  await tell(failed(reference, error instanceof VendorError ? error.message : null));
}
