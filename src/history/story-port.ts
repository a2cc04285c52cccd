import type { Message } from '../blocks/message.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Life } from '../core/incident-history.ts';
import type { Json } from '../core/json.ts';
import type { PlanId } from '../core/plan-id.ts';
import type { RunMode, RunOutcome, StepResult } from '../core/run.ts';
import type { Wording } from '../report/run-words.ts';
import type { AboutPort, Listed } from './port.ts';

/** One line of the audit log about a plan. */
export interface LogLine {
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: Json;
}

/** A question about a request with its answer. `by` is a Slack id. */
export interface Answered {
  readonly question: string;
  readonly answer: string;
  readonly by: string;
}

/** A run with the results of its steps. */
export interface ToldRun {
  readonly runId: string;
  readonly number: number;
  readonly mode: RunMode;
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  readonly wording: Wording;
  readonly results: readonly StepResult[];
}

/** Everything known about a plan: its request, cards, clicks and runs, and how far it is verified. */
export interface Story {
  readonly plan: Listed;
  readonly requestId: string;
  /** As typed. */
  readonly goal: string;
  /** The planner's questions, and people's answers. */
  readonly answers: readonly Answered[];
  readonly runs: readonly ToldRun[];
  /** Incidents opened by its runs. */
  readonly lives: readonly Life[];
  readonly log: readonly LogLine[];
  /** Inconsistencies; empty when everything is verified. */
  readonly problems: readonly string[];
}

/** The last card sent to Slack before the decision. `at` is ISO 8601. */
export interface ShownCard {
  readonly message: Message;
  readonly at: string;
  readonly hash: string;
  /** False when it does not match its hash. */
  readonly isWhole: boolean;
}

export interface StoryPort extends AboutPort {
  /** Plans with this id, newest first; several if short digests collide. */
  named(id: PlanId): Promise<readonly Listed[]>;
  story(plan: Listed): Promise<Story>;
  /** Null when none was shown, or it is no longer kept. */
  cardAsShown(of: { requestId: string; number: number }): Promise<ShownCard | null>;
  readonly catalogue: Catalogue;
}
