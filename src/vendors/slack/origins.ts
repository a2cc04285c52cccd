import { VendorError } from '../../core/errors.ts';

/**
 * The hosts that belong to the Slack behind `apiUrl`: itself, and for slack.com the one that takes answers. Addresses
 * come in payloads, so every one is checked before it is fetched.
 */
export function assertSlackAddress(address: string, apiUrl: string): void {
  const api = new URL(apiUrl);
  const url = URL.canParse(address) ? new URL(address) : null;
  const same = url?.origin === api.origin;
  const sibling = url?.protocol === 'https:' && api.protocol === 'https:' && url.host === `hooks.${api.host}`;
  if (same || sibling) return;
  throw new VendorError(
    'slack_foreign_address',
    'Refused to contact an address that does not belong to Slack.',
    {
      retryable: false,
      mayHaveHappened: false,
    },
  );
}
