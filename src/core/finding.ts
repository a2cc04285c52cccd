/** One problem found by the review, located so that a person or planner can fix it. */
export interface Finding {
  /** Stable name of the rule, such as `unknown_tool`. */
  readonly rule: string;
  /** Step id, or null for the plan as a whole. */
  readonly step: string | null;
  /** Field inside the step or plan, such as `args.project` or `when`. */
  readonly field: string | null;
  /** The problem and the expected value, in one sentence. */
  readonly message: string;
}

export function finding(rule: string, step: string | null, field: string | null, message: string): Finding {
  return { rule, step, field, message };
}

/** `step page, args.service: …`, one line for the command line and for a repair prompt. */
export function findingLine(f: Finding): string {
  const place = [f.step === null ? 'plan' : `step ${f.step}`, f.field].filter(Boolean).join(', ');
  return `${place}: ${f.message} [${f.rule}]`;
}
