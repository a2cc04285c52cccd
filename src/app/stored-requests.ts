import type { RowReader, TellDamage } from '../core/damaged-row.ts';
import { type Life, lifeOf } from '../core/incident-history.ts';
import { type Revision, unseal } from '../core/revision.ts';
import type { RequestBook } from '../request/ports.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { Db, IncidentRow, RevisionRow } from '../store/tables.ts';

/** Access to one workspace's rows for the stages. */
export interface Books {
  readonly db: Db;
  readonly teamId: string;
}

/** The same, for code in which one damaged row must not stop the rest. */
export interface SoundBooks extends Books {
  readonly damaged: TellDamage;
}

/** The stored history of an incident: null before it is first read. */
export const lifeReader: RowReader<Pick<IncidentRow, 'id' | 'life'>, { readonly life: Life | null }> = {
  kind: 'incident',
  idOf: ({ id }) => id,
  read: ({ life }) => ({ life: lifeOf(life) }),
};

export function requestBook({ db, teamId }: Books): RequestBook {
  return {
    get: (id) => requests.get(db, teamId, id),
    insert: (request) => requests.insert(db, request, 'planning'),
    move: (change) => requests.setState(db, { teamId, ...change }),
  };
}

export function revisionOf(row: RevisionRow | null): Revision | null {
  return row && unseal(row.bytes, row.digest);
}

/** The newest revision of a request, whatever its state. Throws a DigestError when its bytes were tampered with. */
export async function newestRevision({ db, teamId }: Books, requestId: string): Promise<Revision | null> {
  return revisionOf(await revisions.latest(db, teamId, requestId));
}
