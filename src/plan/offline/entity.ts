import type { Catalogue } from '../../core/catalogue.ts';
import type { TargetKind } from '../../core/fields.ts';
import type { Lexicon } from './lexicon.ts';

export type EntityKind =
  | Exclude<TargetKind, 'transition'>
  | 'number'
  | 'duration'
  | 'time'
  | 'code'
  | 'quote'
  | 'query'
  /** A word that stands in no list: a name that is not known, or part of a topic. */
  | 'unknown';

/** A thing that a request names, found before anything is understood. */
export interface Entity {
  readonly kind: EntityKind;
  readonly length: number;
  readonly value: string;
  readonly tense?: 'past' | 'present' | 'future';
  /** It reads like the name of something, but nothing here is called so. */
  readonly strange?: true;
}

/** What the words are read with. */
export interface Reader {
  readonly catalogue: Catalogue;
  readonly lexicon: Lexicon;
  readonly now: Date;
}
