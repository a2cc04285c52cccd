import type { Facts } from '../core/facts.ts';
import type { Person, Who } from '../core/person.ts';
import type { Policy } from '../core/policy.ts';
import type { Revision, RevisionState } from '../core/revision.ts';

/** A revision as the store keeps it. */
export interface StoredRevision {
  readonly revision: Revision;
  readonly state: RevisionState;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** What its reads came to before anybody was asked; null where nothing was read. */
  readonly facts: Facts | null;
  /** Who else asked for the same: they count as having asked. */
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
  /** Others whose yes is counted with this one. */
  readonly others: readonly string[];
  /** Approved alone where others would have to agree. */
  readonly glass: boolean;
  readonly now: Date;
  /** The standing approval that says yes, and for how many writes at most. */
  readonly standing?: { readonly id: string; readonly writes: number };
  /** Digest of what the card said of the world. */
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
      /** The plan that a service is busy with. */
      readonly busy?: { readonly requestId: string; readonly number: number };
    };

/** A person's yes to a revision, of which more may be needed. */
export interface Yes {
  readonly by: string;
  readonly at: Date;
}

/** Revisions with their one compare-and-set. */
export interface Revisions {
  /** Throws a DigestError when the stored bytes are not the ones of the stored digest. */
  load(teamId: string, requestId: string, number: number): Promise<StoredRevision | null>;
  /** True when a revision is stored, changed or not. */
  exists(teamId: string, requestId: string, number: number): Promise<boolean>;
  /** Number of the newest revision of a request. */
  newest(teamId: string, requestId: string): Promise<number>;
  /** Everybody who has said yes to a revision so far. */
  yeses(teamId: string, requestId: string, number: number): Promise<readonly Yes[]>;
  /** Notes a yes of which more are needed; `closed` when the revision is no longer open. */
  second(yes: {
    teamId: string;
    requestId: string;
    number: number;
    digest: string;
    by: string;
    now: Date;
  }): Promise<'added' | 'repeated' | 'closed'>;
  /** Decides once; a yes also makes the run and its grant, in the same transaction. */
  decide(decision: StoreDecision): Promise<StoreAnswer>;
}

/** Who people are, asked at the click. Each may throw a VendorError: then nobody is allowed. */
export interface PeopleDirectory {
  /** Somebody with this id and another home is external. */
  person(who: Who): Promise<Person | null>;
  groupMembers(groupId: string): Promise<ReadonlySet<string>>;
  /** Slack user ids of those who are on call for a service now. */
  onCall(service: string): Promise<readonly string[]>;
}

/** The rules as they are now, to be compared with those that a card was made under. */
export interface Rules {
  readonly policy: Policy;
  /** Digest of the catalogue. */
  readonly catalogue: string;
}
