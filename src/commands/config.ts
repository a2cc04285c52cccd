import { toolEffects } from '../../manifests/all.ts';
import { playbookNames } from '../app/playbooks.ts';
import { setVariables } from '../config/env.ts';
import { readBounded } from '../config/file.ts';
import { operatorJsonSchema } from '../config/json-schema.ts';
import { checkOperatorConfig, problemLine } from '../config/operator.ts';
import { type Command, UsageError } from './command.ts';
import { checkPins } from './mcp.ts';

/** `config check [file]` explains what is wrong, by line, and asks MCP servers whether their tools are as pinned; `config schema` prints the JSON Schema for editors. */
export const configCommand: Command = async ([what, given], context) => {
  if (what === 'schema') {
    context.out(operatorJsonSchema().trimEnd());
    return 0;
  }
  if (what !== 'check') throw new UsageError();
  const file = given ?? context.variables.COUNTERSIGN_CONFIG ?? 'countersign.yml';
  const variables = new Map(setVariables(context.variables));
  const { config, problems } = checkOperatorConfig(readBounded(file), {
    tools: toolEffects,
    checksEnvironment: true,
    variables,
    playbooks: playbookNames(),
  });
  for (const problem of problems) context.out(problemLine(file, problem));
  if (!config) return 1;
  const pins = await checkPins(config, context);
  if (pins) context.out(`${file} is fine`);
  return pins ? 0 : 1;
};
