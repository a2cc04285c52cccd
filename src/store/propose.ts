import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import type { JsonObject } from '../core/json.ts';
import { StoreError } from './errors.ts';
import { jsonb } from './jsonb.ts';
import { get, revisionEntry } from './revisions.ts';
import { begun } from './runs.ts';
import type { Db, RevisionRow } from './tables.ts';

export interface ProposedRevision {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  readonly bytes: string;
  readonly authors: readonly string[];
  /** The targets the plan names, such as `service:ops`, for finding it again. */
  readonly targets: readonly string[];
  /** When the first reminder is due; null for never. */
  readonly nudgeAt: Date | null;
  readonly origin: JsonObject;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Its author, for the audit line: a Slack user id, or `system`. */
  readonly actor: string;
  /** Key of its cause; one cause makes one revision. */
  readonly cause: string;
  /** The edited revision: if it was decided meanwhile, nothing is stored. */
  readonly basedOn?: number;
  /** Equal for plans that do the same thing; only one of them may wait for approval. Absent for plans that only read. */
  readonly planKey?: string;
  /** Id of the run for its reads, stored with it; absent when nothing is read before approval. */
  readonly readsId?: string;
}

export type ProposeResult =
  | { readonly ok: true; readonly superseded: RevisionRow[] }
  | { readonly ok: false; readonly why: 'not_open'; readonly current: RevisionRow | null }
  /** An equivalent plan of another request is waiting for approval or running. */
  | { readonly ok: false; readonly why: 'under_way'; readonly holder: string }
  /** The same cause already made this revision. */
  | { readonly ok: false; readonly why: 'known'; readonly number: number };

/**
 * Stores a revision and, in the same transaction, supersedes the one before it: its buttons die. Returns the superseded
 * ones, so that their cards can be updated. Throws StoreError `revision_exists` when two people edit at once and the
 * number is taken, `not_found` when there is no such request.
 */
export function propose(db: Db, revision: ProposedRevision): Promise<ProposeResult> {
  const { teamId, actor, createdAt } = revision;
  return audited<ProposeResult>(db, teamId, async (trx) => {
    const { requestId, basedOn } = revision;
    const [known, holder, current] = await Promise.all([
      numberOfCause(trx, revision),
      underWay(trx, revision),
      basedOn === undefined ? null : get(trx, teamId, requestId, basedOn),
      lockRequest(trx, revision),
    ]);
    if (known !== null) return { value: { ok: false, why: 'known', number: known }, lines: [] };
    if (holder !== null) return { value: { ok: false, why: 'under_way', holder }, lines: [] };
    if (basedOn !== undefined && current?.state !== 'proposed' && current?.state !== 'answered') {
      return { value: { ok: false, why: 'not_open', current }, lines: [] };
    }
    const [superseded] = await Promise.all([
      supersede(trx, revision),
      insert(trx, revision),
      noteTargets(trx, revision),
      ...(revision.readsId === undefined ? [] : [insertReads(trx, revision, revision.readsId)]),
    ]);
    const lines = superseded.map((each) => revisionEntry(each, 'superseded', actor, createdAt));
    lines.push(revisionEntry(revision, 'proposed', actor, createdAt));
    return { value: { ok: true, superseded }, lines };
  });
}

/** Serialises the proposals of one request. */
async function lockRequest(trx: Db, revision: ProposedRevision): Promise<void> {
  const { rows } = await sql`
    select id from requests where team_id = ${revision.teamId} and id = ${revision.requestId} for update`.execute(
    trx,
  );
  if (rows.length === 1) return;
  throw new StoreError('not_found', 'There is no such request.', { request: revision.requestId });
}

async function numberOfCause(
  trx: Db,
  { teamId, requestId, cause }: ProposedRevision,
): Promise<number | null> {
  const row = await trx
    .selectFrom('revisions')
    .select('number')
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .where(sql<boolean>`origin->>'cause' = ${cause}`)
    .executeTakeFirst();
  return row?.number ?? null;
}

/**
 * The request with an equivalent active plan, or null. Searched among the few active runs: `offset 0` keeps Postgres
 * from starting with all equivalent plans, of which a schedule makes thousands.
 */
async function underWay(trx: Db, { teamId, requestId, planKey }: ProposedRevision): Promise<string | null> {
  if (planKey === undefined) return null;
  const { rows } = await sql<{ holder: string }>`
    select request_id as holder from revisions
      where team_id = ${teamId} and plan_key = ${planKey} and state = 'proposed' and request_id <> ${requestId}
    union all
    select r.request_id
      from (select request_id from runs where team_id = ${teamId} and state = 'running' and mode = 'run'
          and request_id <> ${requestId} offset 0) u
        cross join lateral (select request_id from revisions where team_id = ${teamId}
          and request_id = u.request_id and plan_key = ${planKey} and state = 'approved' offset 0) r
    limit 1`.execute(trx);
  return rows[0]?.holder ?? null;
}

async function supersede(trx: Db, revision: ProposedRevision): Promise<RevisionRow[]> {
  return trx
    .updateTable('revisions')
    .set({ state: 'superseded', decidedBy: revision.actor, decidedAt: revision.createdAt })
    .where('teamId', '=', revision.teamId)
    .where('requestId', '=', revision.requestId)
    .where('state', '=', sql.lit('proposed'))
    .returningAll()
    .execute();
}

async function insert(trx: Db, revision: ProposedRevision): Promise<void> {
  const { actor, basedOn, readsId, planKey = null, origin, cause, authors, targets, ...columns } = revision;
  const open = {
    state: 'proposed',
    cardChannel: null,
    cardTs: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
  } as const;
  const inserted = await trx
    .insertInto('revisions')
    .values({ ...columns, planKey, ...open, authors: [...authors], origin: jsonb({ ...origin, cause }) })
    .onConflict((conflict) => conflict.columns(['teamId', 'requestId', 'number']).doNothing())
    .returning('number')
    .executeTakeFirst();
  if (inserted !== undefined) return;
  throw new StoreError(
    'revision_exists',
    'Somebody else changed this plan in the same moment; look at the newest card.',
    {
      request: revision.requestId,
      number: revision.number,
    },
  );
}

/** Stored with the request's time, so that a changed plan is found only once. */
async function noteTargets(trx: Db, { teamId, requestId, targets }: ProposedRevision): Promise<void> {
  await sql`
    insert into plan_targets (team_id, target, at, request_id)
    select q.team_id, t.target, q.created_at, q.id
      from requests q cross join unnest(${[...targets]}::text[]) t (target)
      where q.team_id = ${teamId} and q.id = ${requestId}
    on conflict do nothing`.execute(trx);
}

async function insertReads(
  trx: Db,
  { teamId, requestId, number, createdAt }: ProposedRevision,
  id: string,
): Promise<void> {
  const about = { teamId, id, requestId, number, mode: 'read', startedAt: createdAt } as const;
  await trx
    .insertInto('runs')
    .values({ ...about, ...begun })
    .execute();
}
