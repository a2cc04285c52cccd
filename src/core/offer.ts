import type { IncidentNow, Manifest, Offer } from './manifest.ts';
import { own } from './own.ts';
import type { StepResult } from './run.ts';

type Manifests = ReadonlyMap<string, Manifest>;

/**
 * The steps that may follow a result, as its manifest declares them, without those that there is no tool for here.
 * `now`: how its incident stands, as far as that is known.
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

/** The offer of a tool, whatever has become of the incident: the tool itself says what it finds. */
export function offerOf(
  result: StepResult,
  tool: string,
  title: string,
  manifests: Manifests,
): Offer | undefined {
  const all = states.flatMap((state) => offersOf(result, { state, title }, manifests));
  return all.find((offer) => offer.tool === tool);
}

/** Everything but what a form asks for is there, and right. */
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
