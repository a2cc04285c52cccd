import { takeOnce } from '../store/taken.ts';
import type { World } from './world.ts';

/** True for the first delivery with this key: one that came before, perhaps to another process, is done already. */
export function isFirst({ db, teamId, now }: World, key: string): Promise<boolean> {
  return takeOnce(db, { teamId, key, at: now() });
}
