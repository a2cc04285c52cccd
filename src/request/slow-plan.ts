import type { Message, Say } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

export interface SlowPlanPort {
  /** Waits for that many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** Milliseconds after which the requester starts to wonder whether anything is happening. */
const quietMs = 3_000;

/** Waits for a plan, and tells the requester when a model takes a while. */
export async function tellIfSlow<T>(plan: Promise<T>, say: Say, { sleep, log }: SlowPlanPort): Promise<T> {
  let isMade = false;
  const told = sleep(quietMs).then(async () => {
    if (!isMade) await say(modelAtWork());
  });
  told.catch((error: unknown) =>
    log.warn(describeError(error), 'Could not tell the requester that a plan is slow'),
  );
  try {
    return await plan;
  } finally {
    isMade = true;
  }
}

function modelAtWork(): Message {
  return titled('Working on it.', ['A model is planning this. The plan follows, at the latest without it.']);
}
