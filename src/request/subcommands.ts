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
import type { Subcommand } from './subcommand.ts';
import { help } from './words.ts';

interface Place {
  readonly userId: string;
  readonly channel: string;
}

/** Playbooks, as `/plan list` and `/plan save` ask for them. */
export interface Playbooks {
  usable(): Promise<{ playbooks: readonly Shown[]; lacking: number }>;
  save(
    name: string,
    who: Place,
  ): Promise<
    | { readonly kind: 'saved'; readonly playbook: Shown }
    | { readonly kind: 'nothing' | 'unsuccessful' }
    | { readonly kind: 'refused'; readonly problems: readonly string[] }
  >;
}

/** `/plan help`, `/plan list` and `/plan save <name>`. */
export async function command(
  subcommand: Extract<Subcommand, { kind: 'help' | 'list' | 'save' }>,
  who: Place,
  playbooks: Playbooks,
  say: Say,
): Promise<void> {
  if (subcommand.kind === 'help') return say(help());
  if (subcommand.kind === 'list') {
    const { playbooks: usable, lacking } = await playbooks.usable();
    return say(playbookList(usable, lacking));
  }
  const { name } = subcommand;
  if (name === null) return say(howToSave());
  const saved = await playbooks.save(name, who);
  if (saved.kind === 'saved') return say(playbookSaved(saved.playbook));
  if (saved.kind === 'refused') return say(playbookTaken(name, saved.problems));
  await say(saved.kind === 'nothing' ? nothingToSave() : notSucceeded());
}
