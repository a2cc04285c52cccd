import { cut, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';
import { refusal } from '../http/vendor-status.ts';

export const vendor = 'Azure Monitor';
const settings = 'AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET';
const about = { mayHaveHappened: false, facts: { vendor } };

/** The sign-in rejected the app's id or secret. */
export function signInRefused(said: string, secret: string): VendorError {
  const bare = cut(oneLine(said.replaceAll(secret, '[secret]')), 300);
  const message = `${vendor} does not let the bot sign in: check ${settings}: ${bare}`;
  return new VendorError('token_invalid', message, { ...about, retryable: false });
}

/** There is no sign-in at that address, or none for the tenant. */
export function noSignIn(host: string, cause?: unknown): VendorError {
  const message = `Azure’s sign-in at ${host} cannot be reached, or does not know the tenant: check AZURE_TENANT_ID and AZURE_AUTHORITY_HOST.`;
  return new VendorError('unreachable', message, {
    retryable: true,
    mayHaveHappened: false,
    facts: { vendor, host },
    cause,
  });
}

/** The VendorError for a status other than 200; `body` is the response body. */
export function azureRefusal(status: number, body: unknown, secret: string): VendorError {
  return refusal({
    vendor,
    status,
    detail: innermost(body),
    secrets: [secret],
    settings,
    permission: 'Check the id of the workspace, and give the app Log Analytics Reader on it.',
    write: false,
  });
}

/** Azure nests query errors: the innermost message names the position. */
function innermost(body: unknown): string {
  const messages: string[] = [];
  let current = body;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth += 1) {
    if ('message' in current && typeof current.message === 'string') messages.push(current.message);
    current = 'error' in current ? current.error : 'innererror' in current ? current.innererror : null;
  }
  return messages.at(-1) ?? '';
}
