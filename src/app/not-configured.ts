import { VendorError } from '../core/errors.ts';

/** In the place of every question to something that is not set up: fails with the settings that it needs. */
export function notConfigured(settings: string): () => Promise<never> {
  const about = { retryable: false, mayHaveHappened: false };
  return () => Promise.reject(new VendorError('not_configured', `This needs ${settings}.`, about));
}
