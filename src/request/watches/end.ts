import type { Message, Say } from '../../blocks/message.ts';
import type { Watch } from '../../core/watch.ts';
import { ended, hasEnded, notYours, watchEnded } from './words.ts';

export interface EndPort {
  load(id: string): Promise<Watch | null>;
  /** Ends it with its last words, on its message and in its thread; false when it had ended. */
  end(
    watch: Watch,
    of: { readonly by: string; readonly reason: string; readonly message: Message },
  ): Promise<boolean>;
  /** True for those who may stop all writes. */
  isOperator(userId: string): Promise<boolean>;
}

/** A click on End. The owner may, and the operators. */
export async function endByClick(
  { userId, id }: { readonly userId: string; readonly id: string },
  port: EndPort,
  say: Say,
): Promise<void> {
  const watch = await port.load(id);
  if (watch === null || watch.endedAt !== null) return say(hasEnded());
  if (watch.owner !== userId && !(await port.isOperator(userId))) return say(notYours());
  const isEnded = await endWatch(watch, { by: userId, reason: 'It was ended by hand.' }, port);
  await say(isEnded ? ended() : hasEnded());
}

export function endWatch(
  watch: Watch,
  { by, reason }: { readonly by: string; readonly reason: string },
  port: Pick<EndPort, 'end'>,
): Promise<boolean> {
  return port.end(watch, { by, reason, message: watchEnded(watch, by, reason) });
}
