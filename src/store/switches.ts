import { audited } from '../audit/ledger.ts';
import { storable } from './jsonb.ts';
import type { Db, SwitchRow } from './tables.ts';

/** Sets a switch, with an audit line. Every process sees it at its next check. */
export function set(db: Db, change: SwitchRow): Promise<void> {
  const row = { ...change, reason: storable(change.reason) };
  const { teamId, name, isOn, actor, reason, at } = row;
  return audited(db, teamId, async (trx) => {
    await trx
      .insertInto('switches')
      .values(row)
      .onConflict((conflict) => conflict.columns(['teamId', 'name']).doUpdateSet({ isOn, actor, reason, at }))
      .execute();
    const kind = isOn ? 'switch.on' : 'switch.off';
    const line = { teamId, at, kind, actor, subject: `switch:${name}`, data: { reason } };
    return { value: undefined, lines: [line] };
  });
}

/** The latest state of the switch, or null if it was never set. */
export async function get(db: Db, teamId: string, name: string): Promise<SwitchRow | null> {
  const row = await db
    .selectFrom('switches')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ?? null;
}
