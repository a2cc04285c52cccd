import { cut } from '../../core/inert.ts';
import type { ArgValue, PlanDraft } from '../../core/plan.ts';
import { isRef } from '../../core/refs.ts';
import type { Playbook, PlaybookStep } from './playbook.ts';

export type InputValues = Readonly<Record<string, string | number>>;

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

/** Names of the inputs that a text uses. */
export function inputsIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/** Every text of a step in which an input may stand, with its place. */
export function textsOf(step: PlaybookStep): { path: string[]; text: string }[] {
  const texts = Object.entries(step.args).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((part) => (typeof part === 'string' ? [{ path: ['args', name], text: part }] : [])),
  );
  return step.when === undefined ? texts : [...texts, { path: ['when'], text: step.when }];
}

/** Inputs that some step needs and that have neither a value nor a default. Arguments that are one input are optional. */
export function missingInputs(playbook: Playbook, values: InputValues): string[] {
  const needed = playbook.steps.flatMap((step) => textsOf(step).flatMap(({ text }) => inputsIn(text)));
  return [...new Set(needed)].filter(
    (name) => values[name] === undefined && playbook.inputs[name]?.default === undefined,
  );
}

function fillText(text: string, values: InputValues): string {
  return text.replace(placeholder, (whole, name: string) => {
    return String(values[name] ?? whole);
  });
}

function fillValue(value: PlaybookStep['args'][string], values: InputValues): ArgValue {
  if (typeof value === 'string') {
    const only = value.match(/^\{([a-z][a-z0-9_]*)\}$/)?.[1];
    const own = only === undefined ? undefined : values[only];
    return own ?? fillText(value, values);
  }
  if (!Array.isArray(value)) return value;
  return value.map((part) => (isRef(part) ? part : fillText(part, values)));
}

/** ISO 8601 durations count as minutes inside conditions. */
function forConditions(
  playbook: Playbook,
  values: InputValues,
  minutes: (duration: string) => number,
): InputValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      playbook.inputs[name]?.type === 'duration' ? minutes(String(value)) : value,
    ]),
  );
}

/** The plan a playbook stands for with these values; defaults fill what is missing. */
export function instantiate(
  playbook: Playbook,
  given: InputValues,
  goal: string,
  minutes: (duration: string) => number,
): PlanDraft {
  const defaults = Object.entries(playbook.inputs).flatMap(([name, spec]) =>
    spec.default === undefined ? [] : [[name, spec.default] as const],
  );
  const values: InputValues = { ...Object.fromEntries(defaults), ...given };
  const inConditions = forConditions(playbook, values, minutes);
  return {
    goal,
    summary: cut(fillText(playbook.summary, values), 200),
    inputs: Object.entries(values).map(([name, value]) => ({
      name,
      value: String(value),
      source: given[name] === undefined ? 'default' : 'text',
    })),
    assumptions: [`the playbook ${playbook.name} fits this goal`],
    steps: playbook.steps.map((step) => ({
      ...step,
      args: Object.fromEntries(
        Object.entries(step.args).map(([name, value]) => [name, fillValue(value, values)]),
      ),
      ...(step.when === undefined ? {} : { when: fillText(step.when, inConditions) }),
    })),
  };
}
