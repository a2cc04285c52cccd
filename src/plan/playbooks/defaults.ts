import type { PlanningInput } from '../../core/planning.ts';
import type { InputValues } from './inputs.ts';
import type { InputType, Playbook } from './playbook.ts';

/** The workspace's default for an input, and the project and service that belong together. */
function fallback(
  type: InputType,
  values: InputValues,
  input: Pick<PlanningInput, 'catalogue'>,
): string | undefined {
  const { catalogue } = input;
  const { defaults } = catalogue;
  if (type === 'channel')
    return defaults.channel === undefined ? undefined : `#${defaults.channel.replace(/^#/, '')}`;
  if (type === 'priority') return defaults.priority;
  const all = Object.values(values).map(String);
  // PAY-12 is a ticket of PAY: neither default may come from another project.
  const ticket = all.map((value) => /^([A-Z][A-Z0-9_]+)-\d+$/u.exec(value)?.[1]).find((key) => key);
  const project = catalogue.projects.find(({ key }) => key === ticket || all.includes(key));
  if (type === 'service') return project?.service ?? (ticket ? undefined : defaults.service);
  if (type === 'project') {
    const linked = catalogue.services.find(({ name }) => all.includes(name))?.project;
    return linked ?? ticket ?? defaults.project;
  }
  return undefined;
}

/** Inputs without a value or default of their own, filled from the operator's defaults. */
export function withFallbacks(
  playbook: Playbook,
  given: InputValues,
  input: Pick<PlanningInput, 'catalogue'>,
): InputValues {
  const values: Record<string, string | number> = { ...given };
  for (const [name, spec] of Object.entries(playbook.inputs)) {
    if (values[name] !== undefined || spec.default !== undefined) continue;
    const value = fallback(spec.type, values, input);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
