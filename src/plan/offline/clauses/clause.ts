import type { Token } from '../words/token.ts';

/** How a clause hangs on what stands before it. */
export type Join = 'start' | 'and' | 'then' | 'also' | 'otherwise' | 'same';

export interface Clause {
  readonly kind: 'action' | 'condition';
  readonly tokens: readonly Token[];
  readonly join: Join;
  /** It comes after everything that its sentence has asked for so far. */
  readonly afterAll?: boolean;
  /** "if it is": the state itself holds, also where the last condition was that it does not. */
  readonly affirms?: boolean;
  /** `unless`: the condition is turned round. */
  readonly negated: boolean;
  readonly sentence: number;
  /** The sentence ends with a question mark. */
  readonly question: boolean;
  /** A condition that holds for what comes behind it only: "…, and if there are many, page". */
  readonly forward: boolean;
}

/** A clause that is still being collected. */
export interface Open {
  tokens: Token[];
  kind: Clause['kind'];
  join: Join;
  afterAll?: boolean;
  affirms?: boolean;
  negated: boolean;
  forward: boolean;
}

/** True for words that name a read without a verb. */
export type IsRead = (tokens: readonly Token[]) => boolean;
