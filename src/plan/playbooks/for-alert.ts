import { type Catalogue, namesOf } from '../../core/catalogue.ts';
import { effectOf } from '../../core/code-step.ts';
import { durationMinutes } from '../../core/duration.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import { toolsIn } from '../../notation/looks.ts';
import { instantiate, missingInputs } from './inputs.ts';
import { type InputType, inputTypeSchemas, type Playbook } from './playbook.ts';

/** A playbook that a rule about alerts names, with values from labels. */
export interface LabelledCall {
  readonly playbook: string;
  readonly inputs: Readonly<Record<string, string | number>>;
  readonly service: string;
  readonly priority: string | null;
  readonly channel: { readonly name: string };
  readonly goal: string;
}

type Filled = { readonly plan: Plan } | { readonly why: string };

/**
 * The plan of a call, or why there is none: each value must fit its input's type, and names must be in the catalogue.
 * `onlyReads`: nothing in it may write.
 */
export function planForAlert(
  playbooks: readonly Playbook[],
  call: LabelledCall,
  catalogue: Catalogue,
  { onlyReads }: { readonly onlyReads: boolean },
): Filled {
  const playbook = playbooks.find(({ name }) => name === call.playbook);
  if (playbook === undefined) return { why: 'there is no such playbook.' };
  const unusable = toolsIn(playbook.plan).filter((tool) => !catalogue.manifests.has(tool));
  if (unusable.length > 0) return { why: `it needs ${unusable.join(' and ')}, which is not set up here.` };
  const written = toolsIn(playbook.plan).find((tool) => effectOf(tool, catalogue.manifests) !== 'read');
  if (onlyReads && written !== undefined)
    return { why: `it writes (${written}), so it can only be proposed.` };
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(withRule(playbook, call, catalogue))) {
    const spec = playbook.inputs[name];
    if (spec === undefined) return { why: `it has no input “${name}”.` };
    const parsed = inputTypeSchemas[spec.type].safeParse(value);
    if (!parsed.success) return { why: `${name} ${parsed.error.issues[0]?.message ?? 'does not fit'}.` };
    if (!isKnown(spec.type, parsed.data, catalogue))
      return { why: `the ${spec.type} of ${name} is not in countersign.yml.` };
    values[name] = parsed.data;
  }
  const [missing] = missingInputs(playbook, values);
  if (missing !== undefined)
    return { why: `its input “${missing}” has no value: the alert lacks that label.` };
  const about = { goal: call.goal, manifests: catalogue.manifests, minutes: durationMinutes };
  const { plan, problems } = instantiate(playbook, values, about);
  return plan === null ? { why: problems[0]?.message ?? 'its plan cannot be made.' } : { plan };
}

/** Inputs that the rule leaves out are what it is about itself, where there is one of that type. */
function withRule(
  { inputs }: Playbook,
  { service, priority, channel, inputs: given }: LabelledCall,
  { services }: Catalogue,
): Readonly<Record<string, string | number>> {
  const project = services.find(({ name }) => name === service)?.project;
  const own: Partial<Record<InputType, string | undefined>> = {
    ...{ service: service || undefined, priority: priority ?? undefined, project },
    channel: `#${channel.name}`,
  };
  const filled = Object.entries(inputs).flatMap(([name, { type }]) => {
    const value = given[name] ?? own[type];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...given, ...Object.fromEntries(filled) };
}

function isKnown(type: InputType, value: string | number, catalogue: Catalogue): boolean {
  if (type !== 'service' && type !== 'project' && type !== 'channel' && type !== 'user') return true;
  const bare = (name: string) => name.replace(/^[#@]/, '');
  return namesOf(catalogue, type).some((name) => bare(name) === bare(String(value)));
}

/** The calls of a rule, as the operator's file has them. */
interface RuleCalls {
  readonly reads?: (Pick<LabelledCall, 'playbook'> & { readonly inputs: object }) | undefined;
  readonly propose: readonly (Pick<LabelledCall, 'playbook'> & { readonly inputs: object })[];
}

/** Calls that can never work: an input that the playbook does not have, or reads that would write. */
export function callProblems(
  rules: readonly RuleCalls[],
  playbooks: readonly Playbook[],
  manifests: readonly Pick<Manifest, 'name' | 'effect'>[],
): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  const writes = new Set(manifests.filter(({ effect }) => effect === 'write').map(({ name }) => name));
  return rules.flatMap(({ reads, propose }, rule) => {
    const calls = [
      ...(reads === undefined ? [] : [{ call: reads, at: ['reads'], mayWrite: false }]),
      ...propose.map((call, nth) => ({ call, at: ['propose', nth], mayWrite: true })),
    ];
    return calls.flatMap(({ call, at, mayWrite }) => {
      const playbook = playbooks.find(({ name }) => name === call.playbook);
      if (playbook === undefined) return [];
      const path = ['alerts', 'rules', rule, ...at];
      const strange = Object.keys(call.inputs).filter((name) => !Object.hasOwn(playbook.inputs, name));
      const known = Object.keys(playbook.inputs).join(', ') || 'none';
      const written = mayWrite ? undefined : toolsIn(playbook.plan).find((tool) => writes.has(tool));
      return [
        ...strange.map((name) => ({
          path: [...path, 'inputs', name],
          message: `is no input of it; there are ${known}`,
        })),
        ...(written === undefined
          ? []
          : [{ path: [...path, 'playbook'], message: `writes (${written}), so it can only be proposed` }]),
      ];
    });
  });
}
