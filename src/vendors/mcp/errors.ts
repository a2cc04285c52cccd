import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { cut, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';

/** An answer that was cut off or unreadable; it ends the session. */
export class BadAnswer extends Error {}

export interface FailedCall {
  /** `the MCP server notes`. */
  readonly vendor: string;
  /** Whether the call could have changed something. */
  readonly write: boolean;
  readonly signal: AbortSignal;
  /** Secrets, to be hidden even if the server repeats them. */
  readonly secrets: readonly string[];
}

/** The server understood the request and did not start it. */
const notBegun: readonly number[] = [
  ErrorCode.InvalidParams,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidRequest,
];

/** A server's text for a message: on one line, short, without secrets. */
export function quoted(text: string, secrets: readonly string[]): string {
  return cut(oneLine(withoutSecrets(text, secrets)), 300);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((bare, secret) => bare.replaceAll(secret, '[secret]'), text);
}

/** The VendorError for a call without a result. */
export function failedCall(error: unknown, { vendor, write, signal, secrets }: FailedCall): VendorError {
  if (error instanceof VendorError) return error;
  const about = { facts: { vendor }, cause: error };
  const said = error instanceof Error ? quoted(error.message, secrets) : '';
  if (error instanceof McpError && isAnswer(error)) {
    const begun = !notBegun.includes(error.code);
    const message = `${sentence(vendor)} refused the call: ${said}`;
    return new VendorError('mcp_refused', message, {
      retryable: false,
      mayHaveHappened: write && begun,
      ...about,
    });
  }
  if (error instanceof BadAnswer) {
    const message = `${sentence(vendor)} sent an answer that is not taken: ${said}.`;
    return new VendorError('bad_answer', message, { retryable: true, mayHaveHappened: write, ...about });
  }
  if (signal.aborted || (error instanceof McpError && error.code === ErrorCode.RequestTimeout)) {
    const message = `${sentence(vendor)} did not answer in time.`;
    return new VendorError('timeout', message, { retryable: true, mayHaveHappened: write, ...about });
  }
  const message = `${sentence(vendor)} went away before it had answered${said === '' ? '' : `: ${said}`}`;
  return new VendorError('connection_lost', message, { retryable: true, mayHaveHappened: write, ...about });
}

/** True for an error sent by the server; the library reports a lost connection with the same class. */
function isAnswer({ code }: McpError): boolean {
  return code !== ErrorCode.ConnectionClosed && code !== ErrorCode.RequestTimeout;
}

/** The server cannot be reached yet: nothing has happened. */
export function notReached(
  error: unknown,
  { vendor, secrets }: Pick<FailedCall, 'vendor' | 'secrets'>,
): VendorError {
  if (error instanceof VendorError) return error;
  const said = error instanceof Error ? quoted(error.message, secrets) : '';
  return new VendorError('unreachable', `${sentence(vendor)} cannot be reached: ${said}`, {
    ...{ retryable: true, mayHaveHappened: false, facts: { vendor }, cause: error },
  });
}

export function refused(code: string, message: string): VendorError {
  return new VendorError(code, message, { retryable: false, mayHaveHappened: false });
}

function sentence(vendor: string): string {
  return vendor.charAt(0).toUpperCase() + vendor.slice(1);
}
