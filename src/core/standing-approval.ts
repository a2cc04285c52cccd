/** One approval for all runs of the same plan of a watch or playbook, until a date and up to so many writes a day. */
export interface StandingApproval {
  readonly id: string;
  /** `watch:<id>` or `playbook:<name>`. */
  readonly scope: string;
  /** The playbook's digest at that time; empty for a watch. */
  readonly version: string;
  /** Identifies what the plan does, with all targets and bounds. */
  readonly planKey: string;
  /** Digests of the rules and the catalogue at the time it was given. */
  readonly policy: string;
  readonly catalogue: string;
  /** The plan in one line. */
  readonly summary: string;
  /** Where its cards are posted. */
  readonly channel: string;
  /** The requester: Slack user id, or `schedule:<name>`. */
  readonly owner: string;
  /** The people who gave it. */
  readonly approvers: readonly string[];
  readonly until: Date;
  /** Writes in 24 hours. */
  readonly perDay: number;
  /** Null while more approvals are needed. */
  readonly activeAt: Date | null;
  readonly endedAt: Date | null;
}

export function scopeWords(scope: string): string {
  return scope.startsWith('playbook:') ? `the playbook ${scope.slice('playbook:'.length)}` : 'this watch';
}
