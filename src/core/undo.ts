import type { Manifest } from './manifest.ts';
import type { UndoStep } from './offer.ts';
import type { StepResult } from './run.ts';

type Manifests = ReadonlyMap<string, Manifest>;

/** The step that undoes a finished one; null when there is nothing to undo, or no tool for it here. */
export function undoOf({ tool, status, result }: StepResult, manifests: Manifests): UndoStep | null {
  const manifest = manifests.get(tool);
  if (manifest?.effect !== 'write' || status !== 'succeeded' || result === null) return null;
  const parsed = manifest.result.safeParse(result);
  const undo = parsed.success ? (manifest.undoBy?.(parsed.data) ?? null) : null;
  const by = undo === null ? undefined : manifests.get(undo.tool);
  return undo !== null && by?.args.safeParse(undo.args).success ? undo : null;
}
