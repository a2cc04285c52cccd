import type { Revision } from './revision.ts';
import type { FailedRun } from './run.ts';

/** What planning starts from beside the request: answers to questions, a change in words, a failed run. */
export interface Turn {
  /** The revision that is changed or replaced, or null for a fresh request. */
  readonly basedOn: Revision | null;
  readonly change: string | null;
  readonly failed: FailedRun | null;
  /** False when `basedOn` has run already: what follows it leaves it as it is. */
  readonly replaces: boolean;
  /** Slack id of who caused this turn, or `system`. */
  readonly actor: string;
  /** Key of the delivery or run that caused it: however often it is worked on, it makes one revision. */
  readonly cause: string;
}

export function firstTurn(actor: string, cause: string): Turn {
  return { basedOn: null, change: null, failed: null, replaces: true, actor, cause };
}

/** A request and what is to be planned of it now. */
export interface NextTurn<R> {
  readonly request: R;
  readonly turn: Turn;
}
