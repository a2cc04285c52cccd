import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonb } from './jsonb.ts';
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

/** Queues a message again that Slack refused, if that was so long ago. */
export async function tryAgain(
  db: Db,
  { teamId, key, payload, now }: OutboxMessage,
  afterMs: number,
): Promise<void> {
  const due = { state: 'pending', nextAttemptAt: now, createdAt: now } as const;
  await db
    .updateTable('outbox')
    .set({ ...due, payload: jsonb(payload), version: sql<number>`version + 1` })
    .where('teamId', '=', teamId)
    .where('key', '=', key)
    .where('state', '=', 'dead')
    .where('createdAt', '<=', new Date(now.getTime() - afterMs))
    .execute();
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
  return inserting(messages).compile(db);
}

/** Part of a statement: queues messages with distinct keys, either all updates or none, if `condition` holds. */
export function inserting(
  messages: readonly OutboxMessage[],
  condition: RawBuilder<boolean> = sql.lit(true),
): RawBuilder<{ fresh: boolean }> {
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
      kind text, payload jsonb, now timestamptz) where ${condition} order by nth
    on conflict ${target} do update set payload = excluded.payload, version = outbox.version + 1
    where outbox.state = 'pending' and not outbox.rewritten and outbox.payload is distinct from excluded.payload
    returning xmax = 0 as fresh`;
}

function isUpdate(kind: OutboxKind): boolean {
  return kind === 'update';
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
