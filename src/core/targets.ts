import { fieldInfo, type TargetKind } from './fields.ts';
import { collapsed } from './for-each.ts';
import type { Manifest } from './manifest.ts';
import type { Plan } from './plan.ts';

/** A target of a step. `value` is null where a result decides it while the plan runs. */
export interface StepTarget<Value extends string | null = string> {
  readonly arg: string;
  readonly kind: TargetKind;
  readonly value: Value;
}

/** The targets among a step's arguments, including those given as references. */
export function stepTargets(
  { args: shape }: Manifest,
  args: Readonly<Record<string, unknown>>,
): StepTarget<string | null>[] {
  return Object.entries(args).flatMap(([arg, value]) => {
    const schema = shape.shape[arg];
    const kind = schema === undefined ? undefined : fieldInfo(schema).target;
    return kind === undefined ? [] : [{ arg, kind, value: typeof value === 'string' ? value : null }];
  });
}

/** Targets whose arguments are literal or filled in. */
export function targetsIn(manifest: Manifest, args: Readonly<Record<string, unknown>>): StepTarget[] {
  return stepTargets(manifest, args).flatMap(({ arg, kind, value }) =>
    value === null ? [] : [{ arg, kind, value }],
  );
}

/** `service:ops`, `channel:#ops`: one canonical spelling, because caps and the history are keyed by it. */
export function targetName(kind: TargetKind, value: string): string {
  const mark = kind === 'channel' ? '#' : kind === 'user' ? '@' : '';
  return `${kind}:${mark}${value.replace(/^[#@]/, '')}`;
}

/** The service that a step is for, by its plan or by its own target; null for none. */
export function serviceOf(
  { situation, steps }: Plan,
  stepId: string,
  manifests: ReadonlyMap<string, Manifest>,
): string | null {
  if (situation !== undefined) return situation.service;
  const step = steps.find(({ id }) => id === stepId);
  const manifest = step && manifests.get(step.tool);
  const aims = manifest === undefined ? [] : stepTargets(manifest, step?.args ?? {});
  return aims.find(({ kind }) => kind === 'service')?.value ?? null;
}

/** True for a plan that can be made anew: nothing in it is about one ticket or incident of its time, but for those that it listed. */
export function isRepeatable({ steps, watch }: Plan, manifests: ReadonlyMap<string, Manifest>): boolean {
  const isOfItsTime = ({ kind, value }: StepTarget<string | null>) =>
    value !== null && (kind === 'issue' || kind === 'incident');
  return (
    watch === undefined &&
    collapsed({ steps }).steps.every(({ tool, args }) => {
      const manifest = manifests.get(tool);
      return manifest !== undefined && !stepTargets(manifest, args).some(isOfItsTime);
    })
  );
}

/** Every name in a plan, once; a ticket also counts for its project. */
export function namesIn(plan: Plan, manifests: ReadonlyMap<string, Manifest>): string[] {
  const named = plan.steps.flatMap(({ tool, args }) => {
    const manifest = manifests.get(tool);
    return manifest === undefined ? [] : targetsIn(manifest, args);
  });
  const projects = named
    .filter(({ kind }) => kind === 'issue')
    .map(({ value }) => targetName('project', value.replace(/-\d+$/, '')));
  const names = named
    .filter(({ kind }) => kind !== 'severity' && kind !== 'transition')
    .map(({ kind, value }) => targetName(kind, value));
  return [...new Set([...names, ...projects])];
}
