import { audited } from '../audit/ledger.ts';
import type { Db, InstallationRow } from './tables.ts';

export type NewInstallation = Omit<InstallationRow, 'token' | 'removedAt' | 'closedAt'> & {
  readonly token: string;
};

/** Records an installation of the bot, new or repeated; the token is already encrypted. */
export function store(db: Db, installation: NewInstallation): Promise<void> {
  const { teamId, installedBy: actor, installedAt: at, name } = installation;
  const row = { ...installation, removedAt: null, closedAt: null };
  return audited<void>(db, teamId, async (trx) => {
    await trx
      .insertInto('installations')
      .values(row)
      .onConflict((conflict) => conflict.column('teamId').doUpdateSet(row))
      .execute();
    const line = {
      teamId,
      at,
      actor,
      kind: 'workspace.installed',
      subject: `workspace:${teamId}`,
      data: { name },
    };
    return { value: undefined, lines: [line] };
  });
}

/** Workspaces where the bot is installed, or was and something may still be open. */
export function open(db: Db): Promise<InstallationRow[]> {
  return db.selectFrom('installations').selectAll().where('closedAt', 'is', null).orderBy('teamId').execute();
}

/** Deletes the token; false when the bot was not installed there. Open work there still has to be ended. */
export function remove(db: Db, { teamId, at }: { teamId: string; at: Date }): Promise<boolean> {
  return audited<boolean>(db, teamId, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('installations')
      .set({ token: null, removedAt: at })
      .where('teamId', '=', teamId)
      .where('removedAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return { value: false, lines: [] };
    const subject = `workspace:${teamId}`;
    const line = { teamId, at, actor: 'system', kind: 'workspace.removed', subject, data: {} };
    return { value: true, lines: [line] };
  });
}

/** Marks all work there as ended. Has no effect when the bot was installed again meanwhile. */
export async function close(db: Db, { teamId, at }: { teamId: string; at: Date }): Promise<void> {
  await db
    .updateTable('installations')
    .set({ closedAt: at })
    .where('teamId', '=', teamId)
    .where('removedAt', 'is not', null)
    .execute();
}

/** Replaces a token encrypted with an older key by the same one encrypted again. */
export async function reseal(db: Db, of: { teamId: string; from: string; to: string }): Promise<void> {
  await db
    .updateTable('installations')
    .set({ token: of.to })
    .where('teamId', '=', of.teamId)
    .where('token', '=', of.from)
    .execute();
}
