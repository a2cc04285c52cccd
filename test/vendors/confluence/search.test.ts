import { afterEach, expect, test } from 'vitest';
import { createConfluence } from '../../../src/vendors/confluence/search.ts';
import { mockHost } from '../../support/http-mock.ts';

const open: ReturnType<typeof mockHost>[] = [];
const signal = () => AbortSignal.timeout(5_000);
const now = () => new Date('2026-03-10T12:00:00Z');

afterEach(() => {
  for (const mock of open.splice(0)) mock.done();
});

function wiki(answer: unknown, status = 200, headers: Record<string, string> = {}) {
  const mock = mockHost('https://acme.atlassian.net');
  open.push(mock);
  mock.expect({ method: 'GET', path: /^\/wiki\/rest\/api\/search\?/, status, answer, headers });
  const source = createConfluence({
    host: 'https://acme.atlassian.net/wiki',
    email: 'bot@acme.example',
    apiToken: 'secret',
    spaces: ['OPS', '~ana'],
    fetch,
    now,
  });
  return { mock, source };
}

test('search words are sent as data, and only addresses on the configured host are returned', async () => {
  const { mock, source } = wiki({
    totalSize: 7,
    results: [
      {
        title: 'Checkout @@@hl@@@latency@@@endhl@@@',
        excerpt: 'Roll\u202e back',
        url: '/spaces/OPS/pages/1/Checkout',
        lastModified: '2026-03-01T10:00:00.000Z',
        resultGlobalContainer: { title: 'Operations' },
      },
      { title: 'Elsewhere', url: 'https://evil.example/x' },
      { title: 'Also elsewhere', url: '//evil.example/x' },
    ],
  });
  const words = 'checkout" OR space = "HR" ) latency*';
  const { total, hits } = await source.search({ words, service: 'checkout', code: null }, 5, signal());
  expect(total).toBe(7);
  expect(hits[0]).toEqual({
    title: 'Checkout latency',
    section: '',
    place: 'Operations',
    address: 'https://acme.atlassian.net/wiki/spaces/OPS/pages/1/Checkout',
    changed: '2026-03-01T10:00:00.000Z',
    excerpt: 'Roll back',
  });
  expect(hits.slice(1).map(({ address }) => address)).toEqual(['', '']);
  const asked = new URL(mock.requests[0]?.path ?? '', 'https://x.example').searchParams;
  expect(asked.get('cql')).toBe(
    'type = page AND space in ("OPS", "~ana") AND siteSearch ~ "checkout OR space HR latency" AND siteSearch ~ "checkout"',
  );
  expect(asked.get('limit')).toBe('5');
});

test('an error says what to check without the token, and a malformed answer is not an empty one', async () => {
  const query = { words: 'x', service: null, code: null };
  const refused = wiki({ message: 'Could not parse cql, secret' }, 400);
  await expect(refused.source.search(query, 5, signal())).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('Could not parse cql, [secret]'),
  });
  refused.mock.done();
  const forbidden = wiki({}, 403);
  await expect(forbidden.source.search(query, 5, signal())).rejects.toMatchObject({ code: 'forbidden' });
  forbidden.mock.done();
  const odd = wiki({ results: 'none' });
  await expect(odd.source.search(query, 5, signal())).rejects.toMatchObject({ code: 'bad_answer' });
});

test('a redirect is not followed, so the token stays on the configured host', async () => {
  const { source } = wiki({}, 302, { location: 'https://evil.example/wiki' });
  await expect(source.search({ words: 'x', service: null, code: null }, 5, signal())).rejects.toMatchObject({
    code: 'redirected',
  });
});
