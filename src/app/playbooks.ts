import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Manifest } from '../core/manifest.ts';
import { unseal } from '../core/revision.ts';
import { createShelf, type Shelf } from '../plan/playbooks/library.ts';
import { loadPlaybooks as loadFrom, playbookNames as namesFrom } from '../plan/playbooks/load.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import * as playbooks from '../store/playbooks.ts';
import * as runs from '../store/runs.ts';
import { installedManifests } from './installed-tools.ts';
import type { Books } from './stored-requests.ts';

/** The installation's playbooks: `playbooks/` in its root. */
export const playbookFolder = fileURLToPath(new URL('../../playbooks', import.meta.url));

/** Their names. Empty when the folder was removed. */
export function playbookNames(): Set<string> {
  return existsSync(playbookFolder) ? namesFrom(playbookFolder) : new Set();
}

/** All of them, or a PlaybookError with the problems by file and line. They may use every installed tool, including MCP tools. */
export function loadPlaybooks(config: Pick<OperatorConfig, 'mcp'>, folder = playbookFolder): Playbook[] {
  return existsSync(folder) ? loadFrom(folder, installedManifests(config)) : [];
}

/** The playbooks of the installation, and those saved by people. */
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
