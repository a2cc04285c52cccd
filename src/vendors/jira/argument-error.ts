import { VendorError } from '../../core/errors.ts';

/** An argument that Jira cannot take as it is. The message names it and says what is possible; nothing was written. */
export class ArgumentError extends VendorError {
  constructor(code: string, message: string) {
    super(code, message, { retryable: false, mayHaveHappened: false, facts: { vendor: 'Jira' } });
  }
}
