import { VendorError } from '../../core/errors.ts';
import { cut, oneLine } from '../../core/inert.ts';
import { noAnswer } from '../http/no-answer.ts';
import { refusal } from '../http/vendor-status.ts';

const vendor = 'Azure Monitor';
const settings = 'AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET';

interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly status: number | null;
  readonly detail: string;
}

/** The VendorError for what the client threw. */
export function azureError(
  error: unknown,
  about: {
    readonly host: string;
    /** Host of the sign-in. */
    readonly authority: string;
    readonly secrets: readonly string[];
    readonly signal: AbortSignal;
  },
): VendorError {
  if (error instanceof VendorError) return error;
  const { name, message, status, detail } = thrown(error);
  // The client says the same of a host that is away and of a tenant that does not exist.
  if (!about.signal.aborted && name === 'CredentialUnavailableError') return noSignIn(about.authority, error);
  if (!about.signal.aborted && /^(AuthenticationError|AuthenticationRequiredError)$/.test(name)) {
    const bare = about.secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
    const said = cut(oneLine(bare), 300);
    return new VendorError(
      'token_invalid',
      `${vendor} does not let the bot sign in: check ${settings}: ${said}`,
      {
        retryable: false,
        mayHaveHappened: false,
        facts: { vendor },
      },
    );
  }
  if (status === null)
    return noAnswer(error, { vendor, host: about.host, write: false, signal: about.signal });
  return refusal({
    vendor,
    status,
    detail: detail || message,
    secrets: about.secrets,
    settings,
    permission: 'Check the id of the workspace, and give the app Log Analytics Reader on it.',
    write: false,
  });
}

function noSignIn(authority: string, cause: unknown): VendorError {
  const why =
    'cannot be reached, or does not know the tenant: check AZURE_TENANT_ID and AZURE_AUTHORITY_HOST';
  return new VendorError('unreachable', `Azure’s sign-in at ${authority} ${why}.`, {
    retryable: true,
    mayHaveHappened: false,
    facts: { vendor, host: authority },
    cause,
  });
}

function thrown(error: unknown): Thrown {
  const has = typeof error === 'object' && error !== null ? error : {};
  const name = 'name' in has && typeof has.name === 'string' ? has.name : '';
  const message = 'message' in has && typeof has.message === 'string' ? has.message : '';
  const status = 'statusCode' in has ? Number(has.statusCode) : Number.NaN;
  return { name, message, status: Number.isInteger(status) ? status : null, detail: innermost(has) };
}

/** Azure nests what is wrong with a query: the innermost message names the place. */
function innermost(has: object): string {
  const messages: string[] = [];
  let current: unknown = 'details' in has ? has.details : null;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth += 1) {
    if ('message' in current && typeof current.message === 'string') messages.push(current.message);
    current = 'error' in current ? current.error : 'innererror' in current ? current.innererror : null;
  }
  return messages.at(-1) ?? '';
}
