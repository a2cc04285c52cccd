import { fallbackText } from '../blocks/escape.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, line, lines, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';

/** The parts of a playbook shown to people. */
export interface Shown {
  readonly name: string;
  readonly summary: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** With its button each uses two of a message's 50 blocks. */
const maxShown = 20;

export function callOf({ name, inputs }: Shown): string {
  return ['/plan run', name, ...Object.keys(inputs).map((input) => `${input}=…`)].join(' ');
}

/** `unusable`: number of further playbooks whose tools are not set up here. */
export function playbookList(playbooks: readonly Shown[], unusable: number): Message {
  const shown = playbooks.slice(0, maxShown);
  const rest = playbooks.length - shown.length;
  const last = [
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(unusable > 0 ? [`${unusable} more need tools that are not set up here.`] : []),
    ...(shown.length === 0 ? ['There are no playbooks yet.'] : []),
  ];
  return {
    text: fallbackText(`Ready-made plans: ${playbooks.map(({ name }) => name).join(', ') || 'none yet'}`),
    blocks: [
      rich([line(bold('Ready-made plans. '), 'I ask for the inputs you leave out, or use the defaults.')]),
      ...shown.flatMap((one) => [
        rich([lines([[bold(cut(oneLine(one.summary), 150))], [code(callOf(one))]])]),
        actions([button({ text: 'Fill in', action: actionIds.fillIn, value: one.name })], `fill_${one.name}`),
      ]),
      ...(last.length === 0 ? [] : [rich(last.map((words) => line(words)))]),
    ],
  };
}

export function playbookSaved(playbook: Shown): Message {
  return note(
    [bold('Saved. '), cut(oneLine(playbook.summary), 150)],
    ['It still needs approval each time. Run it with ', code(callOf(playbook))],
    ['To see what is saved, or to remove it: ', code('/plan saved')],
  );
}

export function playbookTaken(name: string, problems: readonly string[]): Message {
  const why = problems.length > 0 ? problems.slice(0, 3).join(' ') : 'That name is taken.';
  const advice = [' Try another name: ', code('/plan save my-name')];
  return note([bold(`${name} was not saved. `), cut(oneLine(why), 600), ...advice]);
}

const saved = 'I save the last plan that you asked for in this channel, once it has succeeded.';

export function howToSave(): Message {
  const form = ` (lower case letters, digits and dashes). ${saved}`;
  return note([bold('Give it a name: '), code('/plan save my-name'), form]);
}

export function nothingToSave(): Message {
  return note([bold('There is nothing to save yet. '), saved]);
}

export function notSucceeded(): Message {
  return note([bold('Your last plan did not succeed, so it was not saved. '), saved]);
}
