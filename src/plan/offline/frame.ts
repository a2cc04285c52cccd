import type { Catalogue } from '../../core/catalogue.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Entity } from './entity.ts';
import type { Lexicon } from './lexicon.ts';
import type { Phrase } from './sense.ts';
import type { Token } from './tokens.ts';

/** A request with everything that was found in it before it is understood. */
export interface Text {
  readonly goal: string;
  readonly tokens: readonly Token[];
  readonly entities: readonly (readonly Entity[])[];
  readonly phrases: readonly (readonly Phrase[])[];
  readonly lexicon: Lexicon;
  readonly catalogue: Catalogue;
  /** Services whose on-call is whoever asks. */
  readonly onCallFor: readonly string[];
  /** Frames that were filled before: the search asks for the same spans again and again. */
  readonly frames: Map<string, Frame>;
}

/** A name that stands where a target belongs and that nothing here has. */
export interface Strange {
  readonly arg: string;
  readonly said: string;
}

/** One tool with the slots that words of the request fill, in whatever order they stand. */
export interface Frame {
  readonly tool: Manifest;
  readonly slots: ReadonlyMap<string, readonly string[]>;
  readonly verb: boolean;
  readonly noun: boolean;
  /** Tokens that a slot, a verb or a noun explains. */
  readonly used: ReadonlySet<number>;
  /** Tokens that fill slots, of those. */
  readonly filling: ReadonlySet<number>;
  /** Tokens of the text that was taken as a message: they weigh less than words that were understood. */
  readonly spoken: ReadonlySet<number>;
  /** Tokens that mean something and that nothing explains. */
  readonly left: readonly number[];
  readonly strange: readonly Strange[];
  /** Two or more targets were named with "or". */
  readonly either: string | null;
}
