/** A cause as the operator writes it: code settles it by its check, and nothing else does. */
export interface Cause {
  readonly id: string;
  readonly sentence: string;
  /** Services that it may be about; null for any. */
  readonly services: readonly string[] | null;
  /** Reads in plan notation, and a last line `supported when …`. `{service}` stands for the service. */
  readonly check: string;
  readonly fix: CauseFix | null;
  /** Address of its runbook; null for none. */
  readonly runbook: string | null;
}

/**
 * The thing that helps: steps in plan notation, in which `{service}` stands for the service, or a playbook with values of its
 * inputs; the service and its project need none.
 */
export type CauseFix = string | PlaybookFix;

export interface PlaybookFix {
  readonly playbook: string;
  readonly inputs: Readonly<Record<string, string | number>>;
}

export function causesOf(causes: readonly Cause[], service: string): Cause[] {
  return causes.filter(({ services }) => services === null || services.includes(service));
}
