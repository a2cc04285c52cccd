import type { TargetKind } from '../../../core/fields.ts';

export type ThingKind =
  | Exclude<TargetKind, 'transition'>
  | 'number'
  | 'duration'
  | 'time'
  | 'code'
  | 'quote'
  | 'pasted'
  | 'query'
  /** A word that stands in no list: a name that is not known, or part of a topic. */
  | 'unknown';

/** A thing that a request names, found before anything is understood. */
export interface Thing {
  readonly kind: ThingKind;
  /** Its first token, and how many it has. */
  readonly at: number;
  readonly length: number;
  readonly value: string;
  /** It can be nothing else. */
  readonly sure?: true;
  readonly tense?: 'past' | 'present' | 'future';
  /** Of a time: a day, week or month that is over. */
  readonly whole?: true;
}
