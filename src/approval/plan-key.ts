import { digestOf } from '../core/canonical.ts';
import type { Plan } from '../core/plan.ts';

/** Equal for plans that do the same thing, whoever asked and however they put it. */
export function planKeyOf({ steps }: Plan): string {
  return digestOf(steps.map(({ why: _why, ...does }) => ({ ...does, needs: [...does.needs].sort() })));
}
