import type { Revision } from '../core/revision.ts';
import * as revisions from '../store/revisions.ts';
import type { RevisionRow, TeamDb, TolerantDb } from '../store/tables.ts';

export type Books = TeamDb;
export type SoundBooks = TolerantDb;

export function revisionOf(row: RevisionRow | null): Revision | null {
  return row && revisions.revisionOf(row);
}

/** The newest revision of a request, whatever its state. Throws a DigestError when its bytes were tampered with. */
export async function newestRevision({ db, teamId }: Books, requestId: string): Promise<Revision | null> {
  return revisionOf(await revisions.latest(db, teamId, requestId));
}
