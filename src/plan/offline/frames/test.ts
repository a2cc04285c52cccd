import type { Lasting, Operator } from '../steps/draft.ts';
import type { Frame } from './frame.ts';

/** What a condition asks of a value. Which field of which read it means is decided when the read is known. */
export type Test =
  | { readonly kind: 'number'; readonly op: Operator; readonly value: number }
  | { readonly kind: 'minutes'; readonly by: Lasting; readonly op: Operator; readonly value: number }
  | { readonly kind: 'than'; readonly op: Operator; readonly frame: Frame }
  /** `alarm` is what the word means where it is said of an incident, null where it is no state of one. */
  | { readonly kind: 'state'; readonly is: boolean; readonly value: string; readonly alarm: string | null }
  | { readonly kind: 'exists'; readonly some: boolean }
  /** A limit that something is held against; whether it is over is asked later. */
  | { readonly kind: 'versus'; readonly frame: Frame }
  /** "over", "above": over the limit that was spoken of. */
  | { readonly kind: 'over'; readonly op: Operator };

/** A test with the tokens that say it, and those of what is compared where they are not all the others. */
export interface Said {
  readonly test: Test;
  readonly tokens: readonly number[];
  readonly about?: readonly number[];
}
