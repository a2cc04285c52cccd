import type { Db, PlaybookRow } from './tables.ts';

/** Stores a playbook. False when its name is taken: a vetted plan is not overwritten in passing. */
export async function save(db: Db, playbook: PlaybookRow): Promise<boolean> {
  const inserted = await db
    .insertInto('playbooks')
    .values(playbook)
    .onConflict((conflict) => conflict.columns(['teamId', 'name']).doNothing())
    .returning('name')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False when there is none of that name. */
export async function remove(
  db: Db,
  { teamId, name }: Pick<PlaybookRow, 'teamId' | 'name'>,
): Promise<boolean> {
  const removed = await db
    .deleteFrom('playbooks')
    .where('teamId', '=', teamId)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst();
  return removed !== undefined;
}

/** The saved playbooks of a team by name. */
export function list(db: Db, teamId: string): Promise<PlaybookRow[]> {
  return db.selectFrom('playbooks').selectAll().where('teamId', '=', teamId).orderBy('name').execute();
}
