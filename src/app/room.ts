import { StoreError } from '../store/errors.ts';
import * as inbox from '../store/inbox.ts';
import type { Books } from './books.ts';

/** What this process knows of the room on the database's disk, from what it could store. */
export interface Room {
  /** Takes notice of how that ended. */
  storing<T>(stored: Promise<T>): Promise<T>;
  /** Null, or that there is none; after a disk was full it is tried out. */
  lacking(): Promise<string | null>;
}

export function watchRoom(db: Books['db'], now: () => Date): Room {
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
