/** Why: a database that comes up after the bot is waited for, within a limit, and the log says so. */
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnBot } from '../../support/bot.ts';
import { freePort } from '../../support/port.ts';
import { finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let gate: Server | undefined;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(async () => {
  gate?.close();
  await finish(workspace);
});

/** The same database at an address where nothing listens yet. */
async function elsewhere(port: number): Promise<Record<string, string>> {
  const url = new URL(workspace.env.DATABASE_URL ?? '');
  url.port = String(port);
  return { ...workspace.sandbox.env, ...workspace.env, DATABASE_URL: url.href };
}

test('the bot waits for its database, says so, and starts when it is there', async () => {
  const port = await freePort();
  const bot = spawnBot(await elsewhere(port));
  await workspace.until(() => bot.log().includes('Waiting for the database'), 'a word about it');
  expect(bot.log()).toMatch(/"message":"The database at \S+ cannot be reached \(ECONNREFUSED\)/);
  const real = new URL(workspace.env.DATABASE_URL ?? '');
  gate = createServer((socket) => {
    const way = connect(Number(real.port), real.hostname);
    socket.pipe(way).pipe(socket);
    for (const side of [socket, way]) side.on('error', () => socket.destroy());
  });
  await once(gate.listen(port, '127.0.0.1'), 'listening');
  await workspace.until(() => bot.log().includes('Countersign is ready'), 'the start', 30_000);
  expect(await bot.stop()).toBe(0);
});

test('it ends after --wait, and at once where waiting cannot help', async () => {
  const away = spawnBot(await elsewhere(await freePort()), ['--wait', '0']);
  expect(await away.ended).toBe(1);
  expect(away.log()).toMatch(/^The database at \S+ cannot be reached \(ECONNREFUSED\); check DATABASE_URL/m);
  const url = new URL(workspace.env.DATABASE_URL ?? '');
  url.pathname = '/not_there';
  const wrong = spawnBot({ ...workspace.sandbox.env, ...workspace.env, DATABASE_URL: url.href });
  expect(await wrong.ended).toBe(1);
  expect(wrong.log()).not.toContain('Waiting');
  const bad = spawnBot({ ...workspace.sandbox.env, ...workspace.env }, ['--wait', 'long']);
  expect(await bad.ended).toBe(78);
  expect(bad.log()).toContain('--wait must be a number of seconds from 0 to');
});
