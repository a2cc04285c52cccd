import { readFileSync } from 'node:fs';
import { startApp } from './app.ts';
import { toolEffects } from './commands/offline-world.ts';
import { ConfigError, processVariables, readEnv } from './config/env.ts';
import { readOperatorConfig } from './config/operator.ts';
import type { OperatorConfig } from './config/schema.ts';
import { CountersignError, describeError } from './core/errors.ts';
import { createLog } from './log.ts';
import { loadPlaybooks } from './wiring/playbooks.ts';

/** How long a stop may take before the process ends anyway; what was not finished goes on at the next start. */
const patienceMs = 12_000;

function readConfigFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = `COUNTERSIGN_CONFIG: ${file} cannot be read. Copy countersign.example.yml and fill it in.`;
    throw new ConfigError('config_file', why, { file }, error);
  }
}

function routingKeys(config: OperatorConfig, variables: ReturnType<typeof processVariables>): string[] {
  return Object.values(config.services).flatMap((service) => variables[service.routing_key] ?? []);
}

async function main(): Promise<void> {
  const variables = processVariables();
  const env = readEnv(variables);
  const playbooks = loadPlaybooks();
  const set = Object.entries(variables).filter(([, value]) => value?.trim());
  const config = readOperatorConfig(readConfigFile(env.COUNTERSIGN_CONFIG), env.COUNTERSIGN_CONFIG, {
    tools: toolEffects(),
    variables: new Set(set.map(([name]) => name)),
    playbooks: new Set(playbooks.map((playbook) => playbook.name)),
  });
  const log = createLog(env, routingKeys(config, variables));
  const onLost = (reason: Error) => {
    log.error(
      { ...describeError(reason) },
      'The lock of this process is lost, so others may go on with its runs; it ends',
    );
    process.exit(1);
  };
  const app = await startApp({ env, config, playbooks, variables, log, now: () => new Date(), onLost });
  log.info({ port: app.port }, 'Countersign is ready');
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), patienceMs).unref();
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ ...describeError(error) }, 'The stop was not clean');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
}

main().catch((error: unknown) => {
  // What an operator can mend is one message; anything else keeps its stack.
  console.error(error instanceof CountersignError ? error.message : error);
  process.exit(1);
});
