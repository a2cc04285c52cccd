import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { sandboxConfig } from '../../sandbox/config.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { Link } from './link.ts';
import { Member } from './member.ts';
import { CrashingPostgres } from './postgres.ts';

export type Shape = keyof typeof roles;

const roles = {
  split: ['front', 'front', 'executor', 'executor'],
  all: ['all', 'all'],
  pair: ['front', 'executor'],
} as const;

export const auditKey = 'a-key-for-chaos-of-more-than-thirty-two-characters';
const roomy = { plans_per_hour: 10_000, pages_per_hour: 1_000, posts_per_hour: 10_000 };

/** Several processes of the bot on one Postgres, each with cables of its own to everything that it talks to. */
export interface Fleet {
  readonly sandbox: Sandbox;
  readonly postgres: CrashingPostgres;
  readonly members: readonly Member[];
  /** Cables to Postgres follow it to its new port. */
  reconnect(): void;
  close(): Promise<void>;
}

export async function startFleet(shape: Shape): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-chaos-'));
  const config = join(folder, 'countersign.yml');
  const approval = { four_eyes: false, expires_minutes: 1_440 };
  await writeFile(config, stringify({ ...sandboxConfig(), approval, caps: roomy }));
  const sandbox = await startSandbox();
  const postgres = await CrashingPostgres.start(folder);
  const members: Member[] = [];
  for (const [nth, role] of roles[shape].entries()) {
    // To measure, they are connected directly.
    const links = shape === 'pair' ? new Map<string, Link>() : await cables(sandbox, postgres);
    const own = { COUNTERSIGN_CONFIG: config, AUDIT_KEY: auditKey, LOG_LEVEL: 'info' };
    const env = { ...environment(sandbox, postgres, links), ...forRole(role), ...own };
    members.push(new Member({ name: `${role} ${nth + 1}`, env, links }));
  }
  const reconnect = () => {
    for (const { links } of members) {
      const link = links.get('postgres');
      if (link !== undefined) link.target = postgres.port;
    }
  };
  async function close(): Promise<void> {
    await Promise.all(members.map((member) => member.stop()));
    await Promise.all(members.flatMap(({ links }) => [...links.values()].map((link) => link.close())));
    await postgres.stop();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    // The first one migrates; the others would only wait for it.
    for (const member of members) await member.start();
    return { sandbox, postgres, members, reconnect, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Settings that name a server, by what the cable to it is called. */
const servers = {
  slack: 'SLACK_API_URL',
  jira: 'JIRA_HOST',
  'pagerduty-rest': 'PAGERDUTY_API_URL',
  'pagerduty-events': 'PAGERDUTY_EVENTS_HOST',
} as const;

async function cables({ env }: Sandbox, postgres: CrashingPostgres): Promise<Map<string, Link>> {
  const targets = Object.entries(servers).map(([name, setting]): [string, number] => [
    name,
    portOf(env[setting] ?? ''),
  ]);
  const links = [...targets, ['postgres', postgres.port] as const].map(
    async ([name, port]) => [name, await Link.to(port)] as const,
  );
  return new Map(await Promise.all(links));
}

function environment(
  sandbox: Sandbox,
  postgres: CrashingPostgres,
  links: ReadonlyMap<string, Link>,
): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const moved = Object.entries(servers).map(([name, setting]) => {
    const given = sandbox.env[setting] ?? '';
    return [setting, given.replace(`:${portOf(given)}`, `:${links.get(name)?.port ?? portOf(given)}`)];
  });
  const through = (address: string) => {
    const url = new URL(address);
    url.port = String(links.get('postgres')?.port ?? postgres.port);
    return url.href;
  };
  return {
    ...{
      PATH,
      HOME,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(tmpdir(), 'countersign-compile-cache'),
    },
    ...sandbox.env,
    ...Object.fromEntries(moved),
    DATABASE_URL: through(postgres.url),
    DATABASE_OWNER_URL: through(postgres.ownerUrl),
  };
}

function portOf(address: string): number {
  return Number(/:(\d+)/.exec(address)?.[1] ?? 0);
}

/** What a role must not be given is empty, which counts as not set. */
function forRole(role: string): Record<string, string> {
  const keys = ['OPS', 'PAYMENTS_API', 'CHECKOUT'].map((name) => [`PD_ROUTING_KEY_${name}`, '']);
  if (role === 'front') return { COUNTERSIGN_ROLE: role, ...Object.fromEntries(keys) };
  if (role === 'executor') return { COUNTERSIGN_ROLE: role, SLACK_APP_TOKEN: '' };
  return { COUNTERSIGN_ROLE: role };
}
