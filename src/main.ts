import { setFlagsFromString } from 'node:v8';
import { type Booting, boot } from './app/boot.ts';
import { lastWords } from './app/exit-code.ts';
import { processVariables } from './config/env.ts';
import { describeError } from './core/errors.ts';

/** How long a stop may take before the process ends anyway; unfinished work continues at the next start. */
const graceMs = 12_000;

/** Percentage by which the heap may outgrow the memory in use after the last collection. */
const growth = 30;

async function main(): Promise<void> {
  const booting = await boot(processVariables(), { onLost: () => process.exit(1) });
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
