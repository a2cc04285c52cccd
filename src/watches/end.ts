import type { Say } from '../blocks/message.ts';
import type { Who } from '../core/person.ts';
import type { Watch } from '../core/watch.ts';
import { activeWatch } from '../store/watch-rows.ts';
import * as watches from '../store/watches.ts';
import type { WatchContext } from './context.ts';
import { closeCard } from './problem.ts';
import { ended, hasEnded, watchEnded } from './words.ts';

/** A click on End. */
export async function endByClick(
  { id, ...who }: Who & { readonly id: string },
  context: WatchContext,
  say: Say,
): Promise<void> {
  const { db, teamId } = context;
  const watch = await activeWatch(db, { teamId, id });
  if (watch === null) return say(hasEnded());
  if (!(await context.mayEnd(watch, who, say))) return;
  const isEnded = await endWatch(watch, { by: who.userId, reason: 'It was ended by hand.' }, context);
  await say(isEnded ? ended() : hasEnded());
}

/** Ends it with a final message, on its own message and in its thread; false when it had already ended. */
export async function endWatch(
  watch: Watch,
  { by, reason }: { readonly by: string; readonly reason: string },
  context: WatchContext,
): Promise<boolean> {
  const { db, teamId, reporting, now } = context;
  const { id, problem } = watch;
  // First, so that a process dying in between leaves no open card.
  if (problem !== null) await closeCard(problem, 'The watch that asked for it has ended.', context);
  const message = watchEnded(watch, by, reason);
  const messages = [
    reporting.toWatch(teamId, id, 'update', { key: `watch:${id}:state`, message }),
    reporting.toWatch(teamId, id, 'reply', { key: `watch:${id}:ended`, message }),
  ];
  const isEnded = await watches.end(db, { teamId, id, by, reason, at: now(), messages });
  if (isEnded) reporting.kick();
  return isEnded;
}
