import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonb, storable } from './encode.ts';
import type { Db, OutboxKind, OutboxRow } from './tables.ts';

export interface OutboxMessage {
  readonly teamId: string;
  readonly conversation: string;
  /** Names the message within the team: the same key again means the same message. */
  readonly key: string;
  readonly kind: OutboxKind;
  readonly payload: Json;
  readonly now: Date;
}

export type EnqueueResult = 'queued' | 'replaced' | 'unchanged' | 'already_sent' | 'given_up';

/**
 * Queues a message. While one with this key waits, its payload is replaced and its place kept. Once it was sent,
 * an `update` is queued anew; any other kind is not sent twice, so a step that runs again may enqueue again. What was
 * rewritten meanwhile stays as it is.
 */
export async function enqueue(db: Db, message: OutboxMessage): Promise<EnqueueResult> {
  const [written] = await insert(db, [message]);
  if (written !== undefined) return written.fresh ? 'queued' : 'replaced';
  const { teamId, key } = message;
  const known = await byKey(db, teamId, key);
  if (known?.state === 'dead') return 'given_up';
  return known?.state === 'sent' ? 'already_sent' : 'unchanged';
}

/** Queues several in their order, as `enqueue` does: what is told of one thing goes out in one or two statements. */
export async function enqueueAll(db: Db, messages: readonly OutboxMessage[]): Promise<void> {
  const groups: OutboxMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    // One statement knows one rule for what is there already, and changes no row twice.
    const fits = last?.every(
      ({ kind, key }) => isUpdate(kind) === isUpdate(message.kind) && key !== message.key,
    );
    if (fits) last?.push(message);
    else groups.push([message]);
  }
  await Promise.all(groups.map((group) => insert(db, group)));
}

/** Messages of which all are updates or none is, each with a key of its own; answers those that were written. */
async function insert(db: Db, messages: readonly OutboxMessage[]): Promise<{ fresh: boolean }[]> {
  const [first] = messages;
  if (first === undefined) return [];
  const target = isUpdate(first.kind)
    ? sql`(team_id, key) where kind = 'update' and state = 'pending'`
    : sql`(team_id, key) where kind <> 'update'`;
  const rows = messages.map(({ teamId, now, ...message }, nth) => ({
    ...{ ...message, team_id: teamId, now: now.toISOString(), nth },
  }));
  // xmax is 0 in a row that was inserted and not updated.
  const { rows: written } = await sql<{ fresh: boolean }>`
    insert into outbox (team_id, conversation, key, kind, payload, next_attempt_at, created_at)
    select team_id, conversation, key, kind, payload, now, now
    from jsonb_to_recordset(${jsonb(rows)}) as message (nth integer, team_id text, conversation text, key text,
      kind text, payload jsonb, now timestamptz) order by nth
    on conflict ${target} do update set payload = excluded.payload, version = outbox.version + 1
    where outbox.state = 'pending' and not outbox.rewritten and outbox.payload is distinct from excluded.payload
    returning xmax = 0 as fresh`.execute(db);
  return written;
}

function isUpdate(kind: OutboxKind): boolean {
  return kind === 'update';
}

/**
 * Takes messages of a workspace that are due: of each conversation the oldest that waits, and no two processes the same.
 * Each workspace is asked for by itself, so the storm of one holds up no other. What is taken stays pending and comes up
 * again after `leaseMs`, so a crash between sending and `markSent` repeats it. A row with `sentTs` was posted before and
 * then replaced: send it as an update of that message. Nothing is sent where the bot was removed, from that moment on;
 * one workspace by its token has no such row. The attempt is on disk before it is made: the next one looks in Slack first.
 */
export async function due(
  db: Db,
  take: { teamId: string; now: Date; limit: number; leaseMs: number },
): Promise<OutboxRow[]> {
  const until = new Date(take.now.getTime() + take.leaseMs);
  const { rows } = await sql<OutboxRow>`
    update outbox set next_attempt_at = ${until}, attempts = attempts + 1
    where id in (
      select id from outbox head
      where state = 'pending' and team_id = ${take.teamId} and next_attempt_at <= ${take.now}
        and not exists (select from outbox earlier
          where earlier.team_id = head.team_id and earlier.conversation = head.conversation
            and earlier.id < head.id and earlier.state = 'pending')
        and not exists (select from installations
          where team_id = ${take.teamId} and removed_at is not null)
      order by id limit ${sql.lit(take.limit)} for update skip locked)
    returning *`.execute(db);
  return rows.sort((a, b) => a.id - b.id);
}

/** Puts off when a message that was taken comes up again. Without effect once it was sent or given up. */
export async function renew(db: Db, { id, until }: { id: number; until: Date }): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ nextAttemptAt: until })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .execute();
}

/**
 * Notes that a message was sent and, with `until`, takes until then what waits behind it in its conversation. When its
 * payload was replaced while it was on its way (the version is higher than the one that was taken) it stays pending, is
 * due at once, and comes before all others. Null when nothing was taken.
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

/** Notes a failure; the message comes up again at `nextAttemptAt`. */
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

/** Gives a message up, and its conversation goes on without it. All or none: what is said instead is queued with it. */
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

/** The newest message with this key, to learn where it was posted. */
export async function byKey(db: Db, teamId: string, key: string): Promise<OutboxRow | null> {
  const row = await db
    .selectFrom('outbox')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row ?? null;
}

/** Changes messages that were posted, or still wait, in the order of `keys`, where `change` has something else for them. */
export async function rewrite(
  db: Db,
  { teamId, keys, now }: { teamId: string; keys: readonly string[]; now: Date },
  change: (payload: Json) => Json | null,
): Promise<void> {
  if (keys.length === 0) return;
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'key', 'payload'])
    .where('teamId', '=', teamId)
    .where('key', 'in', keys)
    .where('kind', '<>', 'update')
    .where(sql<boolean>`(state = 'pending' or state = 'sent' and sent_ts is not null)`)
    .forUpdate()
    .execute();
  rows.sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
  for (const { id, payload } of rows) {
    const changed = change(payload);
    if (changed === null) continue;
    const due = {
      state: 'pending',
      nextAttemptAt: now,
      createdAt: now,
      rewritten: true,
      version: sql<number>`version + 1`,
    } as const;
    await db
      .updateTable('outbox')
      .set({ ...due, payload: jsonb(changed) })
      .where('id', '=', id)
      .execute();
  }
}

/** Gives up everything that waits in a workspace that the bot was removed from. */
export async function giveUpAll(db: Db, teamId: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'dead', lastError: 'removed' })
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('pending'))
    .execute();
}
