import { ConfigError } from '../config/env.ts';
import { CountersignError, VendorError } from '../core/errors.ts';
import { PlaybookError } from '../plan/playbooks/load.ts';

/** Codes of what stays as it is until somebody changes a setting, a folder or the version. */
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

/** EX_CONFIG of sysexits.h: wrong settings, which no restart mends. The systemd units leave a process alone that ends so. */
const misconfigured = 78;

/** What a process says whose start failed, and the code that it ends with. */
export function lastWords(error: unknown): { readonly said: unknown; readonly code: number } {
  // What an operator can mend is one message; anything else keeps its stack.
  const said = error instanceof CountersignError ? error.message : error;
  return { said, code: isLasting(error) ? misconfigured : 1 };
}

/** True for what ended a start and would end the next one as well. A port that is taken may be free by then. */
export function isLasting(error: unknown): boolean {
  if (error instanceof ConfigError || error instanceof PlaybookError) return true;
  if (error instanceof VendorError && error.refusesUs) return true;
  return error instanceof CountersignError && lasting.has(error.code);
}
