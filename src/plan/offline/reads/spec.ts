import type { Args, FromStep } from '../draft/draft.ts';

/** A read that a clause names: one tool with its arguments. */
export interface ReadSpec {
  readonly tool: string;
  readonly args: Args;
  /** The words ask neither for a number nor for a list. */
  readonly open?: boolean;
}

/** What "it", "its" and a missing project stand for. */
export interface Known {
  readonly goal: string;
  readonly project?: string | undefined;
  readonly service?: string | undefined;
  readonly priority?: string | undefined;
  readonly key?: string | undefined;
  /** The error code that was looked up last. */
  readonly code?: string | FromStep | undefined;
}

/** `count`: the clause asks for a number; `list`: for the things; null: it does not say. */
export type Wanted = 'count' | 'list' | null;
