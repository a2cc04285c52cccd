import type { Plan } from '../../core/plan.ts';
import type { Reading } from './normalise.ts';
import type { Work } from './work.ts';

const inputNames = [
  'project',
  'priority',
  'service',
  'channel',
  'user',
  'key',
  'incident',
  'window',
  'since',
] as const;

/** Summary, inputs and assumptions for the card. */
export function describePlan(work: Work, reading: Reading): Pick<Plan, 'summary' | 'inputs' | 'assumptions'> {
  const inputs: Plan['inputs'] = [];
  for (const step of work.steps) {
    for (const name of inputNames) {
      const value = step.args[name];
      if (typeof value !== 'string' || inputs.length >= 20) continue;
      const known = inputs.some((input) => input.value === value && input.name.replace(/_\d+$/, '') === name);
      if (known) continue;
      const count = inputs.filter((input) => input.name.replace(/_\d+$/, '') === name).length;
      inputs.push({ name: count === 0 ? name : `${name}_${count + 1}`, value, source: 'text' });
    }
  }
  const repairs =
    reading.repairs.length > 0 ? [`Read as: ${reading.repairs.slice(0, 8).join(', ')}`.slice(0, 300)] : [];
  const summary = work.goal.replace(/\s+/g, ' ').trim();
  return {
    summary: summary.length > 200 ? `${summary.slice(0, 199)}…` : summary,
    inputs,
    assumptions: repairs,
  };
}
