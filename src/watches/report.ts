import type { Message, Say } from '../blocks/message.ts';
import { describeError } from '../core/errors.ts';
import type { Watch } from '../core/watch.ts';
import { enqueue, type OutboxMessage } from '../store/outbox.ts';
import type { RevisionRow } from '../store/tables.ts';
import { watchOf } from '../store/watch-rows.ts';
import * as watches from '../store/watches.ts';
import type { AlarmEvent } from './alarm.ts';
import type { TickEvent } from './clock.ts';
import type { WatchContext } from './context.ts';
import { cannotCheck, itIsOver, itIsWorse, watchFailed, watchSaid, worksAgain } from './words.ts';

/** The message about a change between two checks, if there is one; sent once per check. */
export function eventMessage(
  event: AlarmEvent,
  watch: Watch,
  about: {
    readonly key: string;
    readonly failures: number;
    readonly found: string;
    readonly card: RevisionRow | null;
  },
  { teamId, reporting }: Pick<WatchContext, 'teamId' | 'reporting'>,
): OutboxMessage[] {
  const { failures, found, card } = about;
  const { on } = watch.alarm;
  const key = `${about.key}:${event}`;
  /** To the card or answer of the problem, else to the channel. */
  const toProblem = (message: Message) =>
    card === null
      ? reporting.toChannel(teamId, watch.channel, key, message)
      : reporting.toThread(card, key, message);
  const toWatch = (message: Message) => reporting.toWatch(teamId, watch.id, 'reply', { key, message });
  switch (event) {
    case 'began':
      return [];
    case 'worse':
      return [toProblem(itIsWorse(found, on?.said ?? null))];
    case 'over':
      return [toProblem(itIsOver(found, on?.since ?? ''))];
    case 'failing':
      return [toWatch(cannotCheck(watch, found, failures))];
    case 'works':
      return [toWatch(worksAgain(watch, found))];
  }
}

/** Private messages to the requester of a check go to the watch's thread instead. */
export function sayFor(event: TickEvent, context: WatchContext): Say {
  return (message) => reply(event, 'word', (watch) => watchSaid(watch, message), context);
}

/** Reports that a check failed. */
export async function reportFailure(event: TickEvent, error: unknown, context: WatchContext): Promise<void> {
  context.log.error({ watch: event.watch, ...describeError(error) }, 'A watch failed');
  await reply(event, 'failed', (watch) => watchFailed(watch, describeError(error).message), context);
}

async function reply(
  { key, watch: id }: TickEvent,
  kind: string,
  words: (watch: Watch) => Message,
  { db, teamId, reporting }: WatchContext,
): Promise<void> {
  const row = await watches.get(db, { teamId, id });
  if (row === null) return;
  const message = words(watchOf(row));
  await enqueue(db, reporting.toWatch(teamId, id, 'reply', { key: `${key}:${kind}`, message }));
  reporting.kick();
}
