import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { sandboxConfig } from '../../sandbox/config.ts';
import { Faults } from '../../sandbox/faults.ts';
import { ManySlacks } from '../../sandbox/slack/many.ts';
import { type SlackSandbox, startSlack } from '../../sandbox/slack/slack-sandbox.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { type World, world } from '../../sandbox/world.ts';
import { type Bot, eventually, startHere } from './bot.ts';
import { elsewhere } from './elsewhere.ts';
import { freePort } from './port.ts';
import { migratedDatabase } from './postgres.ts';
import { rowsOf } from './rows.ts';
import { testAuditKey } from './surroundings.ts';
import { type Message, wordsOf } from './workspace.ts';

export const tokenKey = 'a-key-for-tokens-of-more-than-thirty-two-characters';
const [clientId, clientSecret] = ['1234.5678', 'sandbox-client-secret'];

const own = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(sandboxConfig()).filter(([name]) => names.includes(name)));
const slackOnly = own(['channels', 'people', 'operators', 'rules', 'approval']);

const schedules = [{ name: 'nightly', cron: '0 3 * * *', goal: 'count P1 tickets in OPS', channel: 'ops' }];

/**
 * One bot with OAuth, two workspaces in which it can be installed, T0SANDBOX and T1SANDBOX, and a third, T2SANDBOX, that
 * its countersign.yml does not name: only the company of it, E2SANDBOX.
 */
export class Company {
  readonly slack: ManySlacks;
  readonly south: SlackSandbox;
  readonly north: SlackSandbox;
  /** The one workspace of a whole company. */
  readonly company: SlackSandbox;
  /** Faults in the Slack of the south alone. */
  readonly southFaults: Faults;
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  bot: Bot;
  readonly #cleanUp: () => Promise<void>;

  private constructor(
    parts: Pick<
      Company,
      'slack' | 'south' | 'north' | 'company' | 'southFaults' | 'sandbox' | 'env' | 'url' | 'bot'
    >,
    cleanUp: () => Promise<void>,
  ) {
    [this.slack, this.south, this.north] = [parts.slack, parts.south, parts.north];
    [this.company, this.sandbox, this.southFaults] = [parts.company, parts.sandbox, parts.southFaults];
    [this.env, this.url, this.bot] = [parts.env, parts.url, parts.bot];
    this.#cleanUp = cleanUp;
  }

  static async start(): Promise<Company> {
    const [port, opsPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const [database, folder, sandbox] = await Promise.all([
      migratedDatabase(),
      mkdtemp(join(tmpdir(), 'countersign-')),
      startSandbox({ slackMode: 'http', botUrl: url }),
    ]);
    const slack = new ManySlacks({ clientId, clientSecret, redirectUrl: `${url}/slack/oauth_redirect` });
    await slack.listen();
    const southFaults = new Faults();
    const open = (of: World, faults: Faults): Promise<SlackSandbox> =>
      startSlack({
        ...{ world: of, mode: 'http', requestUrl: `${url}/slack/events`, address: slack.url },
        ...{ faults, journal: sandbox.journal, now: () => new Date() },
      });
    const [south, north, company] = await Promise.all([
      open(world, southFaults),
      open(elsewhere(world, 1), sandbox.faults),
      open(elsewhere(world, 2), sandbox.faults),
    ]);
    for (const one of [south, north, company]) slack.add(one.world.team.id, one);
    slack.add('E2SANDBOX', company);
    const config = join(folder, 'countersign.yml');
    const workspaces = {
      ...{ T0SANDBOX: { ...slackOnly, schedules }, T1SANDBOX: elsewhere(slackOnly, 1) },
      E2SANDBOX: elsewhere(slackOnly, 2),
    };
    await writeFile(config, stringify({ ...sandboxConfig(), workspaces }));
    const env = {
      ...{
        SLACK_BOT_TOKEN: '',
        SLACK_API_URL: `${slack.url}/api/`,
        PORT: String(port),
        OPS_PORT: String(opsPort),
      },
      ...{ SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, TOKEN_KEY: tokenKey },
      ...{ DATABASE_URL: database.url, AUDIT_KEY: testAuditKey, COUNTERSIGN_CONFIG: config },
    };
    const bot = await startHere(sandbox, env);
    return new Company({ slack, south, north, company, southFaults, sandbox, env, url, bot }, async () => {
      await Promise.all([south.close(), north.close(), company.close(), slack.close(), sandbox.close()]);
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    });
  }

  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.bot.stop();
    this.bot = await startHere(this.sandbox, { ...this.env, ...env });
  }

  async stop(): Promise<void> {
    await this.bot.stop();
    await this.#cleanUp();
  }

  rows(statement: string): Promise<Record<string, unknown>[]> {
    return rowsOf(this.env.DATABASE_URL ?? '', statement);
  }

  /** The address that a browser is sent to at the start of an installation, with the cookie it gets. */
  async begin(): Promise<{ address: URL; cookie: string }> {
    const response = await fetch(`${this.url}/slack/install`, { redirect: 'manual' });
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { address: new URL(response.headers.get('location') ?? ''), cookie };
  }

  /** The same, up to where Slack sends the browser back to. */
  async agree(team: string): Promise<{ back: string; cookie: string }> {
    const { address, cookie } = await this.begin();
    address.searchParams.set('team', team);
    const agreed = await fetch(address, { redirect: 'manual' });
    return { back: agreed.headers.get('location') ?? '', cookie };
  }

  async install(team: string): Promise<string> {
    const { back, cookie } = await this.agree(team);
    return (await fetch(back, { headers: { cookie } })).text();
  }

  /** Slack tells the app that it was removed, as it does right after it was. */
  async uninstall(of: SlackSandbox): Promise<void> {
    const { team, bot } = of.world;
    this.slack.uninstall(team.id);
    const event = { type: 'app_uninstalled' };
    const payload = { type: 'event_callback', team_id: team.id, api_app_id: bot.appId, event };
    await of.deliver({
      type: 'events_api',
      payload: { ...payload, event_id: `Ev${Date.now()}`, event_time: 1 },
    });
  }

  /** The newest message of the bot in a workspace's #ops with these words, once it is there. */
  card(of: SlackSandbox, words: string, ms?: number): Promise<Message> {
    const find = () => messagesOf(of, 'ops').findLast((one) => one.isBot && wordsOf(one).includes(words));
    return this.soon(find, `a message with ${words}`, ms);
  }

  soon<T>(ask: () => T | null | undefined | false, what: string, ms?: number): Promise<T> {
    const said = () =>
      [this.south, this.north].flatMap((one) => messagesOf(one, 'ops').map(wordsOf)).join('\n');
    return eventually(
      ask,
      () => `${what}\n--- Slack ---\n${said()}\n--- log ---\n${this.bot.log().slice(-4000)}`,
      ms,
    );
  }
}

export function messagesOf(of: SlackSandbox, channel: string): readonly Message[] {
  return of.messages(channel);
}
