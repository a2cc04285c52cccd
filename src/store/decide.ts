import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { audited, type Behind, type Done } from '../audit/ledger.ts';
import { storable } from './jsonb.ts';
import * as outbox from './outbox.ts';
import { get, revisionEntry } from './revisions.ts';
import { type Beside, besides } from './same-service.ts';
import { dayBefore } from './standing-approvals.ts';
import type { Db, RevisionRow } from './tables.ts';

export interface Decision {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  /** The digest on the card that was clicked. */
  readonly digest: string;
  readonly to: 'approved' | 'rejected' | 'cancelled';
  /** Slack user id. */
  readonly by: string;
  readonly reason: string | null;
  /** Earlier approvers that were counted: each must still be stored. */
  readonly others?: readonly string[];
  /** The approver breaks glass: approves alone what would need others. */
  readonly glass?: boolean;
  readonly now: Date;
  /** Messages sent with the decision, once. */
  readonly messages?: readonly outbox.OutboxMessage[];
  /** Digest of the read results shown with it; recorded in the audit line. */
  readonly facts?: string;
  /** The standing approval that approves it, and the number of writes it may make. */
  readonly standing?: { readonly id: string; readonly writes: number };
  /** Run id for an approval; generated if absent. */
  readonly runId?: string;
}

export type DecisionRefusal =
  | 'service_busy'
  /** A counted approval is no longer stored, a standing approval does not cover it, or a service was busy until now. */
  | 'changed_meanwhile'
  | 'not_found'
  | 'digest_mismatch'
  | 'expired'
  | 'superseded'
  | 'already_decided';

export type DecisionResult =
  | { readonly ok: true; readonly runId: string | null; readonly revision: RevisionRow }
  | {
      readonly ok: false;
      readonly why: DecisionRefusal;
      readonly current: RevisionRow | null;
      /** The run that occupies a service. */
      readonly busy?: Beside;
    };

/**
 * Decides a revision with one compare-and-set on (number, digest, still proposed, for an approval not yet expired), so
 * one of many clicks wins. An approval stores the run, the grant and the audit line and marks the request as running in
 * the same transaction: either all of it exists or the approval failed. The caller checks whether this person may
 * decide.
 */
export function decide(db: Db, decision: Decision, behind?: Behind): Promise<DecisionResult> {
  const work = async (trx: Db): Promise<Done<DecisionResult>> => {
    const runId = decision.to === 'approved' ? (decision.runId ?? randomUUID()) : null;
    const revision = await compareAndSet(trx, decision, runId);
    if (revision === null) {
      const current = await get(trx, decision.teamId, decision.requestId, decision.number);
      return { value: { ok: false, ...(await refusal(trx, current, decision)), current }, lines: [] };
    }
    await outbox.enqueueAll(trx, decision.messages ?? []);
    const { others = [], glass = false, reason, facts } = decision;
    const more = {
      ...(runId === null ? {} : { run: runId }),
      ...(others.length === 0 ? {} : { with: [...others] }),
      ...(glass ? { glass } : {}),
      ...(decision.standing === undefined ? {} : { standing: decision.standing.id }),
      ...(facts === undefined ? {} : { facts }),
      reason,
    };
    const line = revisionEntry(revision, decision.to, decision.by, decision.now, more);
    return { value: { ok: true, runId, revision }, lines: [line] };
  };
  return audited(db, decision.teamId, work, behind);
}

/**
 * One statement, so that no part can exist without the rest; `runId` is null unless it is an approval. Busy services
 * are found among the few active runs: `offset 0` keeps Postgres from starting with all plans ever made.
 */
async function compareAndSet(
  trx: Db,
  { teamId, requestId, number, digest, to, by, now, reason, others = [], glass = false, standing }: Decision,
  runId: string | null,
): Promise<RevisionRow | null> {
  const id = standing?.id ?? null;
  const { rows } = await sql<RevisionRow>`
    with busy as materialized (
      select t.target
      from (select request_id from runs where team_id = ${teamId} and state = 'running' and mode = 'run'
          and request_id <> ${requestId} and ${runId}::text is not null offset 0) u
        cross join lateral (select target from plan_targets where team_id = ${teamId}
          and request_id = u.request_id and target like 'service:%' offset 0) t),
    decided as (
      update revisions set state = ${to}, decided_by = ${by}, decided_at = ${now},
        reason = ${reason === null ? null : storable(reason)}
      where team_id = ${teamId} and request_id = ${requestId} and number = ${number} and digest = ${digest}
        and state = 'proposed' and (${runId}::text is null or expires_at > ${now})
        and (select count(*) from approvals a where a.team_id = ${teamId} and a.request_id = ${requestId}
          and a.number = ${number} and a.digest = ${digest}
          and a.approver = any(${[...others]}::text[])) = ${others.length}
        and not exists (select from busy where target in (
          select target from plan_targets where team_id = ${teamId} and request_id = ${requestId} offset 0))
        and (${id}::text is null or exists (select from standing_approvals s
          where s.team_id = ${teamId} and s.id = ${id}::text and s.ended_at is null and s.active_at is not null
            and s.until > ${now} and s.plan_key = revisions.plan_key and ${by} = any(s.yeses)
            and ${standing?.writes ?? 0} + (select coalesce(sum(u.writes), 0) from standing_uses u
              where u.team_id = s.team_id and u.standing = s.id and u.at > ${dayBefore(now)}) <= s.per_day))
      returning *),
    used as (
      insert into standing_uses (team_id, standing, run_id, writes, at)
      select team_id, ${id}::text, ${runId}::text, ${standing?.writes ?? 0}, decided_at from decided
      where ${id}::text is not null),
    counted as (
      insert into approvals (team_id, request_id, number, digest, approver, at)
      select team_id, request_id, number, digest, decided_by, decided_at from decided where ${runId}::text is not null
      on conflict do nothing),
    run as (
      insert into runs (team_id, id, request_id, number, mode, state, started_at)
      select team_id, ${runId}::text, request_id, number, 'run', 'running', decided_at from decided
      where ${runId}::text is not null),
    moved as (
      update requests q set state = 'running' from decided d
      where ${runId}::text is not null and q.team_id = d.team_id and q.id = d.request_id and q.state = 'review'),
    granted as (
      insert into grants (team_id, run_id, request_id, number, digest, approver, created_at, standing, glass)
      select team_id, ${runId}::text, request_id, number, digest, decided_by, decided_at, ${id}::text, ${glass}::boolean
      from decided
      where ${runId}::text is not null)
    select * from decided`.execute(trx);
  return rows[0] ?? null;
}

/** Why nothing changed. A wrong digest is checked first: then the click was for another revision. */
async function refusal(
  trx: Db,
  current: RevisionRow | null,
  decision: Decision,
): Promise<{ why: DecisionRefusal; busy?: Beside }> {
  if (current === null) return { why: 'not_found' };
  if (current.digest !== decision.digest) return { why: 'digest_mismatch' };
  if (current.state === 'superseded') return { why: 'superseded' };
  if (current.state === 'proposed' && current.expiresAt > decision.now) {
    const [busy] = await besides(trx, { ...decision, maxWaiting: 0, max: 1 });
    return busy === undefined ? { why: 'changed_meanwhile' } : { why: 'service_busy', busy };
  }
  return { why: current.state === 'expired' || current.state === 'proposed' ? 'expired' : 'already_decided' };
}
