import { digestOf } from './canonical.ts';
import { own } from './own.ts';

/** Who may approve: a person (`U…`), a Slack group (`S…`), or whoever is on call for a service. */
export type Approver =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'oncall'; readonly service: string };

/** Rules of the operator that hold for every plan. */
export interface Policy {
  /** Approvers per write tool; `*` serves tools without an entry. No entry or an empty list: nobody. */
  readonly approvers: Readonly<Record<string, readonly Approver[]>>;
  /** True: who asked for or edited a plan that writes may not approve it. */
  readonly fourEyes: boolean;
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
    /** Plans per person and hour. */
    readonly plansPerHour: number;
    /** US dollars for models per day. */
    readonly modelUsdPerDay: number;
  };
}

/** The approvers of a tool: its own entry, else `*`, else nobody. */
export function approversOf(policy: Policy, tool: string): readonly Approver[] {
  return own(policy.approvers, tool) ?? own(policy.approvers, '*') ?? [];
}

export function policyDigest(policy: Policy): string {
  return digestOf(policy);
}
