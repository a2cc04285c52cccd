import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code } from '../blocks/rich.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { StoreError } from '../store/errors.ts';
import * as outbox from '../store/outbox.ts';
import type { TeamDb } from '../store/tables.ts';
import { currentHead, formatHead, noteHead } from './head.ts';

export interface WitnessContext extends TeamDb {
  readonly now: () => Date;
  readonly log: Log;
  /** Queues a message to a channel, once per key. */
  readonly post: (channel: string, key: string, message: Message) => Promise<void>;
}

/** Where the end of the log is kept: a folder beside the database, and a channel. Null for neither. */
interface Places {
  readonly folder: string | null;
  readonly channel: string | null;
}

/** Milliseconds between records of the log's end; only lines newer than this could be cut off unnoticed. */
const noteMs = 5_000;
const postMs = 3_600_000;

/** Records and posts the log's end as long as the bot runs; the last record is made when runs and clicks have ended. */
export function witnessLog(
  context: WitnessContext,
  { folder, channel }: Places,
  { stack, repeat }: { stack: AsyncDisposableStack; repeat: (ms: number, work: () => Promise<void>) => void },
): void {
  const record = recorder(context);
  const last = (error: unknown) =>
    context.log.warn({ ...describeError(error) }, 'The end of the audit log could not be recorded');
  if (folder !== null) stack.defer(() => record(folder).catch(last));
  if (folder !== null) repeat(noteMs, () => record(folder));
  if (channel !== null) repeat(postMs, () => postHead(context, channel));
}

/**
 * Records the end of the audit log in a file beside the database, so that lines cut off later show. A log that no
 * longer contains the recorded line is reported once, and the record stays as it is.
 */
function recorder({ db, teamId, log, now }: WitnessContext): (folder: string) => Promise<void> {
  let isReported = false;
  return async (folder) => {
    try {
      await noteHead(db, folder, teamId, now());
    } catch (error) {
      const isRewritten = error instanceof StoreError && error.code === 'audit_rewritten';
      if (!isRewritten) throw error;
      if (!isReported)
        log.error({ ...describeError(error) }, 'The audit log does not match what was noted of it');
      isReported = true;
    }
  };
}

/** Posts the end of the audit log once a day across all processes: what people have seen cannot be rewritten. */
async function postHead({ db, teamId, now, post }: WitnessContext, channel: string): Promise<void> {
  // The key alone prevents a second post; this check keeps the first from being replaced while it waits.
  const key = `audit:head:${now().toISOString().slice(0, 10)}`;
  if ((await outbox.byKey(db, teamId, key)) !== null) return;
  const head = await currentHead(db, teamId, now());
  if (head !== null) await post(channel, key, headPosted(head.count, formatHead(head)));
}

/** The end of the audit log, for people to keep and for `audit verify --witness` to compare. */
function headPosted(count: number, line: string): Message {
  return note(
    [
      bold('Audit log: '),
      `${count} lines so far. Keep this post: it can prove later that no line was changed or cut.`,
    ],
    [code(line)],
  );
}
