import { ManySlacks } from '../../sandbox/slack/many.ts';
import { type SlackSandbox, startSlack } from '../../sandbox/slack/slack-sandbox.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { world } from '../../sandbox/world.ts';
import { elsewhere } from '../../test/support/elsewhere.ts';
import { freePort } from '../../test/support/port.ts';
import { Door } from './door.ts';

const [clientId, clientSecret] = ['1234.5678', 'sandbox-client-secret'];
const tokenKey = 'a-key-for-tokens-of-more-than-thirty-two-characters';

/** Two workspaces in addition to a sandbox's vendors; they reach all fronts of one bot through one proxy. */
export interface Company {
  readonly slacks: readonly SlackSandbox[];
  /** Settings of every process; `front` returns those of a listening one, with its port. */
  readonly env: Readonly<Record<string, string>>;
  front(): Promise<Readonly<Record<string, string>>>;
  /** Installs the bot in each of them. */
  install(): Promise<void>;
  close(): Promise<void>;
}

export async function startCompany({ faults, journal }: Sandbox): Promise<Company> {
  const door = await Door.open();
  const many = new ManySlacks({ clientId, clientSecret, redirectUrl: `${door.url}/slack/oauth_redirect` });
  await many.listen();
  const open = (of: typeof world) =>
    startSlack({
      ...{ world: of, mode: 'http', requestUrl: `${door.url}/slack/events`, address: many.url },
      ...{ faults, journal, now: () => new Date() },
    });
  const slacks = await Promise.all([open(world), open(elsewhere(world, 1))]);
  for (const slack of slacks) many.add(slack.world.team.id, slack);
  return {
    slacks,
    env: { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '', SLACK_API_URL: `${many.url}/api/`, TOKEN_KEY: tokenKey },
    async front() {
      const port = await freePort();
      door.targets = [...door.targets, port];
      const app = { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret };
      return { ...app, SLACK_SIGNING_SECRET: world.slack.signingSecret, PORT: String(port) };
    },
    async install() {
      for (const { world: of } of slacks) await installIn(of.team.id, door.url);
    },
    async close() {
      await Promise.all([...slacks.map((slack) => slack.close()), many.close(), door.close()]);
    },
  };
}

async function installIn(team: string, url: string): Promise<void> {
  const begun = await fetch(`${url}/slack/install`, { redirect: 'manual' });
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const address = new URL(begun.headers.get('location') ?? '');
  address.searchParams.set('team', team);
  const agreed = await fetch(address, { redirect: 'manual' });
  const page = await fetch(agreed.headers.get('location') ?? '', { headers: { cookie } });
  const said = await page.text();
  if (!said.includes('is installed')) throw new Error(`the bot was not installed in ${team}: ${said}`);
}
