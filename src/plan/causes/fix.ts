import type { Catalogue } from '../../core/catalogue.ts';
import { type Cause, causesOf, type PlaybookFix } from '../../core/cause.ts';
import { cut } from '../../core/clean-text.ts';
import { effectOf } from '../../core/code-step.ts';
import { durationMinutes } from '../../core/duration.ts';
import { dependenciesOf } from '../../core/graph.ts';
import { type Plan, planLimits, type Step } from '../../core/plan.ts';
import { certainReply, type FixReply } from '../../core/planning.ts';
import { vocabularyOf } from '../../core/step-words.ts';
import { withNeeds } from '../../notation/defaults.ts';
import { toolsIn } from '../../notation/looks.ts';
import { parse } from '../../notation/parse.ts';
import { withFallbacks } from '../playbooks/defaults.ts';
import { type InputValues, instantiate, missingInputs } from '../playbooks/inputs.ts';
import { inputTypeSchemas, type Playbook } from '../playbooks/playbook.ts';
import { type Check, checkBeside, checkOf, inputsOf, keyOf } from './check.ts';

export interface FixOf {
  readonly cause: Cause;
  readonly service: string;
  readonly goal: string;
}

/**
 * The plan that a cause's fix is: its steps, each write of which is made only if the cause is supported when the plan
 * runs. Or why there is none.
 */
export function fixPlan(
  { cause, service, goal }: FixOf,
  playbooks: readonly Playbook[],
  catalogue: Catalogue,
): Made {
  const { fix } = cause;
  if (fix === null) return { why: 'it has no fix.' };
  const made =
    typeof fix === 'string'
      ? planOfSteps(fix, { service, goal }, catalogue)
      : planOfPlaybook(fix, { service, goal }, playbooks, catalogue);
  if ('why' in made) return made;
  const check = checkOf(cause, service, catalogue);
  if ('why' in check) return { why: `its check ${check.why}.` };
  return bound(made.plan, { check, service }, catalogue.manifests);
}

type Made = { readonly plan: Plan } | { readonly why: string };
type For = Pick<FixOf, 'service' | 'goal'>;

function planOfSteps(fix: string, { service, goal }: For, { manifests, services }: Catalogue): Made {
  const { plan, problems } = parse(fix, manifests, inputsOf(service, services));
  const [first] = problems;
  if (plan === null) return { why: `line ${first?.line ?? 1}: ${first?.message ?? 'it cannot be read.'}` };
  if (plan.watch !== undefined || plan.situation !== undefined)
    return { why: 'it has a line that is about a whole plan; a fix has only steps.' };
  return { plan: { ...plan, goal } };
}

function planOfPlaybook(
  fix: PlaybookFix,
  { service, goal }: For,
  playbooks: readonly Playbook[],
  catalogue: Catalogue,
): Made {
  const { manifests } = catalogue;
  const playbook = playbooks.find(({ name }) => name === fix.playbook);
  if (playbook === undefined) return { why: `there is no playbook ${fix.playbook}.` };
  const unusable = toolsIn(playbook.plan).filter((tool) => !manifests.has(tool));
  if (unusable.length > 0)
    return { why: `${playbook.name} needs ${unusable.join(' and ')}, which is not set up here.` };
  const values = valuesOf(playbook, fix, service, catalogue);
  if ('why' in values) return values;
  const made = instantiate(playbook, values.given, { goal, manifests, minutes: durationMinutes });
  if (made.plan === null)
    return { why: `${playbook.name}: ${made.problems[0]?.message ?? 'it does not fit.'}` };
  return { plan: { ...made.plan, assumptions: [] } };
}

/** The writes of a plan under the condition of a check, whose reads come first. */
function bound(
  plan: Plan,
  { check, service }: { readonly check: Check; readonly service: string },
  manifests: Catalogue['manifests'],
): Made {
  const known = new Map(
    plan.steps.flatMap((step) => (isRead(step, manifests) ? [[keyOf(step), step.id]] : [])),
  );
  const own = checkBeside(check, known, new Set(plan.steps.map(({ id }) => id)));
  const both = (when: string | undefined) => (when === undefined ? own.when : `(${when}) && (${own.when})`);
  const steps = [
    ...own.steps,
    ...plan.steps.map((step) => (isRead(step, manifests) ? step : { ...step, when: both(step.when) })),
  ];
  if (plan.steps.every((step) => isRead(step, manifests))) return { why: 'it writes nothing.' };
  const long = steps.find(({ when = '' }) => when.length > planLimits.condition);
  if (long !== undefined || steps.length > planLimits.steps)
    return { why: 'with the condition of its cause it is too long.' };
  const { scope } = vocabularyOf(steps, manifests);
  const needed = withNeeds(steps, scope).map((step) => ({ ...step, needs: dependenciesOf(step) }));
  const { id, sentence } = check.cause;
  const situation = { service, causes: [{ id, sentence, when: own.when }] };
  return { plan: { ...plan, steps: needed, situation } };
}

const isRead = ({ tool }: Step, manifests: Catalogue['manifests']): boolean =>
  effectOf(tool, manifests) === 'read';

/** Inputs that the fix leaves out are the service, its project, and the operator's defaults. */
function valuesOf(
  playbook: Playbook,
  fix: PlaybookFix,
  service: string,
  catalogue: Catalogue,
): { readonly given: InputValues } | { readonly why: string } {
  const given: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(fix.inputs)) {
    const type = playbook.inputs[name]?.type;
    if (type === undefined) return { why: `${playbook.name} has no input “${name}”.` };
    const parsed = inputTypeSchemas[type].safeParse(value);
    if (!parsed.success) return { why: `${name} ${parsed.error.issues[0]?.message ?? 'does not fit'}.` };
    given[name] = parsed.data;
  }
  for (const [name, { type }] of Object.entries(playbook.inputs))
    if (type === 'service') given[name] ??= service;
  const filled = withFallbacks(playbook, given, { catalogue });
  const [missing] = missingInputs(playbook, filled);
  return missing === undefined
    ? { given: filled }
    : { why: `${playbook.name} needs a value for “${missing}”.` };
}

/** The request of a fix's button. */
export function fixReply(
  { cause: id, service }: { readonly cause: string; readonly service: string },
  playbooks: readonly Playbook[],
  catalogue: Catalogue,
): FixReply {
  const cause = causesOf(catalogue.causes ?? [], service).find((one) => one.id === id);
  if (cause === undefined) return { why: 'that cause is gone from countersign.yml.' };
  const goal = cut(`Fix ${service}: ${cause.sentence}`, planLimits.goal);
  const made = fixPlan({ cause, service, goal }, playbooks, catalogue);
  if ('why' in made) return made;
  const notes = ['Proposed for this cause, which is checked again before each write.'];
  return { goal, reply: certainReply({ kind: 'plan', plan: made.plan }, 'playbook', notes) };
}
