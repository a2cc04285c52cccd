import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canEnter } from '../../../src/store/embedded/account.ts';
import { findBinaries, readableBinaries, restoreLinks } from '../../../src/store/embedded/binaries.ts';
import { runPostgres } from '../../../src/store/embedded/command.ts';
import { ensureRoom } from '../../../src/store/embedded/writable.ts';
import { cleanUpAfterEach, query, start, temporaryFolder } from '../../support/embedded.ts';

cleanUpAfterEach();

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

test('an unusable data folder is refused with one line that names it', async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  for (const dataDir of [file, path.join(file, 'below')]) {
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'data_dir_not_writable',
      message: expect.stringMatching(/^The data folder .*file.* is not writable \(E\w+\); set DATA_DIR/),
    });
  }
});

test.runIf(process.platform === 'linux')('a data folder that cannot be created is refused', async () => {
  for (const dataDir of ['/proc/countersign', '/proc/a/b', '/proc', '/sys/countersign']) {
    await expect(start(dataDir)).rejects.toMatchObject({
      message: expect.stringMatching(/^The[^\n]* DATA_DIR/),
    });
  }
});

test.skipIf(isRoot)('a data folder without write permission is refused', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o500);
  await expect(start(folder)).rejects.toMatchObject({ code: 'data_dir_not_writable' });
  await chmod(folder, 0o700);
});

test('too little disk space is reported before anything is written', async () => {
  const folder = await temporaryFolder();
  await expect(ensureRoom(folder, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    code: 'disk_full',
    facts: { folder },
  });
  await expect(ensureRoom(folder, 1)).resolves.toBeUndefined();
});

test('data of another major version, damaged data and a dangling link are refused and left alone', async () => {
  const dataDir = await temporaryFolder();
  const server = await start(dataDir);
  await server.stop();
  const version = path.join(dataDir, 'postgres', 'data', 'PG_VERSION');
  await writeFile(version, '15\n');
  await expect(start(dataDir)).rejects.toMatchObject({
    code: 'version_mismatch',
    message: expect.stringContaining('written by Postgres 15'),
  });
  expect(await readFile(version, 'utf8')).toBe('15\n');
  await writeFile(version, '18\n');

  const control = path.join(dataDir, 'postgres', 'data', 'global', 'pg_control');
  const saved = await readFile(control);
  await rm(control);
  await expect(start(dataDir)).rejects.toMatchObject({
    code: 'server_failed',
    message: expect.stringMatching(/^The embedded Postgres did not start: .*/),
  });
  await writeFile(control, saved);
  if (isRoot) await chown(control, NOBODY.uid, NOBODY.gid);

  const password = path.join(dataDir, 'postgres', 'password');
  const secret = await readFile(password, 'utf8');
  await rm(password);
  await expect(start(dataDir)).rejects.toMatchObject({ code: 'data_dir_damaged' });
  await writeFile(password, secret, { mode: 0o600 });
  const back = await start(dataDir);
  expect(await query(back.ownerUrl, 'select 1 as up')).toEqual([{ up: 1 }]);

  const dangling = await temporaryFolder();
  await symlink(path.join(dangling, 'gone'), path.join(dangling, 'postgres'));
  await expect(start(dangling)).rejects.toMatchObject({
    code: 'data_dir_damaged',
    message: expect.stringContaining('move it away to start empty'),
  });
  expect(await readdir(dangling)).toEqual(['postgres']);
});

test('a server that rejects our password is called foreign, without the password in the error', async () => {
  const dataDir = await temporaryFolder();
  await start(dataDir);
  const file = path.join(dataDir, 'postgres', 'password');
  const secret = await readFile(file, 'utf8');
  await writeFile(file, 'another-password\n');
  const error = await start(dataDir).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'server_foreign' });
  expect(JSON.stringify(error)).not.toContain('another-password');
  await writeFile(file, secret);
});

test('a machine without usable binaries is told to bring its own Postgres', async () => {
  await expect(findBinaries('plan9', 'mips')).rejects.toMatchObject({
    code: 'unsupported_platform',
    message: expect.stringContaining('set DATABASE_URL'),
  });
  const folder = await temporaryFolder();
  // The report of a system without the binaries' C library: the program exists, its loader does not.
  const foreign = path.join(folder, 'initdb');
  await writeFile(foreign, '#!/no/such/loader\n', { mode: 0o755 });
  await expect(runPostgres(foreign, [], { account: null, cwd: folder })).rejects.toMatchObject({
    code: 'unsupported_platform',
    message: expect.stringContaining('set DATABASE_URL'),
  });
});

test('missing library links from an install without scripts are made, and existing ones are kept', async () => {
  const root = path.join(await temporaryFolder(), 'native');
  await mkdir(path.join(root, 'lib'), { recursive: true });
  await writeFile(path.join(root, 'lib', 'libpq.so.5.18'), 'library');
  await writeFile(path.join(root, 'lib', 'libpq.so'), 'already here');
  const links = ['libpq.so.5', 'libpq.so'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }));
  await writeFile(path.join(root, 'pg-symlinks.json'), JSON.stringify(links));
  await Promise.all([restoreLinks(root), restoreLinks(root)]);
  expect(await readlink(path.join(root, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readFile(path.join(root, 'lib', 'libpq.so'), 'utf8')).toBe('already here');
  await rm(path.join(root, 'pg-symlinks.json'));
  await expect(restoreLinks(root)).resolves.toBeUndefined();
});

test.runIf(isRoot)(
  'root with a root-only DATA_DIR keeps the data outside, behind a link, and finds it again',
  async () => {
    const closed = await temporaryFolder();
    const outside = path.join(await temporaryFolder(), 'outside');
    await chmod(path.dirname(outside), 0o755);
    await chmod(closed, 0o700);
    const dataDir = path.join(closed, 'bot', 'data');
    const warnings: string[] = [];
    const log = { info() {}, error() {}, warn: (_facts: unknown, message: string) => warnings.push(message) };
    const server = await start(dataDir, { outside, log });
    await query(server.ownerUrl, 'create table kept as select 1 as answer');
    await server.stop();
    const link = path.join(dataDir, 'postgres');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await realpath(link)).startsWith(await realpath(outside))).toBe(true);
    expect(warnings).toEqual(['the database is kept outside of DATA_DIR']);
    const again = await start(dataDir, { outside });
    expect(await query(again.ownerUrl, 'select answer from kept')).toEqual([{ answer: 1 }]);

    // A link does not hide where the folder really is.
    const linked = path.join(await temporaryFolder(), 'linked');
    await symlink(closed, linked);
    expect(await canEnter(linked, NOBODY)).toBe(false);

    // With no place outside either, the start fails and says so.
    const nowhere = path.join(closed, 'outside');
    await expect(start(path.join(closed, 'second'), { outside: nowhere })).rejects.toMatchObject({
      code: 'data_dir_unreachable',
    });
  },
);

test.runIf(isRoot)(
  'binaries that the other account cannot read are copied once, and the copy runs',
  async () => {
    const hidden = await temporaryFolder();
    const found = await findBinaries();
    const root = path.join(hidden, 'native');
    await cp(found.root, root, { recursive: true, verbatimSymlinks: true });
    await chmod(hidden, 0o700);
    const base = await temporaryFolder();
    await chmod(base, 0o755);
    expect(await canEnter(root, NOBODY)).toBe(false);

    const binaries = { ...found, root };
    const [one, two] = await Promise.all([
      readableBinaries(binaries, NOBODY, base),
      readableBinaries(binaries, NOBODY, base),
    ]);
    expect(one).toEqual(two);
    expect(await readdir(base)).toEqual([`binaries-${found.version}`]);
    const version = await runPostgres(path.join(one.root, 'bin', 'postgres'), ['--version'], {
      account: NOBODY,
      cwd: base,
    });
    expect(version).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(`PostgreSQL) ${found.major}`),
    });

    // An install with umask 077: the folders are open to others, the files are not readable.
    await chmod(hidden, 0o755);
    await chmod(path.join(root, 'bin', 'initdb'), 0o700);
    expect((await readableBinaries(binaries, NOBODY, base)).root).toBe(one.root);
    expect(await readableBinaries(binaries, null, base)).toBe(binaries);
  },
);
