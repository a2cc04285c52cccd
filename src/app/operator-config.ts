import { toolEffects } from '../../manifests/all.ts';
import { ConfigError, setVariables } from '../config/env.ts';
import { readConfigFile } from '../config/file.ts';
import { readOperatorConfig } from '../config/operator.ts';
import type { Role } from '../config/role.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import { playbookNames } from './playbooks.ts';

/** The operator's file, checked against what this installation knows. Throws a ConfigError that lists all problems. */
export function operatorConfig(
  file: string,
  variables: Readonly<Record<string, string | undefined>>,
  role: Role = 'all',
): OperatorFile {
  const config = readOperatorConfig(readConfigFile(file), file, {
    tools: toolEffects,
    checksEnvironment: true,
    holdsNoKeys: role === 'front',
    variables: new Map(setVariables(variables)),
    playbooks: playbookNames(),
  });
  if (variables.TOKEN_KEY && Object.keys(config.workspaces).length === 0)
    throw new ConfigError('config_file', `${file} ${noWorkspaces}`);
  return config;
}

const noWorkspaces =
  'names no workspaces, so with TOKEN_KEY the bot could be installed nowhere: add them as in docs/workspaces.md.';
