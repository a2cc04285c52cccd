import { z } from 'zod';
import { unwrap } from './fields.ts';
import { parseJson } from './json.ts';
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
  if (undo === null || by === undefined) return null;
  const args = typed(undo.args, by);
  return by.args.safeParse(args).success ? { ...undo, args } : null;
}

/** A result is text; where an argument is a number, so is its value, unless no number is written there. */
function typed(given: UndoStep['args'], { args: { shape } }: Manifest): UndoStep['args'] {
  const isNumber = (arg: string): boolean => {
    const schema = shape[arg];
    return schema !== undefined && unwrap(schema) instanceof z.ZodNumber;
  };
  return Object.fromEntries(
    Object.entries(given).map(([arg, value]) => [arg, isNumber(arg) ? numberIn(value) : value]),
  );
}

/** Not `Number`, for which a blank is 0. */
function numberIn(value: UndoStep['args'][string]): UndoStep['args'][string] {
  const parsed = parseJson(String(value));
  return typeof parsed === 'number' ? parsed : value;
}
