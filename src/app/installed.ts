import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { actionManifests } from '../../manifests/actions.ts';
import { allManifests } from '../../manifests/all.ts';
import { mcpManifests } from '../../manifests/mcp.ts';
import { actionTools } from '../../tools/actions.ts';
import { allTools } from '../../tools/all.ts';
import { mcpTools } from '../../tools/mcp.ts';
import { buildCatalogue, type MissingSettings, missingSettings } from '../config/build-catalogue.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Tool } from '../core/tool.ts';
import { loadPlaybooks as loadFrom, playbookNames as namesFrom } from '../plan/playbooks/load.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';

/** Settings are read again and again, mostly with the same tools, and what is known of a manifest is kept with it. */
const declared = new LRUCache<string, readonly Manifest[]>({ max: 100 });

/** Every declared tool: our own, MCP tools pinned by the operator, and the operator's actions. */
export function installedManifests({
  mcp,
  actions,
}: Pick<OperatorConfig, 'mcp' | 'actions'>): readonly Manifest[] {
  const key = JSON.stringify([mcp, actions]);
  const known = declared.get(key);
  if (known !== undefined) return known;
  const manifests = [...allManifests, ...mcpManifests(mcp), ...actionManifests(actions)];
  declared.set(key, manifests);
  return manifests;
}

/** The implementations by tool name. */
export function installedTools({
  mcp,
  actions,
}: Pick<OperatorConfig, 'mcp' | 'actions'>): ReadonlyMap<string, Tool> {
  return new Map([...allTools, ...mcpTools(mcp), ...actionTools(actions)]);
}

/** Everything plans may name: each fully configured tool, and the operator's names. */
export function installedCatalogue(env: Env, config: OperatorConfig): Catalogue {
  const names = new Set(installedTools(config).keys());
  return buildCatalogue(config, installedManifests(config), names, missingSettings(env, config));
}

/** The same without regard to what is set up: every declared tool. */
export function declaredCatalogue(config: OperatorConfig): Catalogue {
  const manifests = installedManifests(config);
  const names = new Set(manifests.map(({ name }) => name));
  const nothingMissing = Object.fromEntries(manifests.map(({ system }) => [system, null]));
  return buildCatalogue(config, manifests, names, nothingMissing as MissingSettings);
}

/** The installation's playbooks: `playbooks/` in its root. */
export const playbookFolder = fileURLToPath(new URL('../../playbooks', import.meta.url));

/** Their names. Empty when the folder was removed. */
export function playbookNames(): ReadonlySet<string> {
  return existsSync(playbookFolder) ? namesFrom(playbookFolder) : new Set();
}

/** All of them, or a PlaybookError with the problems by file and line. They may use every installed tool, including MCP tools and actions. */
export function loadPlaybooks(
  config: Pick<OperatorConfig, 'mcp' | 'actions'>,
  folder = playbookFolder,
): Playbook[] {
  return existsSync(folder) ? loadFrom(folder, installedManifests(config)) : [];
}
