import { actionIds } from '../../blocks/ids.ts';
import { actions, button } from '../../blocks/layout.ts';
import type { Block } from '../../blocks/message.ts';
import { systemNames } from '../../core/askable.ts';
import { cutWords } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import { isRef } from '../../core/refs.ts';
import { withoutText } from '../../core/step-words.ts';
import { printSteps } from '../../notation/print.ts';
import type { FactsView } from './read-results.ts';
import type { Manifests, StepView } from './step-view.ts';

/** Slack's limits for a button. */
const maxLabel = 75;
const maxValue = 2_000;
/** More buttons would be a menu. */
const maxWays = 3;

interface Way {
  readonly label: string;
  readonly notation: string;
}

/**
 * For a plan whose condition could not be read: another platform that has the same query, and the call of people without
 * the condition. Each is a plan of its own, with its own approval.
 */
export function waysOnward(
  { steps }: Plan,
  views: readonly StepView[],
  facts: FactsView | null,
  manifests: Manifests,
): Block[] {
  const failed = steps.filter(
    ({ id, when }) => when === undefined && facts?.resultOf(id)?.status === 'failed',
  );
  const [down, ...others] = failed.filter(({ tool }) => manifests.get(tool)?.effect === 'read');
  if (facts?.prospect !== 'unclear' || down === undefined) return [];
  const ways = [
    ...(others.length === 0 ? elsewhere(down, steps, manifests) : []),
    ...views.flatMap((view) => anyway(view, manifests)),
  ].filter(({ notation }) => notation.length <= maxValue);
  const buttons = ways
    .slice(0, maxWays)
    .map(({ label, notation }, nth) =>
      button({ text: cutWords(label, maxLabel), action: `${actionIds.ask}${nth}`, value: notation }),
    );
  return buttons.length === 0 ? [] : [actions(buttons, 'onward')];
}

/** The same steps with the query of another platform. */
function elsewhere(down: Step, steps: readonly Step[], manifests: Manifests): Way[] {
  if (down.args.named === undefined) return [];
  const takes = ({ name, queries, args }: Manifest): boolean =>
    queries !== undefined && name !== down.tool && args.safeParse(down.args).success;
  return [...manifests.values()].filter(takes).map(({ name: tool, system }) => ({
    label: `Ask ${systemNames[system] ?? system} instead`,
    notation: printSteps(
      steps.map((step) => (step === down ? { ...step, tool } : step)),
      manifests,
    ),
  }));
}

/** A call of people without its condition; its text says that nobody checked it. */
function anyway({ step, sentence, condition }: StepView, manifests: Manifests): Way[] {
  const manifest = manifests.get(step.tool);
  if (manifest?.calls === undefined || condition === null) return [];
  const { when: _when, verify: _verify, ...rest } = step;
  const args = Object.entries(rest.args).map(([arg, value]): [string, ArgValue] =>
    Array.isArray(value) ? [arg, `Not checked: ${condition}`] : [arg, value],
  );
  if (args.some(([, value]) => isRef(value))) return [];
  const alone = { ...rest, args: Object.fromEntries(args), needs: [] };
  return [{ label: `${withoutText(sentence)} anyway`, notation: printSteps([alone], manifests) }];
}
