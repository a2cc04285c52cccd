import type { Manifest } from '../manifest.ts';
import type { PlanDraft, Step } from '../plan.ts';
import type { Policy } from '../policy.ts';
import { type QueryLanguage, queryLanguages } from './template.ts';

type Manifests = ReadonlyMap<string, Pick<Manifest, 'queries' | 'written'>>;
type Calling = Pick<Step, 'tool'> & Pick<PlanDraft['steps'][number], 'args'>;

/** The text of a step that a model wrote and that its source will run; null for any other step. */
export function writtenText({ args }: Pick<Calling, 'args'>, manifest: Manifest | undefined): string | null {
  const text = args[manifest?.written ?? ''];
  return typeof text === 'string' ? text : null;
}

/** True for a plan with a query that a model may have written. */
export function hasWritten({ steps }: { readonly steps: readonly Calling[] }, manifests: Manifests): boolean {
  return steps.some(({ tool }) => manifests.get(tool)?.written !== undefined);
}

/** Whether such queries wait for an approval. */
export function writtenWait({ written }: Pick<Policy, 'written'>): boolean {
  return written?.approval !== 'run';
}

/** The language of a step's query: that of its tool, or the one it names. Undefined for a step without a query. */
export function languageOf({ tool, args }: Calling, manifests: Manifests): QueryLanguage | undefined {
  const manifest = manifests.get(tool);
  if (manifest?.written === undefined) return manifest?.queries;
  return queryLanguages.find((one) => one === args.language);
}
