import { LRUCache } from 'lru-cache';
import { readRow } from '../core/damaged-row.ts';
import { cached } from '../process/cache.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { TolerantDb } from '../store/tables.ts';

/** Rows that each event of a run needs; only fields that never change may be read from them. */
export function knownRows({ db, damaged }: Pick<TolerantDb, 'db' | 'damaged'>) {
  return {
    /** Cards that were recorded as shown, by `shownKey`. */
    shown: new LRUCache<string, true>({ max: 200 }),
    request: cached((teamId: string, id: string) => requests.get(db, teamId, id)),
    revision: cached(async (teamId: string, requestId: string, number: number) => {
      const row = await revisions.get(db, teamId, requestId, number);
      return row && readRow(row, revisions.planReader, damaged);
    }),
    /** Location of a card; forget it when it moves. */
    card: cached(async (teamId: string, requestId: string, number: number) => {
      const row = await revisions.get(db, teamId, requestId, number);
      if (!row?.cardChannel || !row.cardTs) return null;
      return { channel: row.cardChannel, ts: row.cardTs };
    }),
  };
}
export type KnownRows = ReturnType<typeof knownRows>;
