import type { Message } from '../blocks/message.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Json } from '../core/json.ts';
import type { Life } from '../core/life.ts';
import type { PlanId } from '../core/plan-id.ts';
import type { RunMode, RunOutcome, StepResult } from '../core/run.ts';
import type { AboutPort, Listed } from './about-port.ts';
import type { Told } from './evidence.ts';

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

/** A run with what its steps came to. */
export interface ToldRun {
  readonly runId: string;
  readonly number: number;
  readonly mode: RunMode;
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  readonly told: Told;
  readonly results: readonly StepResult[];
}

/** Everything that is known of a plan: asked, shown, clicked, ran, and how far it is proven. */
export interface Story {
  readonly plan: Listed;
  readonly requestId: string;
  /** As it was typed. */
  readonly goal: string;
  /** What the planner asked about it, and what people answered. */
  readonly answers: readonly Answered[];
  readonly runs: readonly ToldRun[];
  /** Incidents that its runs opened. */
  readonly lives: readonly Life[];
  readonly log: readonly LogLine[];
  /** What does not fit; empty when all of it is proven. */
  readonly problems: readonly string[];
}

/** A card as Slack was given it last before it was decided. `at` is ISO 8601. */
export interface ShownCard {
  readonly message: Message;
  readonly at: string;
  readonly hash: string;
  /** False where it is not what its hash says. */
  readonly isWhole: boolean;
}

export interface StoryPort extends AboutPort {
  /** Plans that an id names, newest first; more than one where short digests meet. */
  named(id: PlanId): Promise<readonly Listed[]>;
  story(plan: Listed): Promise<Story>;
  /** Null when none was shown, or it is no longer kept. */
  cardAsShown(of: { requestId: string; number: number }): Promise<ShownCard | null>;
  readonly catalogue: Catalogue;
}
