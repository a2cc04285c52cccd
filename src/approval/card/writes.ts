import { capital, withoutText } from '../../core/step-words.ts';
import type { StepView } from './step-view.ts';

/** A write in a few words, for dialogs and explanations. */
export interface WriteWords {
  readonly tool: string;
  /** "Pages Ana Ruiz, on call for ops until 18:00 UTC", or the step's sentence without its text. */
  readonly what: string;
  readonly step: StepView;
  readonly undo: string | null;
}

export function isWritingPlan(steps: readonly StepView[]): boolean {
  return steps.some((step) => step.effect === 'write');
}

export function writesOf(steps: readonly StepView[]): WriteWords[] {
  return steps
    .filter((step) => step.effect === 'write')
    .map((step) => {
      const labels = step.targets.map((target) => target.label).join('; ');
      // Without an identity, a label only names the target, not the action.
      const isSeen = step.targets.every(({ identity }) => identity !== '');
      const words =
        isSeen && labels !== '' ? labels : [withoutText(step.sentence), labels].filter(Boolean).join(' → ');
      return {
        tool: step.step.tool,
        what: capital(words),
        step,
        undo: step.undo,
      };
    });
}
