import type { Message, Say } from '../blocks/message.ts';
import type { Who } from '../core/person.ts';
import type { Watch } from '../core/watch.ts';
import { ended, hasEnded, watchEnded } from './words.ts';

export interface EndPort {
  load(id: string): Promise<Watch | null>;
  /** Ends it with a final message, on its own message and in its thread; false when it had already ended. */
  end(
    watch: Watch,
    of: { readonly by: string; readonly reason: string; readonly message: Message },
  ): Promise<boolean>;
  /** Whether a person may end it; a person who may not has been told. */
  mayEnd(watch: Watch, who: Who, say: Say): Promise<boolean>;
}

/** A click on End. */
export async function endByClick(
  { id, ...who }: Who & { readonly id: string },
  port: EndPort,
  say: Say,
): Promise<void> {
  const watch = await port.load(id);
  if (watch === null || watch.endedAt !== null) return say(hasEnded());
  if (!(await port.mayEnd(watch, who, say))) return;
  const isEnded = await endWatch(watch, { by: who.userId, reason: 'It was ended by hand.' }, port);
  await say(isEnded ? ended() : hasEnded());
}

export function endWatch(
  watch: Watch,
  { by, reason }: { readonly by: string; readonly reason: string },
  port: Pick<EndPort, 'end'>,
): Promise<boolean> {
  return port.end(watch, { by, reason, message: watchEnded(watch, by, reason) });
}
