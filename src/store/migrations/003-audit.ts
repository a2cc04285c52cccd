import { type Kysely, sql } from 'kysely';

/** The audit log. `seq` counts from 1 per team without gaps, so a missing line shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit (
      team_id text not null,
      seq bigint not null check (seq > 0),
      at timestamptz not null,
      kind text not null,
      actor text not null,
      subject text not null,
      data text not null,
      prev_hash text not null,
      hash text not null,
      primary key (team_id, seq)
    )`.execute(db);
  await sql`create index audit_by_subject on audit (team_id, subject, seq)`.execute(db);
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
    end $$`.execute(db);
  await sql`
    create trigger audit_append_only before update or delete on audit
    for each row execute function refuse_audit_change()`.execute(db);
  await sql`
    create trigger audit_no_truncate before truncate on audit
    for each statement execute function refuse_audit_change()`.execute(db);
}
