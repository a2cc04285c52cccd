import { StoreError } from './errors.ts';
import * as inbox from './inbox.ts';
import type { Db } from './tables.ts';

/** Tracks whether the database's disk is full, by the results of writes. */
export interface DiskSpace {
  /** Remembers whether the last write hit a full disk. */
  storing<T>(stored: Promise<T>): Promise<T>;
  /** Null, or that the disk is full; after a full disk it tries a write. */
  problem(): Promise<string | null>;
}

export function watchDiskSpace(db: Db, now: () => Date): DiskSpace {
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
    async problem() {
      if (isFull) await storing(inbox.tryStoring(db, now())).catch(() => undefined);
      return isFull ? 'its disk is full: make room there' : null;
    },
  };
}
