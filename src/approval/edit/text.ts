import { clean } from '../../blocks/escape.ts';
import type { FormValues } from '../../blocks/form-values.ts';
import { textInput } from '../../blocks/inputs.ts';
import { divider } from '../../blocks/layout.ts';
import { limits } from '../../blocks/limits.ts';
import type { Block } from '../../blocks/message.ts';
import type { Plan } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { printBody } from '../../notation/print.ts';
import { problemLine } from '../../notation/problems.ts';
import { parseRevision } from '../../notation/revise.ts';
import type { Manifests } from '../card/step-view.ts';

export const textBlock = 'plan_text';

/** Maximum error lines below a field. */
const maxShown = 3;

/** The whole plan in plan notation, editable as text; empty if it exceeds Slack's field limit. */
export function planTextBlock(plan: Plan, manifests: Manifests): Block[] {
  const value = printBody(plan, manifests);
  if (value.length > limits.inputText) return [];
  return [
    divider(),
    textInput({
      blockId: textBlock,
      label: 'Plan as text',
      hint: 'One step per line: name = tool argument=value. For changes the fields above cannot make.',
      value,
      multiline: true,
      optional: true,
    }),
  ];
}

export type ReadText =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly plan: Plan }
  | { readonly kind: 'wrong'; readonly message: string };

/** The plan from its edited text. */
export function readPlanText(values: FormValues, before: Plan, manifests: Manifests): ReadText {
  const given = values.get(textBlock);
  if (given === undefined) return { kind: 'same' };
  const text = typeof given === 'string' ? clean(given).trim() : '';
  if (text === clean(printBody(before, manifests)).trim()) return { kind: 'same' };
  if (text === '')
    return { kind: 'wrong', message: 'At least one step has to stay. Reject the plan instead.' };
  const { plan, problems } = parseRevision(text, before, manifests);
  if (plan !== null) return { kind: 'changed', plan: { ...plan, summary: planTitle(plan.steps, manifests) } };
  const shown = problems.slice(0, maxShown).map((problem) => problemLine(problem, text));
  const rest = problems.length - shown.length;
  return { kind: 'wrong', message: [...shown, ...(rest > 0 ? [`And ${rest} more.`] : [])].join(' ') };
}
