import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { sandboxConfig } from '../../sandbox/config.ts';
import type { SlackSandbox } from '../../sandbox/slack/slack-sandbox.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { elsewhere } from '../../test/support/elsewhere.ts';
import { freePort } from '../../test/support/port.ts';
import { startCompany } from './company.ts';
import { Link } from './link.ts';
import { Member } from './member.ts';
import { CrashingPostgres } from './postgres.ts';

/** Measured ones are connected directly, but for a database that is far away; replicas receive from Slack as behind a load balancer: over signed HTTP. */
const shapes = {
  split: { roles: ['front', 'front', 'executor', 'executor'], links: 'every', slackMode: 'socket' },
  one: { roles: ['all'], links: 'every', slackMode: 'socket' },
  all: { roles: ['all', 'all'], links: 'every', slackMode: 'socket' },
  pair: { roles: ['front', 'executor'], links: 'none', slackMode: 'socket' },
  replicas: { roles: ['all', 'all'], links: 'none', slackMode: 'http' },
  far: { roles: ['all'], links: 'postgres', slackMode: 'http' },
  farReplicas: { roles: ['all', 'all', 'all'], links: 'postgres', slackMode: 'http' },
} as const;

export type Shape = keyof typeof shapes;

export const auditKey = 'a-key-for-chaos-of-more-than-thirty-two-characters';
const roomy = {
  questions_per_hour: 10_000,
  plans_per_hour: 10_000,
  pages_per_hour: 1_000,
  posts_per_hour: 10_000,
};

/** Several bot processes on one Postgres, each with its own connections to every server. */
export interface Fleet {
  readonly sandbox: Sandbox;
  /** The served workspaces. */
  readonly slacks: readonly SlackSandbox[];
  readonly postgres: CrashingPostgres;
  readonly members: readonly Member[];
  /** Points the connections to Postgres at its new port. */
  reconnect(): void;
  close(): Promise<void>;
}

/**
 * `several`: two workspaces, installed with OAuth, instead of one by its token. `delayMs`: the way to Postgres, and back.
 */
export async function startFleet(shape: Shape, { several = false, delayMs = 0 } = {}): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-chaos-'));
  const config = join(folder, 'countersign.yml');
  const approval = { four_eyes: false, expires_minutes: 1_440 };
  const settings = { ...sandboxConfig(), approval, caps: roomy };
  await writeFile(
    config,
    stringify(several ? { ...settings, workspaces: workspacesOf(settings) } : settings),
  );
  const { NODE_COMPILE_CACHE = join(folder, 'compile-cache') } = process.env;
  const { roles, links: linked, slackMode } = shapes[shape];
  const sandbox = await startSandbox({ slackMode });
  const company = several ? await startCompany(sandbox) : null;
  const given = { ...sandbox.env, ...company?.env };
  const postgres = await CrashingPostgres.start(folder);
  const members: Member[] = [];
  for (const [nth, role] of roles.entries()) {
    const links = await cables(linked, given, { postgres, delayMs });
    const port = slackMode === 'http' ? { PORT: String(await freePort()) } : {};
    const door = role === 'executor' ? {} : { ...port, ...(await company?.front()) };
    const own = { COUNTERSIGN_CONFIG: config, AUDIT_KEY: auditKey, LOG_LEVEL: 'info', NODE_COMPILE_CACHE };
    const env = { ...environment(given, postgres), ...door, ...forRole(role), ...own };
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
    await company?.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    // The first one migrates; the others would only wait for it.
    for (const member of members) await member.start();
    await company?.install();
    return { sandbox, slacks: company?.slacks ?? [sandbox.slack], postgres, members, reconnect, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The sections that belong to each workspace, with its own ids. */
function workspacesOf(settings: object): object {
  const own = ['channels', 'people', 'operators', 'rules'];
  const sections = Object.fromEntries(Object.entries(settings).filter(([name]) => own.includes(name)));
  return { T0SANDBOX: sections, T1SANDBOX: elsewhere(sections, 1) };
}

/** Settings with a server's address, by the name of its link. */
const servers = {
  slack: 'SLACK_API_URL',
  jira: 'JIRA_HOST',
  'pagerduty-rest': 'PAGERDUTY_API_URL',
  'pagerduty-events': 'PAGERDUTY_EVENTS_HOST',
} as const;

type Settings = Readonly<Record<string, string>>;

async function cables(
  linked: 'every' | 'postgres' | 'none',
  env: Settings,
  { postgres, delayMs }: { postgres: CrashingPostgres; delayMs: number },
): Promise<Map<string, Link>> {
  const vendors = Object.entries(servers).map(
    ([name, setting]) => [name, portOf(env[setting] ?? '')] as const,
  );
  const targets = [...(linked === 'every' ? vendors : []), ['postgres', postgres.port] as const];
  if (linked === 'none') return new Map();
  const links = await Promise.all(targets.map(async ([name, port]) => [name, await Link.to(port)] as const));
  for (const [name, link] of links) if (name === 'postgres') link.delayMs = delayMs;
  return new Map(links);
}

function environment(env: Settings, { url, ownerUrl }: CrashingPostgres): Settings {
  const { PATH = '', HOME = '' } = process.env;
  return {
    ...{ PATH, HOME, NODE_ENV: 'production' },
    ...env,
    ...{ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl },
  };
}

function portOf(address: string): number {
  return Number(/:(\d+)/.exec(address)?.[1] ?? 0);
}

/** Settings that a role must not have are empty, which counts as not set. */
function forRole(role: string): Record<string, string> {
  const keys = ['OPS', 'PAYMENTS_API', 'CHECKOUT'].map((name) => [`PD_ROUTING_KEY_${name}`, '']);
  const actions = { DEPLOYS_URL: '', DEPLOYS_TOKEN: '' };
  if (role === 'front') return { COUNTERSIGN_ROLE: role, ...Object.fromEntries(keys), ...actions };
  if (role === 'executor') return { COUNTERSIGN_ROLE: role, SLACK_APP_TOKEN: '' };
  return { COUNTERSIGN_ROLE: role };
}
