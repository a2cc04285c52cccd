import { existsSync } from 'node:fs';
import { toolEffects } from '../../manifests/all.ts';
import { declaredCatalogue, loadPlaybooks, playbookNames } from '../app/installed.ts';
import { included } from '../app/settings.ts';
import { buildPolicy } from '../config/build-catalogue.ts';
import type { Known } from '../config/complaint.ts';
import { readBounded } from '../config/file.ts';
import { readOperatorConfig } from '../config/operator.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Policy } from '../core/policy.ts';
import { codeIn } from '../plan/playbooks/library.ts';
import type { CommandContext } from './command.ts';

export interface OfflineWorld {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly config: OperatorConfig;
}

/**
 * Catalogue and policy for commands without a workspace: every declared tool with the operator's names, or, without a
 * `countersign.yml`, an open catalogue in which names in the goal count as known.
 */
export function offlineWorld(context: CommandContext): OfflineWorld {
  const file = context.variables.COUNTERSIGN_CONFIG ?? 'countersign.yml';
  const found = existsSync(file);
  if (!found && context.variables.COUNTERSIGN_CONFIG) throw new Error(`${file} does not exist`);
  const { catalogue, ...world } = worldOf(found ? readBounded(file) : '{}', file, included(file));
  return { ...world, catalogue: { ...catalogue, open: !found } };
}

/** Like `offlineWorld`, for settings given as text. Throws a ConfigError. */
export function worldOf(
  source: string,
  file: string,
  find: NonNullable<Known['included']> = included(file),
): OfflineWorld {
  // Routing keys are secrets of the running bot; a plan can be checked without them, as long as each is another one.
  const variables = new Map((source.match(/[A-Z][A-Z0-9_]+/g) ?? []).map((name) => [name, name]));
  const { config } = readOperatorConfig(source, file, {
    ...{ tools: toolEffects, variables, playbooks: playbookNames(), included: find },
  });
  const catalogue = { ...declaredCatalogue(config), vettedCode: codeIn(loadPlaybooks(config)) };
  return { catalogue, policy: buildPolicy(config), config };
}
