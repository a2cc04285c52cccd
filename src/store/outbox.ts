import { type CompiledQuery, sql } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonb, storable } from './jsonb.ts';
import type { Db, OutboxKind, OutboxRow, ShownCard } from './tables.ts';

export interface OutboxMessage {
  readonly teamId: string;
  readonly conversation: string;
  /** Identifies the message within the team: the same key means the same message. */
  readonly key: string;
  readonly kind: OutboxKind;
  readonly payload: Json;
  readonly now: Date;
  /** The card that people will see, where that is known already: to be recorded with it. */
  readonly shown?: ShownCard;
}

/** Events of a plan for another system: in order among themselves, and apart from its messages. */
export function eventConversation(requestId: string): string {
  return `event:${requestId}`;
}

export type EnqueueResult = 'queued' | 'replaced' | 'unchanged' | 'already_sent' | 'given_up';

/**
 * Queues a message. While one with this key waits, its payload is replaced and its place kept. Once it was sent, an
 * `update` is queued again; any other kind is not sent twice, so a step that runs again may enqueue again. A message
 * that was rewritten meanwhile stays as it is.
 */
export async function enqueue(db: Db, message: OutboxMessage): Promise<EnqueueResult> {
  const [written] = await insert(db, [message]);
  if (written !== undefined) return written.fresh ? 'queued' : 'replaced';
  const { teamId, key } = message;
  const known = await byKey(db, teamId, key);
  if (known?.state === 'dead') return 'given_up';
  return known?.state === 'sent' ? 'already_sent' : 'unchanged';
}

/** Queues several messages in order, as `enqueue` does. Batches one event's messages into one or two statements. */
export async function enqueueAll(db: Db, messages: readonly OutboxMessage[]): Promise<void> {
  const groups: OutboxMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    // One statement has one conflict rule, and changes no row twice.
    const fits = last?.every(
      ({ kind, key }) => isUpdate(kind) === isUpdate(message.kind) && key !== message.key,
    );
    if (fits) last?.push(message);
    else groups.push([message]);
  }
  await Promise.all(groups.map((group) => insert(db, group)));
}

/** Messages with distinct keys, either all updates or none; returns those that were written. */
async function insert(db: Db, messages: readonly OutboxMessage[]): Promise<{ fresh: boolean }[]> {
  if (messages.length === 0) return [];
  return (await db.executeQuery<{ fresh: boolean }>(insertion(db, messages))).rows;
}

/** As one statement. */
export function insertion(db: Db, messages: readonly OutboxMessage[]): CompiledQuery<{ fresh: boolean }> {
  const target = messages.some(({ kind }) => isUpdate(kind))
    ? sql`(team_id, key) where kind = 'update' and state = 'pending'`
    : sql`(team_id, key) where kind <> 'update'`;
  const rows = messages.map(({ teamId, now, shown: _, ...message }, nth) => ({
    ...{ ...message, team_id: teamId, now: now.toISOString(), nth },
  }));
  // xmax is 0 in a row that was inserted and not updated.
  return sql<{ fresh: boolean }>`
    insert into outbox (team_id, conversation, key, kind, payload, next_attempt_at, created_at)
    select team_id, conversation, key, kind, payload, now, now
    from jsonb_to_recordset(${jsonb(rows)}) as message (nth integer, team_id text, conversation text, key text,
      kind text, payload jsonb, now timestamptz) order by nth
    on conflict ${target} do update set payload = excluded.payload, version = outbox.version + 1
    where outbox.state = 'pending' and not outbox.rewritten and outbox.payload is distinct from excluded.payload
    returning xmax = 0 as fresh`.compile(db);
}

function isUpdate(kind: OutboxKind): boolean {
  return kind === 'update';
}

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

/** Extends the lease of a claimed message. Has no effect once it was sent or given up. */
export async function renew(db: Db, { id, until }: { id: number; until: Date }): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ nextAttemptAt: until })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .execute();
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

/** Key for posting the card of a revision, once. */
export function cardKey(requestId: string, number: number): string {
  return `card:${requestId}:${number}`;
}

/** The newest message with this key, to find where it was posted. */
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

/** Rewrites posted or waiting messages, in the order of `keys`, where `change` returns something new for them. */
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

/** Gives up all waiting messages of a workspace from which the bot was removed. */
export async function giveUpAll(db: Db, teamId: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'dead', lastError: 'removed' })
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('pending'))
    .execute();
}
