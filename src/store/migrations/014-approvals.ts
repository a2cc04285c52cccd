import { type Kysely, sql } from 'kysely';

/** Where several people must approve, each approval is a row; the last one creates the grant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table approvals (team_id text not null, request_id text not null, number integer not null,
      digest text not null, approver text not null, at timestamptz not null,
      primary key (team_id, request_id, number, approver),
      foreign key (team_id, request_id, number) references revisions (team_id, request_id, number))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
