import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start.ts';
import { freePort } from './port.ts';
import { freshDatabase, migratedDatabase } from './postgres.ts';

/** The key with which the bots of all scenarios sign their audit lines. */
export const testAuditKey = 'a-key-for-tests-of-more-than-thirty-two-characters';

type Env = Readonly<Record<string, string>>;

export interface WorkspaceOptions {
  readonly sandbox?: SandboxOptions;
  /** Contents of countersign.yml; the sandbox's own when left out. */
  readonly config?: string;
  readonly env?: Env;
  /** Settings that depend on the workspace or its database, such as another way to reach it. */
  readonly envFor?: (sandbox: Sandbox, databaseUrl: string) => Promise<Env>;
  /** The bot works under a role of its own, and another one owns the tables. */
  readonly ownRole?: boolean;
}

/** The options of a workspace that the bot serves by signed HTTP instead of Socket Mode. */
export async function overHttp(options: WorkspaceOptions): Promise<WorkspaceOptions> {
  const port = await freePort();
  const sandbox = { slackMode: 'http', botUrl: `http://127.0.0.1:${port}` } as const;
  return { ...options, sandbox, env: { ...options.env, PORT: String(port) } };
}

/** A bot's surroundings: local vendors, a database and a folder of its own, and the settings that lead to them. */
interface Surroundings {
  readonly sandbox: Sandbox;
  readonly env: Env;
  cleanUp(): Promise<void>;
}

export async function openSurroundings(options: WorkspaceOptions): Promise<Surroundings> {
  // A role of its own is given what it may do by the owner, at the first start.
  const database = await (options.ownRole === true ? freshDatabase() : migratedDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'countersign-'));
  const sandbox = await startSandbox(options.sandbox);
  const config = join(folder, 'countersign.yml');
  if (options.config !== undefined) await writeFile(config, options.config);
  const env = {
    ...(options.ownRole === true
      ? { DATABASE_URL: await database.asRole(), DATABASE_OWNER_URL: database.url }
      : { DATABASE_URL: database.url }),
    AUDIT_KEY: testAuditKey,
    COUNTERSIGN_CONFIG: options.config === undefined ? 'sandbox/countersign.yml' : config,
    ...options.env,
    ...(await options.envFor?.(sandbox, database.url)),
  };
  return {
    ...{ sandbox, env },
    async cleanUp() {
      await sandbox.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
