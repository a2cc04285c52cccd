import { sql } from 'kysely';
import type { AuditEntry } from '../audit/chain.ts';
import type { Json } from '../core/json.ts';
import { jsonb, jsonbOrNull } from './jsonb.ts';
import type { Db, WriteRow, WriteState } from './tables.ts';
import type { WriteRecord } from './write-facts.ts';

export interface WriteIntent {
  readonly teamId: string;
  readonly runId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly key: string;
  readonly targets: readonly string[];
  /** Number of this attempt at the write, counting those of earlier processes; null for an addition to a completed one. */
  readonly attempt: number | null;
  /** The process about to make it. */
  readonly executor: string;
  readonly at: Date;
}

/** At most `max` writes with the tool to a target since a moment, including the new one. */
export interface WriteCap {
  readonly since: Date;
  readonly max: number;
  readonly target: string;
}

/** The outcome of a write, with its audit line. */
export interface EndedWrite {
  readonly key: string;
  readonly state: Exclude<WriteState, 'intended'>;
  readonly evidence: Json;
  /** Something was added to a completed write. */
  readonly adds?: true;
  readonly at: Date;
  readonly line: AuditEntry;
}

export type Noted =
  | { readonly kind: 'noted'; readonly fresh: boolean }
  | { readonly kind: 'existing'; readonly write: WriteRecord }
  | { readonly kind: 'over_cap'; readonly cap: WriteCap; readonly count: number };

/**
 * Records an attempt at a write before it is made. A first attempt finds no row, and a later one finds the previous
 * attempt's row, still open: anything else was done by another process, and its outcome must be determined first.
 */
export async function note(
  trx: Db,
  intent: WriteIntent,
  { known, caps }: { known: WriteRecord | null; caps: readonly WriteCap[] },
): Promise<Noted> {
  const { attempt, executor } = intent;
  if (attempt === null) return noteAddition(trx, intent, known);
  if (known === null) {
    if (await insert(trx, { ...intent, attempt }, caps)) return { kind: 'noted', fresh: true };
    return overCap(trx, intent, caps);
  }
  // The answer to our own commit was lost, so it is requested again.
  const isAgain = known.executor === executor && known.attempts === attempt;
  const isNext = known.attempts === attempt - 1;
  if (known.state !== 'intended' || !(isAgain || isNext)) return { kind: 'existing', write: known };
  await trx
    .updateTable('writes')
    .set({ attempts: attempt, executor, updatedAt: intent.at })
    .where('key', '=', intent.key)
    .execute();
  return { kind: 'noted', fresh: isNext };
}

/** An addition is only allowed to a completed write. */
async function noteAddition(
  trx: Db,
  { key, executor, at }: WriteIntent,
  known: WriteRecord | null,
): Promise<Noted> {
  if (known === null) throw new TypeError('nothing can be added to a write that was never noted');
  if (known.state !== 'made') return { kind: 'existing', write: known };
  await trx.updateTable('writes').set({ executor, updatedAt: at }).where('key', '=', key).execute();
  return { kind: 'noted', fresh: true };
}

/**
 * Stores the outcome of a write. A completed write stays completed, whatever was added to it, and one that another
 * process marked `unknown` can only change to completed. False when nothing changes.
 */
export async function endWrite(trx: Db, settled: Omit<EndedWrite, 'line'>): Promise<boolean> {
  const { key, state, evidence, adds, at } = settled;
  const row = await trx
    .updateTable('writes')
    .set({ state, evidence: jsonbOrNull(evidence), updatedAt: at })
    .where('key', '=', key)
    .where(({ or, and, eb }) =>
      or([
        eb('state', '=', sql.lit('intended')),
        and([eb('state', '<>', sql.lit('made')), eb.val(state === 'made')]),
        and([eb.val(adds === true), eb('evidence', 'is distinct from', jsonb(evidence))]),
      ]),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** The oldest write that counts towards a cap. */
export async function first(
  db: Db,
  filter: { teamId: string; tool: string; target: string; since: Date },
): Promise<{ at: Date; evidence: Json | null } | null> {
  const row = await counted(db, filter)
    .select(['createdAt as at', 'evidence'])
    .orderBy('createdAt')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row ?? null;
}

/** It joined an existing one, so it reached nobody. */
const joined = sql`coalesce(evidence->'result'->'joined' = 'true'::jsonb, false)`;

/** Writes made or possibly made; one that certainly failed, or reached nobody, does not count. */
function counted(db: Db, filter: { teamId: string; tool: string; since: Date; target: string }) {
  const { teamId, tool, since, target } = filter;
  return db
    .selectFrom('writes')
    .where('teamId', '=', teamId)
    .where('tool', '=', tool)
    .where('createdAt', '>=', since)
    .where('state', '<>', sql.lit('failed'))
    .where(sql<boolean>`not ${joined}`)
    .where(sql<boolean>`targets @> ${jsonb([target])}`);
}

/**
 * Stores the first attempt at a write; false when that is over a cap, or not the first. One statement counts and inserts,
 * so that two writes of one transaction cannot both take the last place.
 */
export async function insert(
  trx: Db,
  intent: WriteIntent & { readonly attempt: number },
  caps: readonly WriteCap[],
): Promise<boolean> {
  const { teamId, runId, stepId, tool, key, executor, attempt, at } = intent;
  const limits = caps.map(({ target, since, max }) => ({ target, since: since.toISOString(), max }));
  // Repeated as a plain value: Postgres has no statistics on one inside JSON, and would read every write ever made.
  const earliest = new Date(Math.min(at.getTime(), ...caps.map(({ since }) => since.getTime())));
  const { rows } = await sql<Pick<WriteRow, 'key'>>`
    insert into writes
      (team_id, run_id, step_id, tool, key, targets, state, attempts, executor, created_at, updated_at)
    select ${teamId}, ${runId}, ${stepId}, ${tool}, ${key}, ${jsonb([...intent.targets])}, 'intended',
      ${attempt}::integer, ${executor}, ${at}::timestamptz, ${at}::timestamptz
    where not exists (
      select from jsonb_to_recordset(${jsonb(limits)}) as cap (target text, since timestamptz, max integer)
      where cap.max <= (select count(*) from writes w
        where w.team_id = ${teamId} and w.tool = ${tool} and w.created_at >= cap.since
          and w.created_at >= ${earliest}::timestamptz
          and w.state <> 'failed' and not ${joined} and w.targets @> jsonb_build_array(cap.target)))
    on conflict (team_id, run_id, step_id) do nothing returning key`.execute(trx);
  return rows.length > 0;
}

async function overCap(trx: Db, { teamId, tool }: WriteIntent, caps: readonly WriteCap[]): Promise<Noted> {
  for (const cap of caps) {
    const { count } = await counted(trx, { teamId, tool, ...cap })
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= cap.max) return { kind: 'over_cap', cap, count };
  }
  throw new TypeError('a write was neither noted nor over a cap');
}
