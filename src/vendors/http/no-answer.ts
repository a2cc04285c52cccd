import { VendorError } from '../../core/errors.ts';

/** Failures before a request could be sent: nothing can have happened. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
]);

function isTls(code: string): boolean {
  return (
    /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code) ||
    code === 'HOSTNAME_MISMATCH'
  );
}

/** The first string `code` in the chain of causes; libraries wrap the reason up to three levels deep. */
function codeOf(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = 'cause' in current ? current.cause : null;
  }
  return '';
}

function sentenceFor(vendor: string, host: string, code: string): string {
  if (code === 'ECONNREFUSED') return `${vendor} cannot be reached: nothing answers at ${host}.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${vendor} cannot be reached: the name ${host} is not known.`;
  if (isTls(code)) return `${vendor} cannot be trusted: the certificate of ${host} was not accepted.`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code.startsWith('EHOST') || code.startsWith('ENET'))
    return `${vendor} cannot be reached: no way to ${host}.`;
  return `The connection to ${vendor} broke before it answered.`;
}

/** The VendorError for a request without a usable answer. `write`: whether it could have changed something. */
export function noAnswer(
  error: unknown,
  about: {
    readonly vendor: string;
    readonly host: string;
    readonly write: boolean;
    readonly signal: AbortSignal;
  },
): VendorError {
  if (error instanceof VendorError) return error;
  const facts = { vendor: about.vendor, host: about.host };
  if (about.signal.aborted) {
    return new VendorError('timeout', `${about.vendor} did not answer in time.`, {
      retryable: true,
      mayHaveHappened: about.write,
      facts,
      cause: error,
    });
  }
  const code = codeOf(error);
  const sent = !neverSent.has(code) && !isTls(code);
  return new VendorError(
    sent ? 'connection_lost' : 'unreachable',
    sentenceFor(about.vendor, about.host, code),
    {
      retryable: !isTls(code),
      mayHaveHappened: about.write && sent,
      facts: code === '' ? facts : { ...facts, reason: code },
      cause: error,
    },
  );
}

/** A 2xx with an unexpected body: cut short, a web page, or without a field we read. */
export function badAnswer(
  vendor: string,
  what: string,
  about: { readonly write: boolean; readonly cause?: unknown },
): VendorError {
  return new VendorError('bad_answer', `${vendor} gave an answer that cannot be used: ${what}.`, {
    retryable: true,
    mayHaveHappened: about.write,
    facts: { vendor },
    cause: about.cause,
  });
}
