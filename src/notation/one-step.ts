import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import { printSteps } from './print.ts';

/** A step with literal arguments as plan notation: a button's request is read as if typed. */
export function oneStep(
  { tool, args }: { readonly tool: string; readonly args: Readonly<Record<string, string | number>> },
  manifests: ReadonlyMap<string, Manifest>,
): string {
  const step: Step = {
    id: tool.slice(tool.indexOf('.') + 1),
    tool,
    why: 'asked for by a button',
    args: { ...args },
    needs: [],
    onError: 'stop',
    onSkip: 'skip',
  };
  return printSteps([step], manifests).split('\n')[0] ?? '';
}
