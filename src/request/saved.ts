import { fallbackText } from '../blocks/escape.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button, confirmation } from '../blocks/layout.ts';
import type { Block, Message, Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, line, lines, person, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Who } from '../core/person.ts';
import { callOf, type Shown } from './playbook-words.ts';

/** The playbooks people saved, and their removal. */

/** `playbook` is null for one that is no longer valid and cannot be run. */
export interface SavedPlaybook {
  readonly name: string;
  /** Slack user id of the person who saved it. */
  readonly owner: string;
  readonly playbook: Shown | null;
}

export interface RemovePort {
  load(name: string): Promise<{ readonly name: string; readonly owner: string } | null>;
  /** False when it was already gone. */
  remove(name: string, by: string): Promise<boolean>;
  /** Whether a person may remove it; a person who may not has been told. */
  mayRemove(saved: { readonly name: string; readonly owner: string }, who: Who, say: Say): Promise<boolean>;
}

/** With its button each uses two of a message's 50 blocks. */
const maxShown = 20;

/** `/plan saved`: each with a Remove button. */
export function savedList(all: readonly SavedPlaybook[]): Message {
  if (all.length === 0)
    return note([
      'Nobody has saved a playbook yet. To keep your last plan that succeeded: ',
      code('/plan save my-name'),
    ]);
  const blocks = all.slice(0, maxShown).flatMap((one) => [rich([lines(rowsOf(one))]), removeButton(one)]);
  const rest = all.length - maxShown;
  return {
    text: fallbackText(`Saved playbooks: ${all.map(({ name }) => name).join(', ')}`),
    blocks: rest > 0 ? [...blocks, rich([line(`and ${rest} more`)])] : blocks,
  };
}

function rowsOf({ name, owner, playbook }: SavedPlaybook) {
  const about = playbook === null ? 'It can no longer run here.' : cut(oneLine(playbook.summary), 150);
  return [[bold(name), ' · by ', person(owner)], [about], ...(playbook ? [[code(callOf(playbook))]] : [])];
}

function removeButton({ name }: SavedPlaybook): Block {
  const confirm = confirmation({
    title: 'Remove this playbook?',
    text: `${name} can no longer be run. Plans that were made from it stay.`,
    yes: 'Remove it',
    no: 'Keep it',
  });
  const remove = button({ text: 'Remove', action: actionIds.removePlaybook, value: name, confirm });
  return actions([remove], `saved_${name}`);
}

/** A click on Remove. */
export async function removeByClick(
  { name, ...who }: Who & { readonly name: string },
  port: RemovePort,
  say: Say,
): Promise<void> {
  const saved = await port.load(name);
  if (saved !== null && !(await port.mayRemove(saved, who, say))) return;
  const isRemoved = saved !== null && (await port.remove(name, who.userId));
  await say(note([bold(isRemoved ? `${name} is removed.` : 'It was removed already.')]));
}
