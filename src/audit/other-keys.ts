import type { Db } from '../store/tables.ts';
import { auditedTeams } from '../store/teams.ts';
import { headOf } from './chain.ts';
import { keysOf } from './key.ts';
import { keyMissing } from './key-change.ts';

/** A log that does not end under the first of the keys. To one whose key is not given nothing can be added. */
interface OtherKey {
  readonly team: string;
  readonly key: string;
  readonly isGiven: boolean;
}

export async function otherKeys(db: Db): Promise<OtherKey[]> {
  const keys = keysOf(db);
  const teams = await auditedTeams(db);
  const heads = await Promise.all(teams.map(async (team) => ({ team, key: (await headOf(db, team)).keyId })));
  return heads.flatMap(({ team, key }) =>
    key === null || key === keys.current?.id ? [] : [{ team, key, isGiven: keys.find(key) !== null }],
  );
}

/** Throws StoreError `audit_key_missing` where nothing could be signed as the log is. */
export async function refuseStrangeKeys(db: Db): Promise<void> {
  const first = (await otherKeys(db)).find(({ isGiven }) => !isGiven);
  if (first !== undefined) throw keyMissing(first.team, first.key);
}
