import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { disownPid, isServerAlive } from '../../../src/store/embedded/postmaster.ts';
import {
  cleanUpAfterEach,
  killHard,
  lockFile,
  postmasterPid,
  query,
  start,
  startFromOtherProcess,
  temporaryFolder,
} from '../../support/embedded.ts';

cleanUpAfterEach();

test('a first start makes a private, durable server on loopback that keeps its data across a stop', async () => {
  const dataDir = path.join(await temporaryFolder(), 'made', 'on', 'demand');
  const server = await start(dataDir);
  expect(server.adopted).toBe(false);
  const url = new URL(server.url);
  expect([url.hostname, url.pathname]).toEqual(['127.0.0.1', '/countersign']);
  const settings = await query(
    server.ownerUrl,
    `select name, setting from pg_settings where name in
     ('listen_addresses', 'fsync', 'synchronous_commit', 'full_page_writes', 'unix_socket_directories', 'TimeZone')`,
  );
  expect(Object.fromEntries(settings.map((row) => [row.name, row.setting]))).toEqual({
    listen_addresses: '127.0.0.1',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    unix_socket_directories: '',
    TimeZone: 'UTC',
  });
  const home = path.dirname(path.dirname(await lockFile(dataDir)));
  expect((await stat(path.join(home, 'password'))).mode & 0o777).toBe(0o600);
  expect((await stat(path.join(home, 'data'))).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(home, 'bot-password'))).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(['bot-password', 'data', 'password']);

  url.password = 'guess';
  await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  url.password = '';
  await expect(query(url.href, 'select 1')).rejects.toThrow();

  await query(server.ownerUrl, 'create table kept as select 42 as answer');
  const pid = await postmasterPid(dataDir);
  await Promise.all([server.stop(), server.stop()]);
  expect(await isServerAlive(pid)).toBe(false);
  await expect(query(server.ownerUrl, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  const again = await start(dataDir);
  expect(again.adopted).toBe(false);
  expect(await query(again.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect((await readdir(dataDir)).filter((name) => name.includes('new'))).toEqual([]);
});

test('after kill -9 of the bot the next one adopts the running server and stops it at the end', async () => {
  const dataDir = await temporaryFolder();
  const owner = await startFromOtherProcess(dataDir);
  await query(owner.ownerUrl, 'create table kept as select 1 as answer');
  const pid = await postmasterPid(dataDir);
  await killHard(owner.child);
  expect(await isServerAlive(pid)).toBe(true);

  const heir = await start(dataDir);
  expect(heir).toMatchObject({ adopted: true, url: owner.url });
  expect(await postmasterPid(dataDir)).toBe(pid);
  expect(await query(heir.ownerUrl, 'select answer from kept')).toEqual([{ answer: 1 }]);
  await heir.stop();
  expect(await isServerAlive(pid)).toBe(false);
});

test('after kill -9 of the bot and its server the next start recovers the committed data', async () => {
  const dataDir = await temporaryFolder();
  const owner = await startFromOtherProcess(dataDir);
  await query(owner.ownerUrl, 'create table kept as select generate_series(1, 1000) as number');
  const pid = await postmasterPid(dataDir);
  process.kill(pid, 'SIGKILL');
  await killHard(owner.child);
  const next = await start(dataDir);
  expect(next.adopted).toBe(false);
  expect(await postmasterPid(dataDir)).not.toBe(pid);
  expect(await query(next.ownerUrl, 'select count(*)::int as count from kept')).toEqual([{ count: 1000 }]);
});

test('a stale lock file from before a reboot does not block a start, even if its pid was reused', async () => {
  const dataDir = await temporaryFolder();
  const first = await start(dataDir);
  await query(first.ownerUrl, 'create table kept as select 1 as answer');
  const lock = await readFile(await lockFile(dataDir), 'utf8');
  await first.stop();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(other, 'spawn');
  // 2^22 is the largest pid that Linux hands out, so the first of these does not exist.
  for (const pid of [4_194_305, other.pid, process.pid, process.ppid]) {
    await writeFile(await lockFile(dataDir), lock.replace(/^\d+/, String(pid)));
    const next = await start(dataDir);
    expect(next.adopted).toBe(false);
    expect(await query(next.ownerUrl, 'select answer from kept')).toEqual([{ answer: 1 }]);
    await next.stop();
  }
  expect(other.exitCode).toBeNull();
  await killHard(other);

  // The machine crashed at the moment the lock file was made.
  await writeFile(await lockFile(dataDir), '');
  await utimes(await lockFile(dataDir), new Date(0), new Date(0));
  const last = await start(dataDir);
  expect(await query(last.ownerUrl, 'select answer from kept')).toEqual([{ answer: 1 }]);
  await last.stop();

  // A rival may be about to write into a new lock file, so the start waits, and removes it a second later.
  await writeFile(await lockFile(dataDir), '');
  const fourSecondsAgo = new Date(Date.now() - 4_000);
  await utimes(await lockFile(dataDir), fourSecondsAgo, fourSecondsAgo);
  const patient = await start(dataDir);
  expect(await query(patient.ownerUrl, 'select answer from kept')).toEqual([{ answer: 1 }]);
});

test('bots that start at once on one empty folder share one server, and the last of them stops it', async () => {
  const dataDir = await temporaryFolder();
  const [one, two, three] = await Promise.all([
    start(dataDir),
    start(dataDir),
    startFromOtherProcess(dataDir),
  ]);
  expect(new Set([one.url, two.url, three.url]).size).toBe(1);
  expect([one, two, three].filter((bot) => !bot.adopted).length).toBeLessThanOrEqual(1);
  const pid = await postmasterPid(dataDir);

  await one.stop();
  expect(await query(two.ownerUrl, 'select 1 as up')).toEqual([{ up: 1 }]);
  // A killed bot no longer counts as a user of the server.
  await killHard(three.child);
  await expect
    .poll(
      async () =>
        (
          await query(
            two.ownerUrl,
            "select 1 from pg_stat_activity where application_name = 'countersign-guard'",
          )
        ).length,
    )
    .toBe(1);
  await two.stop();
  expect(await isServerAlive(pid)).toBe(false);

  const [late, later] = await Promise.all([start(dataDir), start(dataDir)]);
  await Promise.all([late.stop(), later.stop()]);
  await expect(query(late.ownerUrl, 'select 1')).rejects.toThrow();
});

test('a bot that starts while the last one stops gets a working server', async () => {
  const dataDir = await temporaryFolder();
  let current = await start(dataDir);
  for (let round = 0; round < 5; round += 1) {
    const [next] = await Promise.all([start(dataDir), current.stop()]);
    expect(await query(next.ownerUrl, 'select 1 as up')).toEqual([{ up: 1 }]);
    current = next;
  }
});

test.runIf(process.platform === 'linux')(
  "the server inherits no token from the bot's environment",
  async () => {
    const dataDir = await temporaryFolder();
    const owner = await startFromOtherProcess(dataDir, { SLACK_BOT_TOKEN: 'xoxb-not-for-postgres' });
    const environment = await readFile(`/proc/${await postmasterPid(dataDir)}/environ`, 'utf8');
    expect(environment).toContain('LC_ALL=C');
    expect(environment).not.toContain('xoxb-not-for-postgres');
    await killHard(owner.child);
    await start(dataDir);
  },
);

test('a lock file just removed by its server is not recreated, as Postgres refuses to start beside an empty one', async () => {
  const folder = await temporaryFolder();
  await disownPid(folder);
  expect(await readdir(folder)).toEqual([]);
});
