import { cut } from '../../core/clean-text.ts';
import type { Plan, PlanInput } from '../../core/plan.ts';
import { literalTargets, originOf, type PersonWords } from './person-words.ts';

const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** P1 may also be written SEV1, sev-1, S1 or priority 1. */
function saysSeverity(said: readonly string[], value: string): boolean {
  const digit = value.slice(1);
  const text = ` ${said.join(' ')} `;
  return new RegExp(` (p|s|sev|prio|priority|severity)[ -]?${digit}s? `).test(text);
}

function saysNumber(said: readonly string[], value: string): boolean {
  return said.some((word) => word.replace(/[%x]$/, '') === value || numberWords[Number(value)] === word);
}

/** Limits in conditions, such as the 20 in `count.total > 20`. Zero and one are ways to say any or none. */
function limitsIn(plan: Plan): string[] {
  const conditions = plan.steps.map((step) => step.when ?? '').join('\n');
  const found = [...conditions.matchAll(/[<>=]\s*(\d{1,9})\b/g)].map((match) => match[1] ?? '');
  return found.filter((value) => Number(value) > 1);
}

/**
 * The values that the plan rests on, each with its origin. Derived from the person's words by code, so that a model
 * cannot pass a guess off as something the person said.
 */
export function inputsOf(plan: Plan, person: PersonWords): PlanInput[] {
  const found = new Map<string, PlanInput>();
  const add = (name: string, value: string, source: PlanInput['source']) => {
    found.set(`${name}=${value}`, { name, value: cut(value, 300), source });
  };
  for (const step of plan.steps) {
    for (const { arg, kind, value } of literalTargets(step, person.catalogue)) {
      const origin = originOf(person, kind, value);
      if (kind === 'severity' && saysSeverity(person.said, value)) add(arg, value, 'text');
      else add(arg, value, origin === 'text' || origin === 'asked' ? origin : 'default');
    }
  }
  for (const value of limitsIn(plan)) {
    const source = saysNumber(person.answered, value)
      ? 'asked'
      : saysNumber(person.said, value)
        ? 'text'
        : 'default';
    add('threshold', value, source);
  }
  return [...found.values()].slice(0, 20);
}
