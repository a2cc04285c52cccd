import { digestOf } from './canonical.ts';
import type { Plan } from './plan.ts';

/** The same for plans that do the same, whoever asked and in whatever words. */
export function planKeyOf({ steps }: Plan): string {
  return digestOf(steps.map(({ why: _why, ...does }) => ({ ...does, needs: [...does.needs].sort() })));
}
