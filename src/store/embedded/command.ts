import { spawn } from 'node:child_process';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, systemCode } from './errors.ts';

export interface CommandResult {
  readonly exitCode: number | null;
  /** What it printed on both streams, at most 20,000 characters. */
  readonly output: string;
}

const OUTPUT_LIMIT = 20_000;
/** English messages and UTC. The bot's own variables hold tokens, so the server inherits none of them. */
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs one of the Postgres programs to its end. The working folder matters: as another account a program fails
 * when it cannot see the folder it was started in. Throws `unsupported_platform` when it cannot be run at all.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  as: { account: Account | null; cwd: string },
): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const child = spawn(program, [...args], {
    cwd: as.cwd,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    ...(as.account ?? {}),
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    if (output.length < OUTPUT_LIMIT) output += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('error', (error) => reject(cannotRun(program, error)));
  // 'exit' and not 'close': a server that pg_ctl leaves behind may keep the pipes open.
  child.on('exit', (exitCode) => setImmediate(() => resolve({ exitCode, output })));
  const result = await promise;
  child.stdout.destroy();
  child.stderr.destroy();
  return result;
}

function cannotRun(program: string, cause: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `The embedded Postgres cannot be run on this machine (${systemCode(cause) ?? cause.message}); set DATABASE_URL to a Postgres of your own.`,
    { program },
    cause,
  );
}
