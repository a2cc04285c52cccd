import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allManifests } from '../../manifests/all.ts';
import { loadPlaybooks as loadFrom } from '../plan/playbooks/load.ts';
import type { Playbooks } from './offline.ts';

/** The playbooks of the installation: `playbooks/` at its top. */
export const playbookFolder = fileURLToPath(new URL('../../playbooks', import.meta.url));

/** All of them, or a PlaybookError that says by file and line what is wrong. None when the folder was removed. */
export function loadPlaybooks(): Playbooks {
  return existsSync(playbookFolder) ? loadFrom(playbookFolder, allManifests) : [];
}
