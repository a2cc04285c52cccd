import { keepHeapSmall } from './app/heap.ts';
import { createLog } from './app/log.ts';
import { operatorConfig } from './app/operator-config.ts';
import { loadPlaybooks } from './app/playbooks.ts';
import type { App } from './app/start.ts';
import { openTracing } from './app/tracing.ts';
import { processVariables, readEnv } from './config/env.ts';
import type { OperatorConfig } from './config/schema.ts';
import { CountersignError, describeError } from './core/errors.ts';

/** How long a stop may take before the process ends anyway; what was not finished goes on at the next start. */
const patienceMs = 12_000;

/** Values of variables that the operator's file names. */
function namedSecrets(
  { services, databases, mcp }: OperatorConfig,
  variables: ReturnType<typeof processVariables>,
): string[] {
  const servers = Object.values(mcp).flatMap(({ env, token }) => [
    ...env,
    ...(token === undefined ? [] : [token]),
  ]);
  const keys = Object.values(services).map((service) => service.routing_key);
  const urls = Object.values(databases).map(({ url }) => url);
  return [...keys, ...urls, ...servers].flatMap((name) => variables[name] ?? []);
}

async function main(): Promise<void> {
  keepHeapSmall();
  const variables = processVariables();
  const env = readEnv(variables);
  const config = operatorConfig(env.COUNTERSIGN_CONFIG, variables, env.COUNTERSIGN_ROLE);
  const playbooks = loadPlaybooks(config);
  const tracing = await openTracing(env);
  const settings = [config, ...Object.values(config.workspaces)];
  const log = createLog(
    env,
    settings.flatMap((one) => namedSecrets(one, variables)),
    tracing,
  );
  const onLost = (reason: Error) => {
    log.error(
      { ...describeError(reason) },
      'The lock of this process is lost, so others may go on with its runs; it ends',
    );
    process.exit(1);
  };
  // Loaded when the settings are right: a start that cannot work says so at once.
  const { startApp } = await import('./app/start.ts');
  const starting = startApp({
    ...{ env, config, workspaces: config.workspaces, playbooks, variables, log, tracing, onLost },
    now: () => new Date(),
  });
  stopOnSignal(starting, log);
  const app = await starting;
  log.info({ role: env.COUNTERSIGN_ROLE, process: app.id, port: app.port }, 'Countersign is ready');
}

/** Listens from the first moment: a stop during the start would otherwise leave the embedded database running. */
function stopOnSignal(starting: Promise<App>, log: ReturnType<typeof createLog>): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), patienceMs).unref();
    try {
      await (await starting).stop();
      process.exit(0);
    } catch (error) {
      log.error({ ...describeError(error) }, 'The stop was not clean');
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

main().catch((error: unknown) => {
  // What an operator can mend is one message; anything else keeps its stack.
  console.error(error instanceof CountersignError ? error.message : error);
  process.exit(1);
});
