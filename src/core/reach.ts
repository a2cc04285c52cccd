import type { TargetKind } from './fields.ts';

/** The purpose of a step, as the headings of a long plan. Absent in a manifest: a read looks up, a write acts. */
export type Purpose = 'look up' | 'decide' | 'act' | 'tell';

/** "wakes Ana Ruiz", "tells #ops", "tells the watchers of OPS-3". */
export interface Reached {
  readonly how: 'wakes' | 'tells';
  readonly whom: string;
}

/** Of a resolved target: its kind, and the people it calls where that is known. */
export interface ReachedTarget {
  readonly kind: TargetKind;
  readonly people?: readonly { readonly name: string }[] | undefined;
}
