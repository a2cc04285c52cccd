import { audited } from '../audit/ledger.ts';
import { sha256 } from '../core/canonical.ts';
import type { Db, PlaybookRow } from './tables.ts';

/** Stores a playbook with its audit line. False when its name is taken: a vetted plan is not overwritten by accident. */
export function save(db: Db, playbook: PlaybookRow): Promise<boolean> {
  const { teamId, name, owner, createdAt: at } = playbook;
  return audited(db, teamId, async (trx) => {
    const inserted = await trx
      .insertInto('playbooks')
      .values(playbook)
      .onConflict((conflict) => conflict.columns(['teamId', 'name']).doNothing())
      .returning('name')
      .executeTakeFirst();
    if (inserted === undefined) return { value: false, lines: [] };
    const data = { digest: sha256(playbook.source) };
    const line = { teamId, at, kind: 'playbook.saved', actor: owner, subject: `playbook:${name}`, data };
    return { value: true, lines: [line] };
  });
}

/** Removes a playbook; its audit line keeps the content. False if there is none with that name. */
export function remove(
  db: Db,
  of: Pick<PlaybookRow, 'teamId' | 'name'> & { readonly by: string; readonly at: Date },
): Promise<boolean> {
  const { teamId, name, by: actor, at } = of;
  return audited(db, teamId, async (trx) => {
    const removed = await trx
      .deleteFrom('playbooks')
      .where('teamId', '=', teamId)
      .where('name', '=', name)
      .returning(['owner', 'source'])
      .executeTakeFirst();
    if (removed === undefined) return { value: false, lines: [] };
    const data = { digest: sha256(removed.source), owner: removed.owner };
    const line = { teamId, at, kind: 'playbook.removed', actor, subject: `playbook:${name}`, data };
    return { value: true, lines: [line] };
  });
}

/** The saved playbooks of a team by name. */
export function list(db: Db, teamId: string): Promise<PlaybookRow[]> {
  return db.selectFrom('playbooks').selectAll().where('teamId', '=', teamId).orderBy('name').execute();
}
