import { type Revision, unseal } from '../core/revision.ts';
import type { RequestBook } from '../request/ports.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { RevisionRow, TeamDb, TolerantDb } from '../store/tables.ts';

export type Books = TeamDb;
export type SoundBooks = TolerantDb;

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
