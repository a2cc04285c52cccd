import type { Person, Who } from '../core/person.ts';
import type { Policy } from '../core/policy.ts';
import type { Facts } from '../core/read-results.ts';
import type { Revision, RevisionState } from '../core/revision.ts';

/** A stored revision. */
export interface StoredRevision {
  readonly revision: Revision;
  readonly state: RevisionState;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** Results of its reads before approval; null if nothing was read. */
  readonly facts: Facts | null;
  /** People who made the same request: they count as requesters. */
  readonly joiners: readonly string[];
}

export interface StoreDecision {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  readonly to: 'approved' | 'rejected' | 'cancelled';
  readonly by: string;
  readonly reason: string | null;
  /** Earlier approvers counted together with this one. */
  readonly others: readonly string[];
  /** Approved alone where others would have been needed. */
  readonly glass: boolean;
  readonly now: Date;
  /** The standing approval that approves it, and the maximum number of writes. */
  readonly standing?: { readonly id: string; readonly writes: number };
  /** Digest of the card's facts. */
  readonly facts?: string;
}

export type StoreAnswer =
  | { readonly ok: true; readonly runId: string | null }
  | {
      readonly ok: false;
      readonly why:
        | 'service_busy'
        | 'changed_meanwhile'
        | 'not_found'
        | 'digest_mismatch'
        | 'expired'
        | 'superseded'
        | 'already_decided';
      /** The plan that occupies a service. */
      readonly busy?: { readonly requestId: string; readonly number: number };
    };

/** A person's approval of a revision; more may be needed. */
export interface Yes {
  readonly by: string;
  readonly at: Date;
}

/** Revisions with their single compare-and-set. */
export interface Revisions {
  /** Throws a DigestError when the stored bytes do not match the stored digest. */
  load(teamId: string, requestId: string, number: number): Promise<StoredRevision | null>;
  /** True when a revision is stored, tampered with or not. */
  exists(teamId: string, requestId: string, number: number): Promise<boolean>;
  /** Number of the newest revision of a request. */
  newest(teamId: string, requestId: string): Promise<number>;
  /** Everyone who has approved a revision so far. */
  yeses(teamId: string, requestId: string, number: number): Promise<readonly Yes[]>;
  /** Records one of several approvals needed; `closed` when the revision is no longer open. */
  second(yes: {
    teamId: string;
    requestId: string;
    number: number;
    digest: string;
    by: string;
    now: Date;
  }): Promise<'added' | 'repeated' | 'closed'>;
  /** Decides once; an approval also creates the run and its grant, in the same transaction. */
  decide(decision: StoreDecision): Promise<StoreAnswer>;
}

/** Looks up people at the time of a click. Each method may throw a VendorError: then nobody is allowed. */
export interface PeopleDirectory {
  /** A person with this id and another home is external. */
  person(who: Who): Promise<Person | null>;
  groupMembers(groupId: string): Promise<ReadonlySet<string>>;
  /** Slack user ids of the people on call for a service now. */
  onCall(service: string): Promise<readonly string[]>;
}

/** The current rules, to compare with those a card was made under. */
export interface Rules {
  readonly policy: Policy;
  /** Digest of the catalogue. */
  readonly catalogue: string;
}
