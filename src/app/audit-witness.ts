import { currentHead, formatHead, noteHead } from '../audit/head.ts';
import { type AuditHeadPort, postHead } from '../audit/post-head.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own-property.ts';
import { StoreError } from '../store/errors.ts';
import * as outbox from '../store/outbox.ts';
import type { TeamDb } from '../store/tables.ts';
import { stateFolder } from './database.ts';
import type { AppOptions } from './process-context.ts';
import type { Reporting } from './reporting.ts';

export interface AuditCareDeps extends TeamDb {
  readonly reporting: Pick<Reporting, 'send'>;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Records the end of the audit log in a file beside the database, so that lines cut off later show. A log that no
 * longer contains the recorded line is reported once, and the record stays as it is.
 */
export function createHeadNotes({ db, teamId, log, now }: Omit<AuditCareDeps, 'reporting'>) {
  let told = false;
  return async (folder: string): Promise<void> => {
    try {
      await noteHead(db, folder, teamId, now());
    } catch (error) {
      const isRewritten = error instanceof StoreError && error.code === 'audit_rewritten';
      if (!isRewritten) throw error;
      if (!told) log.error({ ...describeError(error) }, 'The audit log does not match what was noted of it');
      told = true;
    }
  };
}

function headPort(
  { db, teamId, now, reporting }: Omit<AuditCareDeps, 'log'>,
  channel: string,
): AuditHeadPort {
  return {
    isPosted: async (key) => (await outbox.byKey(db, teamId, key)) !== null,
    async head() {
      const head = await currentHead(db, teamId, now());
      return head && { count: head.count, line: formatHead(head) };
    },
    post: (key, message) =>
      reporting.send(teamId, { kind: 'channel', channel, threadTs: null }, key, message),
    now,
  };
}

/** Milliseconds between records of the log's end; only lines newer than this could be cut off unnoticed. */
const noteMs = 5_000;
const postMs = 3_600_000;

/** Folder for recording the end of the audit log, and channel for posting it; null for neither. */
export function auditPlaces({ env, config }: Pick<AppOptions, 'env' | 'config'>): {
  folder: string | null;
  channel: string | null;
} {
  const channel = own(config.channels, config.audit.witness_channel ?? '')?.id ?? null;
  return { folder: stateFolder(env), channel };
}

/** Does both as long as the bot runs; the last record is made when runs and clicks have ended. */
export function careForAudit(
  deps: AuditCareDeps,
  { folder, channel }: { folder: string | null; channel: string | null },
  { stack, repeat }: { stack: AsyncDisposableStack; repeat: (ms: number, work: () => Promise<void>) => void },
): void {
  const note = createHeadNotes(deps);
  const last = (error: unknown) =>
    deps.log.warn({ ...describeError(error) }, 'The end of the audit log could not be recorded');
  if (folder !== null) stack.defer(() => note(folder).catch(last));
  if (folder !== null) repeat(noteMs, () => note(folder));
  if (channel !== null) repeat(postMs, () => postHead(headPort(deps, channel)));
}
