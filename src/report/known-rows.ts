import { LRUCache } from 'lru-cache';
import { readRow } from '../core/damaged-row.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { TolerantDb } from '../store/tables.ts';

/** Caches the latest answers that never change once known, such as a card's location. Null is not cached. */
export function remembered<A extends readonly (string | number)[], T>(
  ask: (...about: A) => Promise<T>,
): ((...about: A) => Promise<T>) & { readonly forget: (...about: A) => void } {
  const known = new LRUCache<string, Promise<T>>({ max: 200 });
  const keyOf = (about: A) => about.join('/');
  const answerTo = (...about: A): Promise<T> => {
    const key = keyOf(about);
    const answer = known.get(key) ?? ask(...about);
    known.set(key, answer);
    const forget = () => void known.delete(key);
    answer.then((found) => found === null && forget(), forget);
    return answer;
  };
  return Object.assign(answerTo, { forget: (...about: A) => void known.delete(keyOf(about)) });
}

/** Rows that each event of a run needs; only fields that never change may be read from them. */
export function knownRows({ db, damaged }: Pick<TolerantDb, 'db' | 'damaged'>) {
  return {
    /** Cards that were recorded as shown, by `shownKey`. */
    shown: new LRUCache<string, true>({ max: 200 }),
    request: remembered((teamId: string, id: string) => requests.get(db, teamId, id)),
    revision: remembered(async (teamId: string, requestId: string, number: number) => {
      const row = await revisions.get(db, teamId, requestId, number);
      return row && readRow(row, revisions.planReader, damaged);
    }),
    /** Location of a card; forget it when it moves. */
    card: remembered(async (teamId: string, requestId: string, number: number) => {
      const row = await revisions.get(db, teamId, requestId, number);
      if (!row?.cardChannel || !row.cardTs) return null;
      return { channel: row.cardChannel, ts: row.cardTs };
    }),
  };
}
export type KnownRows = ReturnType<typeof knownRows>;
