import { actionIds } from '../blocks/ids.ts';
import { option, select } from '../blocks/inputs.ts';
import { md } from '../blocks/layout.ts';
import type { Block } from '../blocks/message.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import type { Vocabulary } from '../core/words.ts';
import { argBlockId, argLabel } from './edit-args.ts';
import type { StepView } from './step-view.ts';

/** Arguments that the plan does not set and that `fields`, ids of the form's blocks, have a field for. */
export function addedArgs(step: Step, manifest: Manifest, fields: Iterable<string>): string[] {
  const shown = new Set(fields);
  return unsetArgs(step, manifest).filter((name) => shown.has(argBlockId(step.id, name)));
}

function unsetArgs(step: Step, manifest: Manifest): string[] {
  return Object.keys(manifest.args.shape).filter((name) => !Object.hasOwn(step.args, name));
}

/**
 * One menu of what else the steps take; what is chosen gets a field of its own. Nothing where everything is set. What
 * a menu of Slack has no room for is set in the plan's text.
 */
export function moreBlock(
  views: readonly StepView[],
  words: Vocabulary,
  { added, numbered }: { readonly added: readonly string[]; readonly numbered: boolean },
): Block[] {
  const options = views.flatMap(({ step, number }) => {
    const manifest = words.scope.get(step.id);
    const names = manifest === undefined ? [] : unsetArgs(step, manifest);
    return names
      .map((name) => ({ name, value: argBlockId(step.id, name) }))
      .filter(({ value }) => !added.includes(value))
      .map(({ name, value }) => option(value, `${numbered ? `${number}. ` : ''}${argLabel(name)}`));
  });
  if (options.length === 0) return [];
  return [
    {
      type: 'section',
      // A new id empties the menu again.
      block_id: `more:${added.length}`,
      text: md`Set something else`,
      accessory: select({ action: actionIds.editMore, options, placeholder: 'More' }),
    },
  ];
}
