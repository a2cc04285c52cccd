import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import { instantiate } from './inputs.ts';
import { inputSamples, type Playbook } from './playbook.ts';

/** Finds the playbook that a plan was made from, by its steps; null for one that is gone. */
export function whichPlaybook(
  playbooks: readonly Playbook[],
  manifests: ReadonlyMap<string, Manifest>,
): (plan: Plan) => string | null {
  const shapes = new Map<string, string>();
  for (const playbook of playbooks) {
    const samples = Object.entries(playbook.inputs).map(([name, { type }]) => [name, inputSamples[type]]);
    const about = { goal: playbook.summary, manifests, minutes: () => 60 };
    const { plan } = instantiate(playbook, Object.fromEntries(samples), about);
    if (plan !== null) shapes.set(shapeOf(plan), playbook.name);
  }
  return (plan) => shapes.get(shapeOf(plan)) ?? null;
}

function shapeOf({ steps }: Plan): string {
  return steps.map(({ id, tool }) => `${id} ${tool}`).join('\n');
}
