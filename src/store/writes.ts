import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonb, jsonbOrNull } from './encode.ts';
import { StoreError } from './errors.ts';
import type { Db, WriteRow, WriteState } from './tables.ts';

export interface WriteIntent {
  readonly teamId: string;
  readonly runId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly key: string;
  readonly targets: readonly string[];
  readonly at: Date;
}

/** At most `max` writes with the tool to a target since a moment, the new one included. */
export interface WriteCap {
  readonly since: Date;
  readonly max: number;
  readonly target: string;
}

export type IntendResult =
  | { readonly kind: 'new' }
  | { readonly kind: 'existing'; readonly write: WriteRow }
  | { readonly kind: 'over_cap'; readonly cap: WriteCap; readonly count: number };

/**
 * Notes that a write is about to be made, before it is. A step that runs again finds its own intent as `existing`
 * and has to find out what became of it. Caps are counted under a lock: two runs cannot both take the last place.
 */
export function intend(db: Db, intent: WriteIntent, caps: readonly WriteCap[] = []): Promise<IntendResult> {
  const { teamId, tool } = intent;
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`writes:${teamId}:${tool}`}, 0))`.execute(trx);
    const known = await trx
      .selectFrom('writes')
      .selectAll()
      .where('teamId', '=', teamId)
      .where('runId', '=', intent.runId)
      .where('stepId', '=', intent.stepId)
      .executeTakeFirst();
    if (known !== undefined) return { kind: 'existing', write: known };
    for (const cap of caps) {
      const count = await countSince(trx, { teamId, tool, ...cap });
      if (count + 1 > cap.max) return { kind: 'over_cap', cap, count };
    }
    await insert(trx, intent);
    return { kind: 'new' };
  });
}

/** Stores what became of a write, with the vendor's answer as evidence. Throws StoreError `not_found`. */
export async function settle(
  db: Db,
  settled: { key: string; state: Exclude<WriteState, 'intended'>; evidence: Json | null; at: Date },
): Promise<WriteRow> {
  const { key, state, evidence, at } = settled;
  const row = await db
    .updateTable('writes')
    .set({ state, evidence: jsonbOrNull(evidence), updatedAt: at })
    .where('key', '=', key)
    // What was made stays made: a late answer cannot take that back.
    .where(({ or, eb }) => or([eb('state', '<>', 'made'), eb.val(state === 'made')]))
    .returningAll()
    .executeTakeFirst();
  const stored = row ?? (await byKey(db, key));
  if (stored !== null) return stored;
  throw new StoreError('not_found', 'There is no write with this key.', { key });
}

export async function byKey(db: Db, key: string): Promise<WriteRow | null> {
  const row = await db.selectFrom('writes').selectAll().where('key', '=', key).executeTakeFirst();
  return row ?? null;
}

/** Writes that were made or may have been, for caps; one that certainly failed does not count. */
async function countSince(
  db: Db,
  filter: { teamId: string; tool: string; since: Date; target: string },
): Promise<number> {
  const { teamId, tool, since, target } = filter;
  const row = await db
    .selectFrom('writes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('teamId', '=', teamId)
    .where('tool', '=', tool)
    .where('createdAt', '>=', since)
    .where('state', '<>', 'failed')
    .where(sql<boolean>`targets @> ${jsonb([target])}`)
    .executeTakeFirstOrThrow();
  return row.count;
}

async function insert(trx: Db, intent: WriteIntent): Promise<void> {
  const { teamId, runId, stepId, tool, key, at } = intent;
  await trx
    .insertInto('writes')
    .values({
      teamId,
      runId,
      stepId,
      tool,
      key,
      targets: jsonb([...intent.targets]),
      state: 'intended',
      evidence: null,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
}
