import type { Catalogue } from '../../core/catalogue.ts';
import type { TargetKind } from '../../core/fields.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

export type ThingKind =
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
export interface Thing {
  readonly kind: ThingKind;
  /** Its first token, and how many it has. */
  readonly at: number;
  readonly length: number;
  readonly value: string;
  readonly tense?: 'past' | 'present' | 'future';
}

/** What the words are read with. */
export interface Reader {
  readonly catalogue: Catalogue;
  readonly lexicon: Lexicon;
  readonly now: Date;
}

/** A thing of one token where no length is said. */
export type Found = Omit<Thing, 'at' | 'length'> & { readonly length?: number };
/** The words from a place on, with what they are read with. */
export interface Here extends Reader {
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly token: Token;
  readonly text: string;
}
