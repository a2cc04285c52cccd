import type { Manifest, UndoStep } from './manifest.ts';
import { printSteps } from './notation/print.ts';
import type { Step } from './plan.ts';
import type { StepResult } from './run.ts';

type Manifests = ReadonlyMap<string, Manifest>;

/** What takes a step back that was done; null when there is nothing to take back, or no tool for it here. */
export function undoOf({ tool, status, result }: StepResult, manifests: Manifests): UndoStep | null {
  const manifest = manifests.get(tool);
  if (manifest?.effect !== 'write' || status !== 'succeeded' || result === null) return null;
  const parsed = manifest.result.safeParse(result);
  const undo = parsed.success ? (manifest.undoBy?.(parsed.data) ?? null) : null;
  const by = undo === null ? undefined : manifests.get(undo.tool);
  return undo !== null && by?.args.safeParse(undo.args).success ? undo : null;
}

/** The same as plan notation: what the button proposes is read as if a person had typed it. */
export function undoNotation({ tool, args }: UndoStep, manifests: Manifests): string {
  const step: Step = {
    id: tool.slice(tool.indexOf('.') + 1),
    tool,
    why: 'undo',
    args: { ...args },
    needs: [],
    onError: 'stop',
    onSkip: 'skip',
  };
  return printSteps([step], manifests).split('\n')[0] ?? '';
}
