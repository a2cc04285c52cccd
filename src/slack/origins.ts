import { VendorError } from '../core/errors.ts';

/**
 * Hosts that belong to the Slack behind `apiUrl`: itself, and for slack.com the ones it sends answers and files
 * through. Addresses come in payloads, so every one is checked before it is fetched.
 */
export function assertSlackAddress(address: string, apiUrl: string): void {
  const api = new URL(apiUrl);
  const url = URL.canParse(address) ? new URL(address) : null;
  const siblings = [`hooks.${api.host}`, `files.${api.host}`];
  const same = url?.origin === api.origin;
  const sibling = url?.protocol === 'https:' && api.protocol === 'https:' && siblings.includes(url.host);
  if (same || sibling) return;
  throw new VendorError('slack_foreign_address', 'An address that is not Slack’s was not contacted.', {
    retryable: false,
    mayHaveHappened: false,
  });
}
