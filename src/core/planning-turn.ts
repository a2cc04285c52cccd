import type { Revision } from './revision.ts';
import type { FailedRun } from './run.ts';

/** Input to planning beyond the request: answers to questions, a change in words, a failed run. */
export interface Turn {
  /** The revision being changed or replaced; null for a fresh request. */
  readonly basedOn: Revision | null;
  readonly change: string | null;
  readonly failed: FailedRun | null;
  /** False when `basedOn` already ran: its successor leaves it unchanged. */
  readonly replaces: boolean;
  /** Slack id of the person who caused this turn, or `system`. */
  readonly actor: string;
  /** Key of the delivery or run that caused it: repeated processing still makes one revision. */
  readonly cause: string;
}

export function firstTurn(actor: string, cause: string): Turn {
  return { basedOn: null, change: null, failed: null, replaces: true, actor, cause };
}

/** A request with its next planning turn. */
export interface NextTurn<R> {
  readonly request: R;
  readonly turn: Turn;
}
