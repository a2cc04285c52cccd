import type { Plan, PlannedBy } from './plan.ts';

/** An argument the vendor requires for a write, phrased as a question to the requester. */
export interface Need {
  readonly arg: string;
  /** In an argument with lines such as `Root cause: deploy`, the name before the colon. */
  readonly item?: string;
  /** One question in plain words. */
  readonly question: string;
  /** Values the vendor accepts; empty when people type their own. */
  readonly choices: readonly string[];
}

/** A reviewed plan that waits for one argument of one step. */
export interface Blank {
  readonly plan: Plan;
  readonly planner: PlannedBy;
  readonly step: string;
  readonly arg: string;
  readonly item: string | null;
}

/** The plan with the person's answer filled in as a literal for that argument. */
export function filledPlan({ plan, step, arg, item }: Blank, answer: string): Plan {
  const steps = plan.steps.map((one) =>
    one.id === step ? { ...one, args: { ...one.args, [arg]: value(one.args[arg], item, answer) } } : one,
  );
  return { ...plan, steps };
}

type Value = Plan['steps'][number]['args'][string];

/** An answer for an item replaces that item's line; any other answer is the whole argument. */
function value(before: Value | undefined, item: string | null, answer: string): Value {
  if (item === null) return answer;
  const line = `${item}: ${answer.replaceAll('\n', ' ')}`;
  if (Array.isArray(before)) return [...before, `\n${line}`];
  const name = `${item}:`.toLowerCase();
  const lines = typeof before === 'string' && before !== '' ? before.split('\n') : [];
  return [...lines.filter((one) => !one.toLowerCase().startsWith(name)), line].join('\n');
}
