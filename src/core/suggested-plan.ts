import type { ServiceEntry } from './catalogue.ts';
import type { Manifest } from './manifest.ts';
import type { IncidentNow, Offer } from './offer.ts';
import { own } from './own-property.ts';
import type { Plan } from './plan.ts';
import { filledText, resultsById } from './refs.ts';
import type { Sealed } from './revision.ts';
import type { StepResult } from './run.ts';
import { nounFor, vocabularyOf } from './step-words.ts';

type Manifests = ReadonlyMap<string, Manifest>;

/**
 * Possible next steps after a result, from its manifest, limited to tools that exist here. `now`: the state of its
 * incident, as far as it is known.
 */
export function offersOf(
  { tool, status, result }: StepResult,
  now: IncidentNow | null,
  manifests: Manifests,
): Offer[] {
  const manifest = manifests.get(tool);
  if (manifest?.offers === undefined || status !== 'succeeded' || result === null) return [];
  const parsed = manifest.result.safeParse(result);
  if (!parsed.success) return [];
  return manifest.offers(parsed.data, now).filter((offer) => isPossible(offer, manifests));
}

/** A plan of a single write that is made at once for who may approve it. */
export function isAtOnce({ steps }: Pick<Plan, 'steps'>, manifests: Manifests): boolean {
  return steps.length === 1 && manifests.get(steps[0]?.tool ?? '')?.atOnce === true;
}

const states = ['triggered', 'acknowledged', 'resolved'] as const;

/** A tool's offer, whatever the incident's state: the tool itself reports what it finds. */
export function offerOf(
  result: StepResult,
  tool: string,
  title: string,
  manifests: Manifests,
): Offer | undefined {
  const all = states.flatMap((state) => offersOf(result, { state, title }, manifests));
  return all.find((offer) => offer.tool === tool);
}

/** The plan of a call, and what its steps found. */
export interface CallOf {
  readonly sealed: Pick<Sealed, 'plan' | 'targets'>;
  readonly results: readonly StepResult[];
  readonly manifests: Manifests;
  readonly services: readonly ServiceEntry[];
}

/** Never made, because of what went wrong before it. */
const stoppedBy = new Set(['need_failed', 'run_stopped']);

/** Other ways to reach the people of a call that did not go out, or of which nobody knows whether it did. */
export function otherWays({ stepId, tool, status, reason }: StepResult, of: CallOf): Offer[] {
  const isMissed = ['failed', 'unknown'].includes(status) || stoppedBy.has(reason?.code ?? '');
  const step = of.sealed.plan.steps.find(({ id }) => id === stepId);
  const otherwise = of.manifests.get(tool)?.otherwise;
  if (step === undefined || otherwise === undefined || !isMissed) return [];
  const words = vocabularyOf(of.sealed.plan.steps, of.manifests, of.sealed.targets);
  const known = resultsById(of.results);
  const said = Object.entries(step.args).map(([name, value]) => [
    name,
    filledText(value, known, undefined, (ref) => nounFor(ref, words)) ?? '',
  ]);
  const target = of.sealed.targets.find((one) => one.step === stepId);
  const backup = of.services.find(({ name }) => name === target?.value)?.backup;
  const ways = otherwise(Object.fromEntries(said), {
    ...(target?.handle === undefined ? {} : { handle: target.handle }),
    ...(backup === undefined ? {} : { backup }),
  });
  return ways.filter((offer) => isPossible(offer, of.manifests));
}

/** True when every argument that the form does not ask for is present and valid. */
function isPossible({ tool, args, asks = [] }: Offer, manifests: Manifests): boolean {
  const schema = manifests.get(tool)?.args;
  if (schema === undefined) return false;
  return Object.entries(schema.shape).every(([name, field]) => {
    const value = own(args, name);
    return value === undefined && asks.some((ask) => ask.arg === name)
      ? true
      : field.safeParse(value).success;
  });
}
