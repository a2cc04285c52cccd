import { sql } from 'kysely';
import { storable } from './jsonb.ts';
import { enqueue, type OutboxMessage } from './outbox.ts';
import type { Db, OutboxRow } from './tables.ts';

/**
 * Claims due messages of a workspace: the oldest waiting one of each conversation, and no two processes get the same.
 * Fetched per workspace, so one workspace's burst delays no other. A claimed message stays pending and reappears after
 * `leaseMs`, so a crash between sending and `markSent` repeats it. A row with `sentTs` was posted and then replaced:
 * send it as an update of that message. Nothing is sent to a workspace from the moment the bot is removed; a workspace
 * configured by token has no installation row. The attempt is on disk before it is made: the next attempt searches
 * Slack first.
 */
export async function due(
  db: Db,
  take: {
    teamId: string;
    now: Date;
    limit: number;
    leaseMs: number;
    /** True for events, false for messages to Slack. */
    events?: boolean;
  },
): Promise<OutboxRow[]> {
  const until = new Date(take.now.getTime() + take.leaseMs);
  const { rows } = await sql<OutboxRow>`
    update outbox set next_attempt_at = ${until}, attempts = attempts + 1
    where id in (
      select id from outbox head
      where state = 'pending' and team_id = ${take.teamId} and next_attempt_at <= ${take.now}
        and (conversation like 'event:%') = ${take.events === true}::boolean
        and not exists (select from outbox earlier
          where earlier.team_id = head.team_id and earlier.conversation = head.conversation
            and earlier.id < head.id and earlier.state = 'pending')
        and not exists (select from installations
          where team_id = ${take.teamId} and removed_at is not null)
      order by id limit ${sql.lit(take.limit)} for update skip locked)
    returning *`.execute(db);
  return rows.sort((a, b) => a.id - b.id);
}

/** Extends the lease of a claimed message. False once it was sent or given up, or another claim has followed. */
export async function renew(
  db: Db,
  { id, attempts, until }: Pick<OutboxRow, 'id' | 'attempts'> & { until: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ nextAttemptAt: until })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', sql.lit('pending'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Marks a message as sent and, with `until`, claims the next one of its conversation until then. If its payload was
 * replaced during sending (its version is higher than the claimed one), it stays pending, is due at once, and comes
 * before all others. Null when nothing was claimed.
 */
export async function markSent(
  db: Db,
  sent: {
    id: number;
    teamId: string;
    conversation: string;
    version: number;
    sentTs: string | null;
    now: Date;
    until: Date | null;
  },
): Promise<OutboxRow | null> {
  const { id, teamId, conversation, sentTs } = sent;
  const now = sql`${sent.now}::timestamptz`;
  const until = sql`${sent.until}::timestamptz`;
  const isNewest = sql`version = ${sent.version}::integer`;
  const { rows } = await sql<OutboxRow>`
    with sent as (
      update outbox set sent_ts = coalesce(${sentTs}, sent_ts), last_error = null,
        state = case when ${isNewest} then 'sent' else 'pending' end,
        attempts = case when ${isNewest} then attempts when ${until} is null then 0 else 1 end,
        next_attempt_at = case when ${isNewest} then ${now} else coalesce(${until}, ${now}) end
      where id = ${id} and state = 'pending' returning *),
    next as (
      update outbox set next_attempt_at = ${until}, attempts = attempts + 1
      where id = (select min(id) from outbox where team_id = ${teamId} and conversation = ${conversation}
          and state = 'pending' and id <> ${id})
        and state = 'pending' and next_attempt_at <= ${now} and ${until} is not null
        and not exists (select from sent where state = 'pending')
      returning *)
    select * from sent where state = 'pending' and ${until} is not null
    union all select * from next`.execute(db);
  return rows[0] ?? null;
}

/** Records a failure; the message is retried at `nextAttemptAt`. */
export async function markFailed(
  db: Db,
  { id, error, nextAttemptAt }: { id: number; error: string; nextAttemptAt: Date },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ lastError: storable(error), nextAttemptAt })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .execute();
}

/** Gives up on a message, and its conversation continues without it. Atomic: its replacement is queued with it. */
export async function giveUp(
  db: Db,
  { id, error, instead }: { id: number; error: string; instead: OutboxMessage | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('outbox')
      .set({ lastError: storable(error), state: 'dead' })
      .where('id', '=', id)
      .where('state', '=', sql.lit('pending'))
      .executeTakeFirst();
    if (numUpdatedRows > 0n && instead !== null) await enqueue(trx, instead);
  });
}
