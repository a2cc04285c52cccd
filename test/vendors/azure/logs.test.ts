import { afterEach, expect, test } from 'vitest';
import { createAzureLogs } from '../../../src/vendors/azure/logs.ts';
import { written } from '../../support/queries.ts';

const asked: string[] = [];
let expiresIn = 3_600;
let table = (): Response => Response.json({ tables: [{ columns: [{ name: 'n' }], rows: [[1]] }] });
afterEach(() => {
  asked.length = 0;
  expiresIn = 3_600;
});

/** Azure's two hosts: a sign-in that issues numbered tokens, and the query API. */
const azure: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  const { authorization = '' } = Object.fromEntries(new Headers(init?.headers));
  asked.push(`${url.host}${url.pathname} ${authorization}`.trim());
  if (url.host !== 'login.example') return table();
  return Response.json({ access_token: `t${asked.length}`, expires_in: expiresIn });
};
const logs = () =>
  createAzureLogs({
    ...{
      tenantId: 'ours',
      clientId: 'app',
      clientSecret: 'hidden-word',
      authorityHost: 'https://login.example',
    },
    ...{
      url: 'https://logs.example/v1',
      workspaces: new Map([['shop', 'w/1']]),
      maxSeconds: 25,
      fetch: azure,
    },
  });
const run = (reader = logs()) => reader.run(written('kql', 'T'), 5, AbortSignal.timeout(10_000));
const signedIn = () => asked.filter((line) => line.startsWith('login')).length;

test('a token is requested once and used until shortly before it expires', async () => {
  const reader = logs();
  expect(await run(reader)).toEqual({ columns: ['n'], rows: [['1']], total: 1, exact: true });
  await run(reader);
  const query = 'logs.example/v1/workspaces/w%2F1/query Bearer t1';
  expect(asked).toEqual(['login.example/ours/oauth2/v2.0/token', query, query]);
  expiresIn = 60;
  const other = logs();
  await run(other);
  await run(other);
  expect(signedIn()).toBe(3);
});

test('a rejected token is not used again', async () => {
  const reader = logs();
  const fine = table;
  table = () => Response.json({ error: { message: 'expired hidden-word' } }, { status: 401 });
  const error: unknown = await run(reader).catch((thrown: unknown) => thrown);
  table = fine;
  expect(error).toMatchObject({ code: 'token_invalid', message: expect.not.stringContaining('hidden-word') });
  await run(reader);
  expect(signedIn()).toBe(2);
});

test('reading an answer that is too large stops early', async () => {
  const fine = table;
  let sent = 0;
  table = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 1;
          controller.enqueue(Buffer.alloc(1_000_000, 'x'));
        },
      }),
    );
  await expect(run()).rejects.toMatchObject({
    code: 'bad_answer',
    message: expect.stringContaining('too long'),
  });
  table = fine;
  expect(sent).toBeLessThan(12);
});

test('an incomplete result is counted as a minimum', async () => {
  const fine = table;
  table = () =>
    Response.json({ tables: [{ columns: [{ name: 'n' }], rows: [[1]] }], error: { code: 'PartialError' } });
  expect(await run()).toMatchObject({ total: 1, exact: false });
  table = fine;
});
