/** A yes that is given once for the same plan of a watch or playbook, until a date and for so many writes a day. */
export interface StandingApproval {
  readonly id: string;
  /** `watch:<id>` or `playbook:<name>`. */
  readonly scope: string;
  /** Digest of the playbook as it was; empty for a watch. */
  readonly version: string;
  /** What the plan does, with all its targets and bounds. */
  readonly planKey: string;
  /** Digests of the rules and of the catalogue under which it was given. */
  readonly policy: string;
  readonly catalogue: string;
  /** The plan in one line. */
  readonly summary: string;
  /** Where its cards are posted. */
  readonly channel: string;
  /** Who asked for the plan: Slack user id, or `schedule:<name>`. */
  readonly owner: string;
  /** Who gave it. */
  readonly yeses: readonly string[];
  readonly until: Date;
  /** Writes in 24 hours. */
  readonly perDay: number;
  /** Null while more people have to agree. */
  readonly activeAt: Date | null;
  readonly endedAt: Date | null;
}

export function scopeWords(scope: string): string {
  return scope.startsWith('playbook:') ? `the playbook ${scope.slice('playbook:'.length)}` : 'this watch';
}
