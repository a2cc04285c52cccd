import { sql } from 'kysely';
import { audited, type Behind, type Done } from '../audit/ledger.ts';
import type { JsonObject } from '../core/json.ts';
import { StoreError } from './errors.ts';
import { jsonb } from './jsonb.ts';
import { get, revisionEntry } from './revisions.ts';
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
  /** Sources of its code steps by step id, for the audit line; absent without any. */
  readonly code?: JsonObject;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Its author, for the audit line: a Slack user id, or `system`. */
  readonly actor: string;
  /** The owner of the agent that proposed it, for the audit line. */
  readonly owner?: string;
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
export function propose(db: Db, revision: ProposedRevision, behind?: Behind): Promise<ProposeResult> {
  const { teamId, requestId, basedOn, actor, createdAt } = revision;
  const work = async (trx: Db): Promise<Done<ProposeResult>> => {
    const { found, known, holder, allowed, inserted, superseded } = await store(trx, revision);
    if (!found) {
      throw new StoreError('not_found', 'There is no such request.', { request: requestId });
    }
    if (known !== null) return { value: { ok: false, why: 'known', number: known }, lines: [] };
    if (holder !== null) return { value: { ok: false, why: 'under_way', holder }, lines: [] };
    if (!allowed) {
      const current = basedOn === undefined ? null : await get(trx, teamId, requestId, basedOn);
      return { value: { ok: false, why: 'not_open', current }, lines: [] };
    }
    if (!inserted) {
      const message = 'Somebody else changed this plan in the same moment; look at the newest card.';
      throw new StoreError('revision_exists', message, { request: requestId, number: revision.number });
    }
    const lines = superseded.map((each) => revisionEntry(each, 'superseded', actor, createdAt));
    const { code, owner } = revision;
    const more = { ...(code && { code }), ...(owner && { owner }) };
    lines.push(revisionEntry(revision, 'proposed', actor, createdAt, more));
    return { value: { ok: true, superseded }, lines };
  };
  return audited(db, teamId, work, behind);
}

interface Outcome {
  /** The request is there. */
  readonly found: boolean;
  /** Number of the revision that the same cause already made. */
  readonly known: number | null;
  /** The request with an equivalent active plan. */
  readonly holder: string | null;
  /** None of these stands in the way, and the revision it changes is open. */
  readonly allowed: boolean;
  readonly inserted: boolean;
}

/**
 * All in one statement, which the lock of the chain waits for. The holder is searched among the few active runs:
 * `offset 0` keeps Postgres from starting with all equivalent plans, of which a schedule makes thousands. Targets are
 * stored with the request's time, so that a changed plan is found only once.
 */
async function store(
  trx: Db,
  revision: ProposedRevision,
): Promise<Outcome & { readonly superseded: RevisionRow[] }> {
  const { teamId, requestId, number, actor, createdAt, cause } = revision;
  const { basedOn = null, planKey = null, readsId = null } = revision;
  const { rows } = await sql<Outcome & (RevisionRow | { readonly requestId: null })>`
    with request as materialized (
      select team_id, id, created_at from requests where team_id = ${teamId} and id = ${requestId} for update),
    known as materialized (
      select number from revisions
      where team_id = ${teamId} and request_id = ${requestId} and origin->>'cause' = ${cause} limit 1),
    holder as materialized (
      select request_id from revisions
        where team_id = ${teamId} and plan_key = ${planKey}::text and state = 'proposed' and request_id <> ${requestId}
      union all
      select r.request_id
        from (select request_id from runs where team_id = ${teamId} and state = 'running' and mode = 'run'
            and request_id <> ${requestId} and ${planKey}::text is not null offset 0) u
          cross join lateral (select request_id from revisions where team_id = ${teamId}
            and request_id = u.request_id and plan_key = ${planKey}::text and state = 'approved' offset 0) r
      limit 1),
    allowed as materialized (
      select * from request where not exists (select from known) and not exists (select from holder)
        and (${basedOn}::integer is null or exists (select from revisions
          where team_id = ${teamId} and request_id = ${requestId} and number = ${basedOn}::integer
            and state in ('proposed', 'answered')))),
    superseded as (
      update revisions set state = 'superseded', decided_by = ${actor}, decided_at = ${createdAt}
      where team_id = ${teamId} and request_id = ${requestId} and state = 'proposed'
        and exists (select from allowed)
      returning *),
    inserted as (
      insert into revisions (team_id, request_id, number, digest, bytes, authors, state, origin, created_at,
        expires_at, nudge_at, plan_key)
      select team_id, id, ${number}::integer, ${revision.digest}, ${revision.bytes},
        ${[...revision.authors]}::text[], 'proposed', ${jsonb({ ...revision.origin, cause })},
        ${createdAt}::timestamptz, ${revision.expiresAt}::timestamptz, ${revision.nudgeAt}::timestamptz,
        ${planKey}::text
      from allowed, (select count(*) from superseded) once_those_are_closed
      on conflict (team_id, request_id, number) do nothing returning number),
    named as (
      insert into plan_targets (team_id, target, at, request_id)
      select team_id, target, created_at, id from allowed cross join unnest(${[...revision.targets]}::text[]) t (target)
      on conflict do nothing),
    read as (
      insert into runs (team_id, id, request_id, number, mode, state, started_at)
      select team_id, ${readsId}::text, id, ${number}::integer, 'read', 'running', ${createdAt}::timestamptz
      from allowed where ${readsId}::text is not null)
    select exists (select from request) as found, (select number from known) as known,
      (select request_id from holder) as holder, exists (select from allowed) as allowed,
      exists (select from inserted) as inserted, superseded.*
    from (select) once left join superseded on true`.execute(trx);
  const superseded = rows.filter((row): row is Outcome & RevisionRow => row.requestId !== null);
  const [first] = rows;
  if (first === undefined) throw new TypeError('a statement without a row');
  const { found, known, holder, allowed, inserted } = first;
  return { found, known, holder, allowed, inserted, superseded };
}
