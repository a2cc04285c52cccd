import { cut } from '../../../core/inert.ts';
import type { Plan } from '../../../core/plan.ts';
import type { Reading } from '../words/normalise.ts';
import type { Token } from '../words/token.ts';
import { summaryOf } from './plan-words.ts';
import type { Work } from './work.ts';

const inputNames = [
  'project',
  'priority',
  'service',
  'channel',
  'user',
  'key',
  'incident',
  'status',
  'window',
  'since',
] as const;

/** Where a value came from: an answer, the goal's own text, or a default of the workspace. */
function sourceOf(work: Work, name: string, value: string): Plan['inputs'][number]['source'] {
  const asked = Object.values(work.given).some((answer) => typeof answer === 'string' && answer === value);
  if (asked) return 'asked';
  if (work.defaulted.has(`${name}=${value}`)) return 'default';
  const named = /^(project|service|channel|user|key)$/.test(name);
  const plain = value.replace(/^[#@]/, '').toLowerCase();
  return named && !work.goal.toLowerCase().includes(plain) ? 'default' : 'text';
}

/** Summary, inputs and assumptions for the card. */
export function describePlan(
  work: Work,
  reading: Reading,
  left: readonly Token[],
): Pick<Plan, 'summary' | 'inputs' | 'assumptions'> {
  const inputs: Plan['inputs'] = [];
  for (const step of work.steps) {
    for (const name of inputNames) {
      const value = step.args[name];
      if (typeof value !== 'string' || inputs.length >= 20) continue;
      const known = inputs.some((input) => input.value === value && input.name.replace(/_\d+$/, '') === name);
      if (known) continue;
      const count = inputs.filter((input) => input.name.replace(/_\d+$/, '') === name).length;
      inputs.push({
        name: count === 0 ? name : `${name}_${count + 1}`,
        value,
        source: sourceOf(work, name, value),
      });
    }
  }
  const repairs =
    reading.repairs.length > 0 ? [cut(`Read as: ${reading.repairs.slice(0, 8).join(', ')}`, 300)] : [];
  const names = [...new Set(left.map((token) => `“${token.raw}”`))].slice(0, 8).join(', ');
  const unused = names === '' ? [] : [cut(`Not used from the request: ${names}`, 300)];
  return {
    summary: summaryOf(work.steps),
    inputs,
    assumptions: [...repairs, ...unused, ...work.assumptions].slice(0, 10),
  };
}
