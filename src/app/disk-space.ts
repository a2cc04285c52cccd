import { StoreError } from '../store/errors.ts';
import * as inbox from '../store/inbox.ts';
import type { TeamDb } from '../store/tables.ts';

/** Tracks whether the database's disk is full, by the results of writes. */
export interface Room {
  /** Remembers whether the last write hit a full disk. */
  storing<T>(stored: Promise<T>): Promise<T>;
  /** Null, or that the disk is full; after a full disk it tries a write. */
  lacking(): Promise<string | null>;
}

export function watchRoom(db: TeamDb['db'], now: () => Date): Room {
  let isFull = false;
  async function storing<T>(stored: Promise<T>): Promise<T> {
    try {
      const answer = await stored;
      isFull = false;
      return answer;
    } catch (error) {
      isFull = error instanceof StoreError && error.code === 'disk_full';
      throw error;
    }
  }
  return {
    storing,
    async lacking() {
      if (isFull) await storing(inbox.tryRoom(db, now())).catch(() => undefined);
      return isFull ? 'its disk is full: make room there' : null;
    },
  };
}
