import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { type Booting, boot, lastWords } from './app/boot.ts';
import { ConfigError, processVariables } from './config/env.ts';
import { describeError } from './core/errors.ts';

/** How long a stop may take before the process ends anyway; unfinished work continues at the next start. */
const graceMs = 12_000;

/** Seconds. */
const maxWait = 86_400;

/** Percentage by which the heap may outgrow the memory in use after the last collection. */
const growth = 30;

async function main(): Promise<void> {
  const waitMs = readWaitMs(process.argv.slice(2));
  const booting = await boot(processVariables(), { onLost: () => process.exit(1), waitMs });
  stopOnSignal(booting);
  // A start that fails is reported below.
  process.on(
    'SIGHUP',
    () =>
      void booting.starting.then(
        ({ reload }) => reload(),
        () => undefined,
      ),
  );
  await booting.starting;
  // Not earlier: data loaded by a start stays, and collecting meanwhile would take a tenth of its time.
  keepHeapSmall();
}

/** `--wait 60`: seconds for which a start waits for a database that is away. */
function readWaitMs(args: string[]): number {
  const { values } = parseArgs({ args, options: { wait: { type: 'string', default: '60' } } });
  const seconds = Number(values.wait);
  if (/^\d+$/.test(values.wait) && seconds <= maxWait) return seconds * 1_000;
  throw new ConfigError('wait', `--wait must be a number of seconds from 0 to ${maxWait}.`);
}

/**
 * Keeps the heap close to the memory in use, at the cost of more frequent collections. By default V8 lets it grow to
 * four times that before it collects, so a bot that needs 75 MB would hold 300. The size of the young generation can
 * only be set on the command line; `npm start` does.
 */
function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}

/** Listens from the first moment: otherwise a stop during the start would leave the embedded database running. */
function stopOnSignal({ starting, log }: Booting): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), graceMs).unref();
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
  const { said, code } = lastWords(error);
  console.error(said);
  process.exit(code);
});
