import { VendorError } from '../../core/errors.ts';

/** Stands in for a vendor that is not set up: every call fails with the settings it needs. */
export function unconfigured<P extends object>(settings: string): P {
  const about = { retryable: false, mayHaveHappened: false };
  const fail = () => Promise.reject(new VendorError('not_configured', `This needs ${settings}.`, about));
  return new Proxy({} as P, { get: () => fail });
}
