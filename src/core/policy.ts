import { digestOf } from './canonical.ts';
import type { Risk } from './manifest.ts';

/**
 * Who may approve: a person (`U…`), a Slack group (`S…`), or the on-call of a service; without a service, of the one
 * that the write targets.
 */
export type Approver =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'oncall'; readonly service: string | null };

/** Hours of a day in a time zone; `from` after `to` spans midnight. Minutes from 00:00. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  /** 0 is Sunday; the day on which the hours begin. */
  readonly days: readonly number[];
  readonly timezone: string;
}

/** True during the hours; the day of the week is that of their start. */
export function isWithin({ from, to, days, timezone }: Hours, now: Date): boolean {
  const { minute, day } = wallClock(now, timezone);
  if (from <= to) return minute >= from && minute < to && days.includes(day);
  if (minute >= from) return days.includes(day);
  return minute < to && days.includes((day + 6) % 7);
}

function wallClock(now: Date, timeZone: string): { minute: number; day: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', weekday: 'short', hour: '2-digit', minute: '2-digit' },
  }).formatToParts(now);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(of('weekday'));
  return { minute: Number(of('hour')) * 60 + Number(of('minute')), day };
}

/** One rule for the writes it matches. A field a rule leaves out does not restrict it. */
export interface Rule {
  /** How people refer to it: "payments pages", or "rule 2" if it has no name. */
  readonly name: string;
  readonly tools: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly projects: readonly string[] | null;
  /** Names without #. */
  readonly channels: readonly string[] | null;
  readonly risks: readonly Risk[] | null;
  readonly hours: Hours | null;
  /** Why nobody may approve it, whatever other rules say; null for a rule that allows approval. */
  readonly deny: string | null;
  readonly approvers: readonly Approver[];
  /** Additional approvers, notified when nobody has answered. */
  readonly backup: readonly Approver[];
  /** Number of approvals required. */
  readonly needed: number;
  /** True: the requester and editors of the plan may not approve it. */
  readonly fourEyes: boolean;
}

export const codeFrom = ['off', 'playbooks', 'people', 'model'] as const;
export type CodeFrom = (typeof codeFrom)[number];

/** The operator's rules, which apply to every plan. */
export interface Policy {
  /**
   * Denials apply wherever they are listed; of the rest, the first that matches a write decides who may approve it. No
   * match: nobody.
   */
  readonly rules: readonly Rule[];
  /** The service whose on-call answers for a project. */
  readonly serviceOf: Readonly<Record<string, string>>;
  /** People who may approve alone what would need others, with a public reason. */
  readonly breakGlass: readonly Approver[];
  /** `run`: reads need no approval. `ask`: everything does. */
  readonly reads: 'run' | 'ask';
  /** Whose code steps may run: those of installed playbooks, also people's, also a model's. */
  readonly code: CodeFrom;
  /** Queries that a model writes: whether they wait for approval, and whether plans that no person asked for may have them. */
  readonly written?: { readonly approval: 'ask' | 'run'; readonly unattended: boolean };
  /** Minutes until an undecided card expires. */
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
