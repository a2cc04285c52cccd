import type { Plan, PlannedBy } from './plan.ts';

/** An argument without which a vendor does not take a write, as whoever asked is asked for it. */
export interface Need {
  readonly arg: string;
  /** In an argument with lines such as `Root cause: deploy`, the name before the colon. */
  readonly item?: string;
  /** One question in plain words. */
  readonly question: string;
  /** Values that the vendor takes; empty where people write it themselves. */
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

/** The plan with what a person answered as a literal of that argument. */
export function filledPlan({ plan, step, arg, item }: Blank, answer: string): Plan {
  const steps = plan.steps.map((one) =>
    one.id === step ? { ...one, args: { ...one.args, [arg]: value(one.args[arg], item, answer) } } : one,
  );
  return { ...plan, steps };
}

type Value = Plan['steps'][number]['args'][string];

/** A line for an item replaces the one that it had; any other argument is what was answered. */
function value(before: Value | undefined, item: string | null, answer: string): Value {
  if (item === null) return answer;
  const line = `${item}: ${answer.replaceAll('\n', ' ')}`;
  if (Array.isArray(before)) return [...before, `\n${line}`];
  const name = `${item}:`.toLowerCase();
  const lines = typeof before === 'string' && before !== '' ? before.split('\n') : [];
  return [...lines.filter((one) => !one.toLowerCase().startsWith(name)), line].join('\n');
}
