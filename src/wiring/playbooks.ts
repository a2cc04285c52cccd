import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { allManifests } from '../../manifests/all.ts';
import { toolsIn } from '../core/notation/looks.ts';
import { unseal } from '../core/revision.ts';
import type { Say } from '../pipeline.ts';
import { playbookFrom } from '../plan/playbooks/from-plan.ts';
import { checkPlaybooks, problemLine } from '../plan/playbooks/lint.ts';
import { loadPlaybooks as loadFrom } from '../plan/playbooks/load.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import {
  howToSave,
  nothingToSave,
  playbookList,
  playbookSaved,
  playbookTaken,
} from '../report/playbook-words.ts';
import { help } from '../report/private.ts';
import type { Subcommand } from '../request/subcommand.ts';
import * as playbooks from '../store/playbooks.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { Db, RequestRow } from '../store/tables.ts';
import type { World } from './world.ts';

/** Saved and installed playbooks together; a list that nobody can read helps nobody. */
const mostPlaybooks = 200;

/** The playbooks of the installation: `playbooks/` at its top. */
export const playbookFolder = fileURLToPath(new URL('../../playbooks', import.meta.url));

/** All of them, or a PlaybookError that says by file and line what is wrong. None when the folder was removed. */
export function loadPlaybooks(): Playbook[] {
  return existsSync(playbookFolder) ? loadFrom(playbookFolder, allManifests) : [];
}

/** Those of the installation and those that people saved; a saved one that no longer checks is left out. */
export async function everyPlaybook(
  installed: readonly Playbook[],
  db: Db,
  teamId: string,
): Promise<Playbook[]> {
  const saved = await playbooks.list(db, teamId);
  const files = saved.map(({ name, source }) => ({ file: name, source }));
  const names = new Set(installed.map(({ name }) => name));
  return [
    ...installed,
    ...checkPlaybooks(files, allManifests).playbooks.filter(({ name }) => !names.has(name)),
  ];
}

/** `/plan help`, `/plan list` and `/plan save <name>`. */
export async function onSubcommand(
  command: NonNullable<Subcommand>,
  who: { readonly userId: string; readonly channel: string },
  world: World,
  say: Say,
): Promise<void> {
  if (command.kind === 'help') return say(help());
  if (command.kind === 'list') {
    const all = await world.playbooks();
    const usable = all.filter(({ plan }) =>
      toolsIn(plan).every((tool) => world.catalogue.manifests.has(tool)),
    );
    return say(playbookList(usable, all.length - usable.length));
  }
  if (command.name === null) return say(howToSave());
  const ran = await lastRun(world, who);
  if (ran === null) return say(nothingToSave());
  const row = await revisions.latest(world.db, world.teamId, ran.id);
  if (row === null) return say(nothingToSave());
  const { plan } = unseal(row.bytes, row.digest).sealed;
  const playbook = playbookFrom(plan, { name: command.name, owner: who.userId }, world.catalogue.manifests);
  const source = stringify(playbook);
  const { problems } = checkPlaybooks([{ file: command.name, source }], allManifests);
  const known = await world.playbooks();
  if (known.length >= mostPlaybooks)
    return say(playbookTaken(command.name, [`There are ${known.length} playbooks already.`]));
  const taken = known.some(({ name }) => name === command.name);
  if (taken || problems.length > 0) return say(playbookTaken(command.name, problems.map(problemLine)));
  const { db, teamId, now } = world;
  const saved = await playbooks.save(db, {
    teamId,
    name: command.name,
    source,
    owner: who.userId,
    createdAt: now(),
  });
  await say(saved ? playbookSaved(playbook) : playbookTaken(command.name, []));
}

/** The last plan in this channel that this person asked for and that ran to its end. */
async function lastRun(
  { db, teamId }: World,
  who: { userId: string; channel: string },
): Promise<RequestRow | null> {
  const recent = await requests.listRecent(db, { teamId, limit: 50, requester: who.userId });
  return recent.find(({ state, channel }) => state === 'finished' && channel === who.channel) ?? null;
}
