import { setTimeout as pause } from 'node:timers/promises';
import { type AuditKeys, auditKeys } from '../audit/key.ts';
import { auditKeyFile, makeAuditKey, readAuditKey } from '../audit/key-file.ts';
import type { Log } from '../core/log.ts';
import { mayComeUp } from './connection-errors.ts';
import { connect, type DatabaseOptions, openDatabase } from './database.ts';
import { mayRewriteAudit } from './database-roles.ts';
import { startEmbeddedPostgres } from './embedded/supervisor.ts';
import { refusePooler } from './pooler.ts';
import type { Db } from './tables.ts';

/** The settings that say where the database and the audit key are. */
interface DatabaseEnv {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_OWNER_URL?: string | undefined;
  readonly DATA_DIR?: string | undefined;
  readonly AUDIT_KEY?: string | undefined;
}

export interface Opened {
  readonly db: Db;
  /** The bot's connection string. */
  readonly url: string;
}

/** This installation's folder outside the database, for the audit key and the recorded end of the log; or null. */
export function stateFolder({ DATABASE_URL, DATA_DIR }: KeyEnv): string | null {
  return DATA_DIR ?? (DATABASE_URL === undefined ? 'data' : null);
}

type PoolOptions = Pick<DatabaseOptions, 'max' | 'log' | 'onStatement' | 'feeds'>;

/** Opens the database, or starts the embedded one, and migrates the tables. `stack` closes it. */
export async function openStore(
  env: DatabaseEnv,
  options: PoolOptions,
  stack: AsyncDisposableStack,
): Promise<Opened> {
  return openAt(await addresses(env, options.log, stack), env, options, stack);
}

/** Milliseconds between attempts at a database that is away. */
const retryMs = 1_000;

interface Waiting {
  /** Milliseconds for which a database that is away is waited for. */
  readonly waitMs: number;
  /** Called before each new attempt. */
  away(why: string): void;
}

/** Like `openStore`, but tries again for a while where the database is away. */
export async function awaitStore(
  env: DatabaseEnv,
  { waitMs, away, ...options }: Parameters<typeof openStore>[1] & Waiting,
  stack: AsyncDisposableStack,
): Promise<Opened> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await openStore(env, options, stack);
    } catch (error) {
      const leftMs = until - performance.now();
      if (!mayComeUp(error) || leftMs <= 0) throw error;
      const { message } = error;
      away(message);
      options.log.warn({ message, seconds: Math.ceil(leftMs / 1_000) }, 'Waiting for the database');
      await pause(Math.min(retryMs, leftMs));
    }
  }
}

/** Like `openStore`, but first passes `prepare` the owner's connection to a database that may have no tables. */
export async function openAfter(
  env: DatabaseEnv,
  log: Log,
  { prepare }: { readonly prepare: (owner: Db) => Promise<void> },
  stack: AsyncDisposableStack,
): Promise<Opened> {
  const at = await addresses(env, log, stack);
  const owner = await connect({ url: at.ownerUrl ?? at.url, max: 2, log }, await auditKeysOf(env, log));
  try {
    await prepare(owner);
  } finally {
    await owner.destroy();
  }
  return openAt(at, env, { max: 2, log }, stack);
}

interface Addresses {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

async function openAt(
  { url, ownerUrl }: Addresses,
  env: DatabaseEnv,
  options: PoolOptions,
  stack: AsyncDisposableStack,
): Promise<Opened> {
  const auditKeys = await auditKeysOf(env, options.log);
  const db = await openDatabase({ ...options, url, auditKeys, ownerUrl });
  stack.defer(() => db.destroy());
  return { db, url };
}

/** Warns once if the bot's own password would allow rewriting the log. */
export async function warnOfRewriting(db: Db, log: Log): Promise<void> {
  if (await mayRewriteAudit(db)) log.warn({}, rewritable);
}

export const rewritable =
  'The bot’s database role can rewrite the audit log; give it a role of its own (docs/audit.md)';

async function addresses(env: DatabaseEnv, log: Log, stack: AsyncDisposableStack): Promise<Addresses> {
  const { DATABASE_URL: own, DATABASE_OWNER_URL: owner } = env;
  if (own !== undefined) {
    await Promise.all([own, owner ?? []].flat().map(refusePooler));
    return { url: own, ownerUrl: owner };
  }
  const { url, ownerUrl, stop } = await startEmbeddedPostgres({ dataDir: stateFolder(env) ?? '', log });
  stack.defer(stop);
  return { url, ownerUrl };
}

type KeyEnv = Pick<DatabaseEnv, 'AUDIT_KEY' | 'DATABASE_URL' | 'DATA_DIR'>;

/** AUDIT_KEY first; the key from the file still verifies older lines. */
export async function readAuditKeys(env: KeyEnv): Promise<AuditKeys> {
  const given = (env.AUDIT_KEY ?? '').split(',').filter((key) => key !== '');
  const folder = stateFolder(env);
  const known = folder === null ? null : await readAuditKey(folder);
  return auditKeys(known === null ? given : [...given, known]);
}

async function auditKeysOf(env: DatabaseEnv, log: Log): Promise<AuditKeys> {
  const keys = await readAuditKeys(env);
  const folder = stateFolder(env);
  if (keys.current !== null || folder === null) return keys;
  const made = await makeAuditKey(folder);
  log.info({ file: auditKeyFile(folder) }, 'a key for the audit log was made; keep a copy of it elsewhere');
  return auditKeys([made]);
}
