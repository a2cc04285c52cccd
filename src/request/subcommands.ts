import type { Say } from '../blocks/message.ts';
import {
  howToSave,
  nothingToSave,
  notSucceeded,
  playbookList,
  playbookSaved,
  playbookTaken,
  type Shown,
} from './playbook-words.ts';
import { type SavedPlaybook, savedList } from './saved.ts';
import type { Subcommand } from './subcommand.ts';
import { help } from './words.ts';

interface Place {
  readonly userId: string;
  readonly channel: string;
}

/** Playbooks for `/plan list`, `/plan save` and `/plan saved`. */
export interface Playbooks {
  usable(): Promise<{ playbooks: readonly Shown[]; lacking: number }>;
  saved(): Promise<readonly SavedPlaybook[]>;
  save(
    name: string,
    who: Place,
  ): Promise<
    | { readonly kind: 'saved'; readonly playbook: Shown }
    | { readonly kind: 'nothing' | 'unsuccessful' }
    | { readonly kind: 'refused'; readonly problems: readonly string[] }
  >;
}

/** `/plan help`, `/plan list`, `/plan saved` and `/plan save <name>`. */
export async function command(
  subcommand: Extract<Subcommand, { kind: 'help' | 'list' | 'saved' | 'save' }>,
  who: Place,
  playbooks: Playbooks,
  say: Say,
): Promise<void> {
  if (subcommand.kind === 'help') return say(help());
  if (subcommand.kind === 'list') {
    const { playbooks: usable, lacking } = await playbooks.usable();
    return say(playbookList(usable, lacking));
  }
  if (subcommand.kind === 'saved') return say(savedList(await playbooks.saved()));
  const { name } = subcommand;
  if (name === null) return say(howToSave());
  const saved = await playbooks.save(name, who);
  if (saved.kind === 'saved') return say(playbookSaved(saved.playbook));
  if (saved.kind === 'refused') return say(playbookTaken(name, saved.problems));
  await say(saved.kind === 'nothing' ? nothingToSave() : notSucceeded());
}
