import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { claimPort } from '../../sandbox/listen.ts';
import { freePort } from '../support/port.ts';

test('demos that start together get a port each, with one beside it, and keep them', async () => {
  const first = await freePort();
  const other = createServer().listen(first + 101, '127.0.0.1');
  const claims = await Promise.all([claimPort(first, 100), claimPort(first, 100), claimPort(first, 100)]);
  const ports = claims.map(({ port }) => port);
  expect(new Set(ports).size).toBe(3);
  // The port that its neighbour would need is taken.
  expect(ports).not.toContain(first + 1);
  const [one] = claims;
  if (one === undefined) throw new Error('there is none');
  expect((await fetch(`http://127.0.0.1:${one.port}/`)).status).toBe(503);
  one.serve({ fetch: () => new Response('ready') });
  expect(await (await fetch(`http://127.0.0.1:${one.port}/`)).text()).toBe('ready');
  await Promise.all(claims.map((claim) => claim.close()));
  other.close();
});
