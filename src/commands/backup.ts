import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import * as audit from '../audit/chain.ts';
import { readDatabaseEnv } from '../config/env.ts';
import { version } from '../config/version.ts';
import { CountersignError } from '../core/errors.ts';
import { type BackupHeader, backup, checkBackup, unusable } from '../store/backup.ts';
import { openAfter } from '../store/open.ts';
import { restore, stopWhatWasUnderWay } from '../store/restore.ts';
import type { Db } from '../store/tables.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { silent, withDatabase } from './database.ts';

/**
 * `backup <file>` writes everything except the audit key into one compressed file, while the bot keeps running. An
 * existing file is kept, unless `--replace` is given.
 */
export const backupCommand: Command = async (args, { variables, out }) => {
  const { values, positionals } = parseArgs({
    ...{ args: [...args], allowPositionals: true },
    options: { replace: { type: 'boolean', default: false } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError();
  if (existsSync(file) && !values.replace)
    throw new CountersignError('exists', `${file} exists: choose another name, or say --replace.`);
  return withDatabase(variables, async (db) => {
    const rows = await writeFile(file, (write) => backup(db, { version: version(), now: new Date() }, write));
    out(`Rows in ${file}: ${rows}. It holds what people wrote: keep it where only you can read it.`);
    out(
      'The audit key is not in it; without that key nobody can prove the log. Keep a copy of it elsewhere.',
    );
    return 0;
  });
};

/** The file only appears when it is complete. */
async function writeFile(file: string, fill: (write: (line: string) => Promise<void>) => Promise<number>) {
  const part = `${file}.part`;
  const gzip = createGzip();
  const stored = pipeline(gzip, createWriteStream(part, { mode: 0o600 }));
  // Awaited at the end; a full disk shows during a write, and must not end the process before it is reported.
  stored.catch(() => undefined);
  const write = async (line: string): Promise<void> => {
    if (!gzip.write(`${line}\n`)) await Promise.race([new Promise((go) => gzip.once('drain', go)), stored]);
  };
  try {
    const rows = await fill(write);
    gzip.end();
    await stored;
    await rename(part, file);
    return rows;
  } catch (error) {
    gzip.destroy();
    await finished(gzip).catch(() => undefined);
    await rm(part, { force: true });
    throw diskError(error, file);
  }
}

function diskError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC') {
    return new CountersignError(
      'disk_full',
      `The disk is full: ${file} was not written. Make room and try again.`,
    );
  }
  if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR' || code === 'EROFS') {
    return new CountersignError('not_writable', `${file} cannot be written (${code}): choose another place.`);
  }
  return error;
}

/**
 * `restore <file>` loads a backup into a new database and verifies its audit log. Active work is stopped; `--go-on`
 * lets it continue, for a backup made while no bot was running.
 */
export const restoreCommand: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    ...{ args: [...args], allowPositionals: true },
    options: { 'go-on': { type: 'boolean', default: false } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError();
  const header = await checkBackup(linesOf(file));
  const { out, variables } = context;
  const stack = new AsyncDisposableStack();
  try {
    const prepare = async (owner: Db): Promise<void> => {
      const rows = await restore(owner, header, linesOf(file));
      out(`${rows} rows of ${header.at} are restored, from version ${header.version}.`);
    };
    const { db } = await openAfter(readDatabaseEnv(variables), silent, { prepare }, stack);
    const problems = await verified(db, header, context);
    if (!values['go-on']) {
      const stopped = await stopWhatWasUnderWay(db, new Date());
      out(`Stopped: ${stopped.runs} runs and ${stopped.arrivals} arrivals that were under way.`);
    }
    return problems === 0 ? 0 : 1;
  } finally {
    await stack.disposeAsync();
  }
};

/** Whether the audit log is complete and ends where it should. */
async function verified(db: Db, { heads }: BackupHeader, { out }: CommandContext): Promise<number> {
  let problems = 0;
  for (const { team, count, head } of heads) {
    const verdict = await audit.verify(db, team);
    if (!verdict.ok) out(`${team} audit log: broken at line ${verdict.seq}: ${verdict.why}`);
    else if (verdict.count !== count || verdict.head !== head)
      out(`${team} audit log: does not end as it ended`);
    else {
      const unproven = Object.keys(verdict.unproven);
      const but = unproven.length === 0 ? '' : `; not proven without the key ${unproven.join(', ')}`;
      out(`${team} audit log: ok, ${count} lines, head ${head}${but}`);
      continue;
    }
    problems += 1;
  }
  return problems;
}

/** Lines of a compressed file. Throws StoreError `backup_unusable` if it is not one. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  const flow = pipeline(source, unpacked);
  flow.catch(() => undefined);
  try {
    // Without readline, which also splits lines at U+2028, a character people's words may contain.
    let rest = '';
    for await (const chunk of unpacked.setEncoding('utf8')) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    await flow;
    if (rest !== '') yield rest;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE')
      throw unusable('it is not whole, or not compressed');
    throw error;
  } finally {
    source.destroy();
  }
}
