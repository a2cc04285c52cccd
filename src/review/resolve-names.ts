import { fieldInfo, type TargetKind } from '../core/fields.ts';
import { type Finding, finding } from '../core/finding.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan, PlanDraft } from '../core/plan.ts';
import type { Policy } from '../core/policy.ts';
import type { Request } from '../core/request.ts';
import { checkQueries, type QueryReaders, unattendedQuery } from './query-checks.ts';

/** The meaning of a name, or why it has none. */
export type Meant =
  /** `called` is a short name that look-ups also accept. */
  | { readonly ok: true; readonly value: string; readonly called?: string }
  | { readonly ok: false; readonly why: string };

export interface NamesPort {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** For target kinds with several names. Other kinds are used as named. */
  readonly meant: Readonly<Partial<Record<TargetKind, (said: string, request: Request) => Promise<Meant>>>>;
  readonly readers: QueryReaders;
  readonly policy: Policy;
  readonly now: Date;
}

type Drafted = Plan | PlanDraft;
type StepDraft = Drafted['steps'][number];

/**
 * Resolves target names (`#12`, an address, "the one of this thread") before anybody sees the plan: the literal is
 * reviewed, shown, approved and run. Handwritten queries are shown to their source.
 */
export async function resolveNames(
  draft: Drafted,
  request: Request,
  port: NamesPort,
): Promise<{ draft: Drafted; findings: readonly Finding[] }> {
  const [resolved, refused] = await Promise.all([
    Promise.all(draft.steps.map((step) => resolveStep(step, request, port))),
    checkQueries(draft, port),
  ]);
  return {
    draft: { ...draft, steps: resolved.map(({ step }) => step) },
    findings: [
      ...resolved.flatMap(({ findings }) => findings),
      ...refused,
      ...unattendedQuery(draft, request, port),
    ],
  };
}

async function resolveStep(
  step: StepDraft,
  request: Request,
  { manifests, meant }: NamesPort,
): Promise<{ step: StepDraft; findings: readonly Finding[] }> {
  const args = { ...step.args };
  const findings: Finding[] = [];
  const isRead = manifests.get(step.tool)?.effect === 'read';
  for (const [name, said] of Object.entries(args)) {
    const schema = manifests.get(step.tool)?.args.shape[name];
    const kind = schema === undefined ? undefined : fieldInfo(schema).target;
    const find = kind === undefined ? undefined : meant[kind];
    // Values of the wrong form are reported by the review.
    if (find === undefined || typeof said !== 'string' || schema?.safeParse(said).success !== true) continue;
    const found = await find(said, request);
    if (found.ok) args[name] = isRead && found.called !== undefined ? found.called : found.value;
    else findings.push(finding('unknown_target', step.id, `args.${name}`, found.why));
  }
  return { step: { ...step, args }, findings };
}
