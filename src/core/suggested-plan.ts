import type { IncidentNow, Manifest, Offer } from './manifest.ts';
import { own } from './own-property.ts';
import type { StepResult } from './run.ts';

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
