import { type Kysely, sql } from 'kysely';

/** Answers questions about plans: what was done to a service or ticket, by whom, and with what result. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table plan_targets (team_id text not null, target text not null, at timestamptz not null,
      request_id text not null, primary key (team_id, target, at, request_id))`,
    'create index plan_targets_by_request on plan_targets (team_id, request_id)',
    // For existing plans, the targets of their writes.
    `insert into plan_targets (team_id, target, at, request_id)
      select distinct w.team_id, t.target, q.created_at, q.id from writes w
        join runs u on u.team_id = w.team_id and u.id = w.run_id
        join requests q on q.team_id = u.team_id and q.id = u.request_id
        cross join lateral jsonb_array_elements_text(w.targets) t (target)`,
    // The cards people saw before they decided.
    `create table shown_cards (team_id text not null, request_id text not null, number integer not null,
      hash text not null, message jsonb not null, at timestamptz not null,
      primary key (team_id, request_id, number, hash))`,
    // People refer to a plan by the digits on its card.
    'create index revisions_by_short on revisions (team_id, left(digest, 8))',
    'create index grants_by_approver on grants (team_id, approver, created_at desc)',
    'create index audit_by_subject on audit (team_id, subject, seq)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
