import { digestOf } from './canonical.ts';
import type { Risk } from './manifest.ts';

/**
 * Who may approve: a person (`U…`), a Slack group (`S…`), or whoever is on call for a service; without a service, for
 * the one that the write is aimed at.
 */
export type Approver =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'oncall'; readonly service: string | null };

/** Hours of a day in a time zone; `from` after `to` goes over midnight. Minutes from 00:00. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  /** 0 is Sunday; the day on which the hours begin. */
  readonly days: readonly number[];
  readonly timezone: string;
}

/** What one rule says of the writes that it is about. What a rule does not name, it does not ask about. */
export interface Rule {
  /** By this people know it: "payments pages", or "rule 2" where it has no name. */
  readonly name: string;
  readonly tools: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly projects: readonly string[] | null;
  /** Names without #. */
  readonly channels: readonly string[] | null;
  readonly risks: readonly Risk[] | null;
  readonly hours: Hours | null;
  /** Why nobody may approve it, whatever other rules say; null for a rule that lets people approve. */
  readonly deny: string | null;
  readonly approvers: readonly Approver[];
  /** Approvers as well, whom the bot writes to when nobody has answered. */
  readonly backup: readonly Approver[];
  /** How many of them have to say yes. */
  readonly needed: number;
  /** True: not who asked for the plan or edited it. */
  readonly fourEyes: boolean;
}

/** Rules of the operator that hold for every plan. */
export interface Policy {
  /** Denials hold wherever they stand; of the rest the first that fits a write says who may approve it. None: nobody. */
  readonly rules: readonly Rule[];
  /** Service that is on call for a project. */
  readonly serviceOf: Readonly<Record<string, string>>;
  /** Who may approve alone what others would have to, with a reason that everybody reads. */
  readonly breakGlass: readonly Approver[];
  /** `run`: reads do not wait for a yes. `ask`: everything does. */
  readonly reads: 'run' | 'ask';
  /** Minutes until a card that nobody decided on expires. */
  readonly expiresMinutes: number;
  readonly caps: {
    /** Steps in one plan. */
    readonly steps: number;
    /** Writes in one plan. */
    readonly writes: number;
    /** Pages per service and hour. */
    readonly pagesPerHour: number;
    /** Slack posts per channel and hour. */
    readonly postsPerHour: number;
    /** Requests that only read, per person and hour. */
    readonly questionsPerHour: number;
    /** Plans that write, per person and hour; none with an urgent write is refused for it. */
    readonly plansPerHour: number;
    /** US dollars for models per day. */
    readonly modelUsdPerDay: number;
  };
}

export function policyDigest(policy: Policy): string {
  return digestOf(policy);
}
