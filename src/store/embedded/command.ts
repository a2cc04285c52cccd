import { ProgramError, type ProgramResult, runProgram } from '../../child.ts';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, systemCode } from './errors.ts';

/** initdb takes a minute on a slow disk, and pg_ctl waits just as long for the server. */
const LIMITS = { timeoutMs: 300_000, maxOutput: 20_000 };
/** English messages and UTC. */
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a Postgres program to completion. The working folder matters: run as another account, a program fails when it
 * cannot access the folder it was started in. Throws `unsupported_platform` when it cannot be run at all, and
 * `server_failed` when it does not finish.
 */
export async function runPostgres(
  program: string,
  args: readonly string[],
  as: { account: Account | null; cwd: string },
): Promise<ProgramResult> {
  try {
    return await runProgram({ command: program, args, env: ENVIRONMENT, ...as }, LIMITS);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    if (error.code === 'program_timeout')
      throw new EmbeddedPostgresError('server_failed', error.message, { program }, error);
    throw cannotRun(program, error.cause);
  }
}

function cannotRun(program: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `The embedded Postgres cannot be run on this machine (${systemCode(cause) ?? String(cause)}); set DATABASE_URL to a Postgres of your own.`,
    { program },
    cause,
  );
}
