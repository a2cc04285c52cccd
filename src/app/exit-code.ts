import { ConfigError } from '../config/env.ts';
import { CountersignError, VendorError } from '../core/errors.ts';
import { PlaybookError } from '../plan/playbooks/load.ts';

/** Error codes that persist until somebody changes a setting, a folder or the version. */
const lasting = new Set([
  'audit_key_missing',
  'audit_key_unusable',
  'data_dir_not_writable',
  'data_dir_unreachable',
  'database_newer',
  'database_pooled',
  'slack_missing_scope',
  'slack_not_allowed_token_type',
]);

/** EX_CONFIG of sysexits.h: wrong settings, which no restart fixes. The systemd units do not restart a process with this code. */
const misconfigured = 78;

/** The final message and exit code of a process whose start failed. */
export function lastWords(error: unknown): { readonly said: unknown; readonly code: number } {
  // An error an operator can fix is one message; any other keeps its stack.
  const said = error instanceof CountersignError ? error.message : error;
  return { said, code: isLasting(error) ? misconfigured : 1 };
}

/** True if restarting would fail the same way. A port that is taken may be free by then. */
export function isLasting(error: unknown): boolean {
  if (error instanceof ConfigError || error instanceof PlaybookError) return true;
  if (error instanceof VendorError && error.refusesUs) return true;
  return error instanceof CountersignError && lasting.has(error.code);
}
