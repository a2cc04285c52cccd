import { WebClient } from '@slack/web-api';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import type { Log } from '../../core/log.ts';
import { probeHost } from '../http/reach.ts';
import { slackError } from './api-errors.ts';
import { boltLogger } from './bolt-log.ts';
import { answersUrl } from './origins.ts';
import { type NamedInSlack, probeNamed } from './probe-named.ts';
import { appToken } from './tokens.ts';

export interface SlackProbe {
  readonly botToken: string;
  /** Its name in messages; SLACK_BOT_TOKEN if absent. */
  readonly tokenName?: string;
  /** Null if Slack calls us. */
  readonly appToken: string | null;
  /** False for a process that receives nothing from Slack. */
  readonly listens: boolean;
  readonly apiUrl: string;
  /** The scopes in the app's manifest. */
  readonly scopes: readonly string[];
  readonly named: NamedInSlack;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  readonly log: Log;
}

const timeoutMs = 10_000;
/** Slack's signed requests are rejected from five minutes on; a clock a minute off is not synchronised. */
const noteMs = 60_000;
const wrongMs = 5 * 60_000;

/**
 * Our identity in Slack, our scopes, whether the names in the file exist, whether Socket Mode connects, and the clock
 * difference.
 */
export async function probeSlack(options: SlackProbe): Promise<Checkup[]> {
  let date: string | null = null;
  const fetch: typeof globalThis.fetch = async (...request) => {
    const response = await options.fetch(...request);
    date = response.headers.get('date') ?? date;
    return response;
  };
  const client = (token: string) =>
    new WebClient(token, {
      ...{ slackApiUrl: options.apiUrl, fetch, timeout: timeoutMs, retryConfig: { retries: 0 } },
      ...{ rejectRateLimitedCalls: true, allowAbsoluteUrls: false, logger: boltLogger(options.log, 'info') },
    });
  const bot = await tried('slack', () => whoAmI(client(options.botToken), options));
  const { appToken: socketToken, listens } = options;
  const socket = socketToken === null ? callsUs : await openSocket(client(socketToken));
  const url = answersUrl(options.apiUrl);
  const answers = url === null ? [] : await probeHost('slack answers', { vendor: 'Slack', url, fetch });
  return [...bot, ...(listens ? [socket] : []), ...answers, ...clock(date, options.now())];
}

async function whoAmI(
  client: WebClient,
  { scopes: wanted, tokenName, named }: Pick<SlackProbe, 'scopes' | 'tokenName' | 'named'>,
): Promise<Checkup[]> {
  const answer = await client.auth
    .test()
    .catch((error: unknown) => Promise.reject(slackError(error, 'auth.test', tokenName)));
  const { team = '', team_id: id = '', user = '' } = answer;
  const scopes = scopesOf(answer.response_metadata?.scopes ?? null, wanted);
  const signedIn: Checkup = { about: 'slack', level: 'ok', says: `signed in to ${team} (${id}) as @${user}` };
  const isCompany = answer.is_enterprise_install === true;
  return [signedIn, scopes, ...(await probeNamed(client, named, isCompany))];
}

/** Slack names the scopes in a header, which a proxy in between may drop. */
function scopesOf(granted: readonly string[] | null, wanted: readonly string[]): Checkup {
  const about = 'slack scopes';
  if (granted === null) {
    const says =
      'Slack did not say which ones the token has: compare them under OAuth & Permissions with slack-manifest.yml';
    return { about, level: 'note', says };
  }
  const missing = wanted.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) {
    return { about, level: 'ok', says: `all ${wanted.length} of slack-manifest.yml` };
  }
  const says = `missing: ${missing.join(', ')}; add them under OAuth & Permissions and install the app again`;
  return { about, level: 'wrong', says };
}

const callsUs: Checkup = {
  about: 'slack events',
  level: 'note',
  says: 'over HTTP: only Slack can try that; look at Event Subscriptions, Request URL',
};

async function openSocket(client: WebClient): Promise<Checkup> {
  const about = 'slack socket';
  try {
    await client.apps.connections.open();
    return { about, level: 'ok', says: 'Socket Mode opens' };
  } catch (error) {
    return { about, level: 'wrong', says: slackError(error, 'apps.connections.open', appToken).message };
  }
}

/** Slack dates its responses. Without a date nothing can be checked. */
function clock(date: string | null, now: Date): Checkup[] {
  const slack = Date.parse(date ?? '');
  if (Number.isNaN(slack)) return [];
  const offMs = now.getTime() - slack;
  const far = Math.abs(offMs);
  const about = 'clock';
  if (far < noteMs) return [{ about, level: 'ok', says: 'agrees with Slack’s' }];
  const minutes = Math.round(far / 60_000);
  const side = offMs > 0 ? 'ahead of' : 'behind';
  const says = `this machine is ${minutes} min ${side} Slack: let it set its clock over the network (chrony, systemd-timesyncd)`;
  return [{ about, level: far < wrongMs ? 'note' : 'wrong', says }];
}
