import { VendorError } from '../../core/errors.ts';

/** Where Slack takes private answers; null where that is the API itself, as in a local workspace. */
export function answersUrl(apiUrl: string): URL | null {
  const { protocol, host } = new URL(apiUrl);
  return protocol === 'https:' ? new URL(`https://hooks.${host}`) : null;
}

/**
 * The hosts of the Slack behind `apiUrl`: itself, and for slack.com the one for responses. Addresses come in payloads,
 * so each is checked before it is fetched.
 */
export function assertSlackAddress(address: string, apiUrl: string): void {
  const api = new URL(apiUrl);
  const url = URL.canParse(address) ? new URL(address) : null;
  const same = url?.origin === api.origin;
  if (same || (url !== null && url.origin === answersUrl(apiUrl)?.origin)) return;
  throw new VendorError(
    'slack_foreign_address',
    'Refused to contact an address that does not belong to Slack.',
    {
      retryable: false,
      mayHaveHappened: false,
    },
  );
}
