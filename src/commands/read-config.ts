import { toolEffects } from '../../manifests/all.ts';
import { loadPlaybooks } from '../app/playbooks.ts';
import { setVariables } from '../config/env.ts';
import { readConfigFile } from '../config/file.ts';
import { readOperatorConfig } from '../config/operator.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { CommandContext } from './command.ts';

/** The operator's file for a command, with all that it may name. Throws a ConfigError that lists what is wrong. */
export function readConfig({ variables }: CommandContext): OperatorConfig {
  const file = variables.COUNTERSIGN_CONFIG ?? 'countersign.yml';
  return readOperatorConfig(readConfigFile(file), file, {
    tools: toolEffects,
    variables: new Map(setVariables(variables)),
    playbooks: new Set(loadPlaybooks().map(({ name }) => name)),
  });
}
