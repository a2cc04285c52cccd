import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import { candidatesFor } from './candidates.ts';
import { textArgOf } from './takes.ts';
import { is, range, type Text } from './text.ts';

/** Stands for a text that an added order does not say: it is the one that the plan has already. */
const unsaid = 'See the plan.';

/** What a write says to people, or null. */
export function messageOf({ tool, args }: Step, { lexicon }: Text): ArgValue | null {
  const manifest = lexicon.tools.get(tool);
  return manifest?.effect === 'write' ? (args[textArgOf(manifest) ?? ''] ?? null) : null;
}

/** A plan with another order, under the condition that all its writes share; with "instead", in the place of them. */
export function added(plan: Plan, text: Text): Step[] | null {
  const [best] = candidatesFor(text, new Map([['text', unsaid]]));
  const isSaid = best?.composed.left.every((index) => is(text, index, 'instead'));
  if (!best || !isSaid || best.composed.needs.length > 0) return null;
  const isWrite = ({ tool }: Step): boolean => text.lexicon.tools.get(tool)?.effect === 'write';
  const writes = plan.steps.filter(isWrite);
  const isInstead = range(0, text.words.length).some((index) => is(text, index, 'instead'));
  const kept = isInstead ? plan.steps.filter((step) => !isWrite(step)) : plan.steps;
  const [first] = writes;
  const shared = writes.every(({ when }) => when === first?.when) ? first : undefined;
  const message = writes.map((step) => messageOf(step, text)).find((one) => one !== null);
  const fresh = best.plan.steps.map((step, index): Step => {
    const arg = textArgOf(text.lexicon.tools.get(step.tool)) ?? '';
    const args =
      step.args[arg] === unsaid && message !== undefined ? { ...step.args, [arg]: message } : step.args;
    const id = plan.steps.some((one) => one.id === step.id)
      ? `${step.id}_${plan.steps.length + index + 1}`
      : step.id;
    if (step.when !== undefined || shared?.when === undefined) return { ...step, id, args };
    const needs = [...new Set([...step.needs, ...shared.needs])];
    return { ...step, id, args, needs, when: shared.when };
  });
  return [...kept, ...fresh];
}
