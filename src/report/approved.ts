import { bold, person, type Span } from '../blocks/rich.ts';
import type { Approval } from '../core/run.ts';

/** "Approved by Ana Ruiz and Ben Okafor", or the other way it was approved. */
export function approvedSpans({ by, how }: Approval): Span[] {
  const names = by.flatMap((id, index): Span[] => [
    index === 0 ? '' : index === by.length - 1 ? ' and ' : ', ',
    person(id),
  ]);
  if (how === 'glass') return [bold('Approved alone, breaking glass,'), ' by ', ...names];
  return [how === 'standing' ? 'Approved by the standing approval of ' : 'Approved by ', ...names];
}
