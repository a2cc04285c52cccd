import { actionIds } from '../../blocks/ids.ts';
import { option, select } from '../../blocks/inputs.ts';
import { md } from '../../blocks/layout.ts';
import type { Block } from '../../blocks/message.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Step } from '../../core/plan.ts';
import type { Vocabulary } from '../../core/step-words.ts';
import type { StepView } from '../card/step-view.ts';
import { argBlockId, argLabel } from './arguments.ts';

/** Arguments that the plan does not set and that have a field among `fields`, the ids of the form's blocks. */
export function addedArgs(step: Step, manifest: Manifest, fields: Iterable<string>): string[] {
  const shown = new Set(fields);
  return unsetArgs(step, manifest).filter((name) => shown.has(argBlockId(step.id, name)));
}

function unsetArgs(step: Step, manifest: Manifest): string[] {
  return Object.keys(manifest.args.shape).filter((name) => !Object.hasOwn(step.args, name));
}

/**
 * A menu of arguments not set yet; choosing one adds a field for it. Empty when everything is set. Anything that does
 * not fit into Slack's menu can be set in the plan's text.
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
      // A new id clears the menu again.
      block_id: `more:${added.length}`,
      text: md`Set something else`,
      accessory: select({ action: actionIds.editMore, options, placeholder: 'More' }),
    },
  ];
}
