import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperatorConfig } from '../config/schema.ts';
import { loadPlaybooks as loadFrom, playbookNames as namesFrom } from '../plan/playbooks/load.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { installedManifests } from './installed-tools.ts';

/** The installation's playbooks: `playbooks/` in its root. */
export const playbookFolder = fileURLToPath(new URL('../../playbooks', import.meta.url));

/** Their names. Empty when the folder was removed. */
export function playbookNames(): Set<string> {
  return existsSync(playbookFolder) ? namesFrom(playbookFolder) : new Set();
}

/** All of them, or a PlaybookError with the problems by file and line. They may use every installed tool, including MCP tools and actions. */
export function loadPlaybooks(
  config: Pick<OperatorConfig, 'mcp' | 'actions'>,
  folder = playbookFolder,
): Playbook[] {
  return existsSync(folder) ? loadFrom(folder, installedManifests(config)) : [];
}
