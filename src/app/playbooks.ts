import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allManifests } from '../../manifests/all.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Manifest } from '../core/manifest.ts';
import { unseal } from '../core/revision.ts';
import { loadPlaybooks as loadFrom } from '../plan/playbooks/load.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { createShelf, type Shelf } from '../plan/playbooks/shelf.ts';
import * as playbooks from '../store/playbooks.ts';
import * as runs from '../store/runs.ts';
import type { Books } from './books.ts';

/** The playbooks of the installation: `playbooks/` at its top. */
export const playbookFolder = fileURLToPath(new URL('../../playbooks', import.meta.url));

/** All of them, or a PlaybookError that says by file and line what is wrong. None when the folder was removed. */
export function loadPlaybooks(): Playbook[] {
  return existsSync(playbookFolder) ? loadFrom(playbookFolder, allManifests) : [];
}

/** The playbooks of the installation, and those that people save. */
export function openShelf(
  { db, teamId }: Books,
  installed: readonly Playbook[],
  { catalogue, manifests }: { readonly catalogue: Catalogue; readonly manifests: readonly Manifest[] },
  now: () => Date,
): Shelf {
  return createShelf({
    installed,
    manifests,
    catalogue,
    saved: () => playbooks.list(db, teamId),
    save: (playbook) => playbooks.save(db, { teamId, ...playbook, createdAt: now() }),
    async lastPlan({ userId: requester, channel }) {
      const row = await runs.lastEnded(db, { teamId, requester, channel });
      if (row === null) return null;
      return row.outcome === 'done' ? unseal(row.bytes, row.digest).sealed.plan : 'unsuccessful';
    },
  });
}
