import { setTimeout as pause } from 'node:timers/promises';
import type { Who } from '../approval/ports.ts';
import { planLimits } from '../core/plan.ts';
import type { Say } from '../pipeline.ts';
import { tooLong } from '../report/private.ts';
import { cleanText } from './accept.ts';
import type { RequestRow } from '../store/tables.ts';
import { isPosting, requestOfThread } from '../store/threads.ts';
import { answer } from './answers.ts';
import { changeFromThread } from '../plan/change.ts';
import type { HandlerDeps } from '../app/handler-deps.ts';
import { requestIdOf } from './intake.ts';
import { mayTalk } from '../app/people.ts';
import type { World } from '../app/world.ts';

interface Heard {
  /** The same for every delivery of the same message. */
  readonly key: string;
  readonly channel: string;
  readonly threadTs: string | null;
  readonly text: string;
  readonly actor: Who;
  /** True when the bot was named: then it answers in any case. */
  readonly mentioned: boolean;
}

/** A message in a thread: an answer, or a change in words. True when it belonged to a request and was dealt with. */
export async function heard(deps: HandlerDeps, message: Heard, say: Say): Promise<boolean> {
  const { world } = deps;
  const { key, channel, threadTs, text, actor, mentioned } = message;
  if (threadTs === null) return false;
  const row = await headOf(world, channel, threadTs);
  if (row === null) return false;
  // The message that made the request, delivered again: it is no word about its own plan.
  if (row.id === requestIdOf(key)) return true;
  const words = cleanText(text);
  if (words === '') return false;
  if (row.state === 'asking') {
    if (actor.userId !== row.requester && !mentioned) return false;
    if (!(await mayTalk(world, actor, say))) return true;
    if (words.length > planLimits.goal) await say(tooLong());
    else await answer(deps, row, words, { by: actor.userId, key }, say);
    return true;
  }
  if (row.state !== 'review' || words.length > planLimits.goal) return false;
  return changeFromThread(deps, row, words, message, say);
}

/** What a thread is about. A quick reply may be here before the bot has stored where its message stands. */
async function headOf({ db, teamId }: World, channel: string, threadTs: string): Promise<RequestRow | null> {
  for (let left = 60; ; left -= 1) {
    // Asked first: what is stored between the two questions must not be missed.
    const posting = await isPosting(db, { teamId, channel });
    const row = await requestOfThread(db, { teamId, channel, threadTs });
    const settled = row === null ? !posting : row.state !== 'planning';
    if (settled || left === 0) return row;
    await pause(50);
  }
}
