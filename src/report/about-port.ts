import type { Revision } from '../core/revision.ts';
import type { Watch } from '../core/watch.ts';
import type { Standing } from './listing.ts';

/** A plan with the place where it was asked for. */
export interface Listed {
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  /** The newest one of its request, or one that ran; null where what is stored is damaged. */
  readonly revision: Revision | null;
  readonly channel: string;
  readonly requester: string;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly standing: Standing;
  /** It only read. */
  readonly isAnswer: boolean;
  /** Address of its card, or null. Asked for only when it is shown. */
  link(): Promise<string | null>;
}

/** Whose plans are meant. `target` is spelt as `core/targets.ts` does: `service:ops`. */
export type Filter =
  | { readonly kind: 'all' }
  | { readonly kind: 'person'; readonly userId: string }
  | { readonly kind: 'target'; readonly target: string };

/** A word that somebody typed, with what it names here. */
export interface PlanTarget {
  readonly typed: string;
  readonly label: string;
  readonly filter: Filter;
}

export interface AboutPort {
  /** Plans that wait for a decision, those that expire first. */
  waiting(limit: number): Promise<readonly Listed[]>;
  /** Plans that run, oldest first. */
  running(limit: number): Promise<readonly Listed[]>;
  /** Plans that ran or run, those that began last first. */
  recent(limit: number): Promise<readonly Listed[]>;
  /** What a person asked for, newest first, with what ran of it. */
  asked(userId: string, limit: number): Promise<readonly Listed[]>;
  /** Newest first, with what ran of each request; `next` is where the next page begins, null after the last. */
  history(
    filter: Filter,
    before: Date,
    limit: number,
  ): Promise<{ plans: readonly Listed[]; next: Date | null }>;
  /** Whether a person may say yes to a plan that waits; false when it cannot be looked up. */
  mayApprove(userId: string, plan: Listed): Promise<boolean>;
  /** True when a channel is public or the person is in it. */
  maySee(userId: string, channel: string): Promise<boolean>;
  /** Watches that have not ended. */
  watches(): Promise<readonly Watch[]>;
  /** Who stopped all writes, or null. `at` is ISO 8601. */
  stopped(): Promise<{ by: string; at: string; reason: string } | null>;
}
