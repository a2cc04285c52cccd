import { CountersignError } from '../../core/errors.ts';

/** Possible problems with the embedded database; each has a one-line message. */
export type EmbeddedPostgresCode =
  | 'unsupported_platform'
  | 'data_dir_not_writable'
  | 'data_dir_unreachable'
  | 'data_dir_damaged'
  | 'disk_full'
  | 'version_mismatch'
  | 'server_foreign'
  | 'server_failed';

/** The embedded database cannot be used. `facts` contain folders and log lines, never the password. */
export class EmbeddedPostgresError extends CountersignError {
  declare readonly code: EmbeddedPostgresCode;

  constructor(
    code: EmbeddedPostgresCode,
    message: string,
    facts: Record<string, string> = {},
    cause?: unknown,
  ) {
    super(code, message, facts, cause);
  }
}

/** The `code` of a failed system call (`EACCES`, `ENOSPC` …), or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
