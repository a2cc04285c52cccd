import { expect, test } from 'vitest';
import { mayLink } from '../../src/core/address.ts';

test('an address with a user name or password is not a link, even to an allowed host', () => {
  const hosts = ['acme.atlassian.net', '*.pagerduty.com'];
  expect(mayLink('https://acme.atlassian.net/browse/OPS-1', hosts)).toBe(true);
  for (const address of [
    'https://ana@acme.atlassian.net/browse/OPS-1',
    'https://ana:secret@acme.atlassian.net/browse/OPS-1',
    'https://:secret@acme.atlassian.net/browse/OPS-1',
    'https://acme.pagerduty.com@evil.pagerduty.com/incidents/P1',
  ])
    expect(mayLink(address, hosts), address).toBe(false);
});
