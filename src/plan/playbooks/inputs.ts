import { cut } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { PlanInput } from '../../core/plan.ts';
import { type Parsed, parse } from '../../notation/parse.ts';
import type { Input } from '../../notation/values.ts';
import type { Playbook } from './playbook.ts';

export type InputValues = Readonly<Record<string, string | number>>;

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

/** Names in braces: possible inputs. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/** Inputs used by the plan with neither a value nor a default. */
export function missingInputs({ plan, inputs }: Playbook, values: InputValues): string[] {
  return [...new Set(namesIn(plan))].filter(
    (name) =>
      Object.hasOwn(inputs, name) && values[name] === undefined && inputs[name]?.default === undefined,
  );
}

/**
 * The value of an input. Durations are in ISO 8601 and count as minutes inside conditions; other words are not allowed
 * there, because their text could end the condition and add another.
 */
function meaning(
  type: string | undefined,
  value: string | number,
  minutes: (duration: string) => number,
): Input {
  if (type === 'duration') return { value, inCondition: minutes(String(value)) };
  return { value, inCondition: type === 'number' ? Number(value) : null };
}

/** The playbook's plan with these values; defaults fill the gaps. */
export function instantiate(
  playbook: Playbook,
  given: InputValues,
  about: {
    readonly goal: string;
    readonly manifests: ReadonlyMap<string, Manifest>;
    readonly minutes: (duration: string) => number;
  },
): Parsed {
  const defaults = Object.entries(playbook.inputs).flatMap(([name, spec]) =>
    spec.default === undefined ? [] : [[name, spec.default] as const],
  );
  const values = Object.entries({ ...Object.fromEntries(defaults), ...given });
  const named = new Map(
    values.map(([name, value]) => [name, meaning(playbook.inputs[name]?.type, value, about.minutes)]),
  );
  const parsed = parse(playbook.plan, about.manifests, named);
  if (parsed.plan === null) return parsed;
  const summary = playbook.summary.replace(placeholder, (whole, name: string) =>
    String(named.get(name)?.value ?? whole),
  );
  const inputs = values.map(
    ([name, value]): PlanInput => ({
      name,
      value: String(value),
      source: given[name] === undefined ? 'default' : 'text',
    }),
  );
  const assumptions = [`you mean the playbook ${playbook.name}`];
  return {
    plan: { ...parsed.plan, goal: about.goal, summary: cut(summary, 200), inputs, assumptions },
    problems: [],
  };
}
