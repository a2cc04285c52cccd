import type { Revision } from '../core/revision.ts';
import type { Watch } from '../core/watch.ts';
import type { Standing } from './list.ts';

/** A plan with the channel of its request. */
export interface Listed {
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  /** The newest revision of its request, or one that ran; null if the stored plan is damaged. */
  readonly revision: Revision | null;
  readonly channel: string;
  readonly requester: string;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly standing: Standing;
  /** It only read. */
  readonly isAnswer: boolean;
  /** Address of its card, or null. Fetched only when it is shown. */
  link(): Promise<string | null>;
}

/** Selects plans. `target` is spelled as in `core/targets.ts`: `service:ops`. */
export type Filter =
  | { readonly kind: 'all' }
  | { readonly kind: 'person'; readonly userId: string }
  | { readonly kind: 'target'; readonly target: string };

/** A typed word with the thing it names here. */
export interface PlanTarget {
  readonly typed: string;
  readonly label: string;
  readonly filter: Filter;
}

export interface AboutPort {
  /** Plans waiting for a decision, soonest to expire first. */
  waiting(limit: number): Promise<readonly Listed[]>;
  /** Running plans, oldest first. */
  running(limit: number): Promise<readonly Listed[]>;
  /** Finished and running plans, latest start first. */
  recent(limit: number): Promise<readonly Listed[]>;
  /** A person's requests, newest first, with their runs. */
  asked(userId: string, limit: number): Promise<readonly Listed[]>;
  /** Newest first, with the runs of each request; `next` is the start of the next page, null after the last. */
  history(
    filter: Filter,
    before: Date,
    limit: number,
  ): Promise<{ plans: readonly Listed[]; next: Date | null }>;
  /** Whether a person may approve a waiting plan; false when that cannot be looked up. */
  mayApprove(userId: string, plan: Listed): Promise<boolean>;
  /** True when a channel is public or the person is in it. */
  maySee(userId: string, channel: string): Promise<boolean>;
  /** Active watches. */
  watches(): Promise<readonly Watch[]>;
  /** Who stopped all writes, or null. `at` is ISO 8601. */
  stopped(): Promise<{ by: string; at: string; reason: string } | null>;
}
