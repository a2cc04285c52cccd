import { fallbackText } from '../blocks/escape.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button, confirmation } from '../blocks/layout.ts';
import type { Block, Message, Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, line, lines, person, rich } from '../blocks/rich.ts';
import type { Askable } from '../core/askable.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Who } from '../core/person.ts';
import * as playbooks from '../store/playbooks.ts';
import type { RequestContext } from './context.ts';
import {
  callOf,
  howToSave,
  nothingToSave,
  notSucceeded,
  playbookList,
  playbookSaved,
  playbookTaken,
  type Shown,
} from './playbook-words.ts';
import type { Subcommand } from './subcommand.ts';
import { help } from './words.ts';

/** `playbook` is null for one that is no longer valid and cannot be run. */
interface SavedPlaybook {
  readonly name: string;
  /** Slack user id of the person who saved it. */
  readonly owner: string;
  readonly playbook: Shown | null;
}

interface Asker {
  readonly userId: string;
  readonly channel: string;
}

/** Playbooks for `/plan list`, `/plan save` and `/plan saved`. */
export interface Playbooks {
  /** Requests that work here, for the help. */
  readonly askable: readonly Askable[];
  usable(): Promise<{ playbooks: readonly Shown[]; unusable: number }>;
  saved(): Promise<readonly SavedPlaybook[]>;
  save(
    name: string,
    who: Asker,
  ): Promise<
    | { readonly kind: 'saved'; readonly playbook: Shown }
    | { readonly kind: 'nothing' | 'unsuccessful' }
    | { readonly kind: 'refused'; readonly problems: readonly string[] }
  >;
}

/** `/plan help`, `/plan list`, `/plan saved` and `/plan save <name>`. */
export async function playbookCommand(
  subcommand: Extract<Subcommand, { kind: 'help' | 'list' | 'saved' | 'save' }>,
  who: Asker,
  shelf: Playbooks,
  say: Say,
): Promise<void> {
  if (subcommand.kind === 'help') return say(help(shelf.askable));
  if (subcommand.kind === 'list') {
    const { playbooks: usable, unusable } = await shelf.usable();
    return say(playbookList(usable, unusable));
  }
  if (subcommand.kind === 'saved') return say(savedList(await shelf.saved()));
  const { name } = subcommand;
  if (name === null) return say(howToSave());
  const saved = await shelf.save(name, who);
  if (saved.kind === 'saved') return say(playbookSaved(saved.playbook));
  if (saved.kind === 'refused') return say(playbookTaken(name, saved.problems));
  await say(saved.kind === 'nothing' ? nothingToSave() : notSucceeded());
}

/** With its button each uses two of a message's 50 blocks. */
const maxShown = 20;

/** `/plan saved`: each with a Remove button. */
function savedList(all: readonly SavedPlaybook[]): Message {
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
  { db, teamId, mayRemovePlaybook, now }: RequestContext,
  say: Say,
): Promise<void> {
  const saved = (await playbooks.list(db, teamId)).find((one) => one.name === name);
  const owned = saved && { id: name, owner: saved.owner };
  if (owned !== undefined && !(await mayRemovePlaybook(owned, who, say))) return;
  const by = who.userId;
  const isRemoved = owned !== undefined && (await playbooks.remove(db, { teamId, name, by, at: now() }));
  await say(note([bold(isRemoved ? `${name} is removed.` : 'It was removed already.')]));
}
