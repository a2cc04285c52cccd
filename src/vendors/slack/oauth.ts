import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Installation as Installed, InstallProvider } from '@slack/oauth';
import { WebClient } from '@slack/web-api';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Route } from '../http/door.ts';
import { boltLogger } from './bolt-log.ts';
import { installPath, redirectPath, scopes } from './required.ts';

/** The bot in a workspace, or in all workspaces of a company, as Slack hands it over. */
export interface NewlyInstalled {
  /** Id of the workspace or company. */
  readonly teamId: string;
  readonly name: string;
  readonly isCompany: boolean;
  readonly botUserId: string;
  readonly botId: string;
  readonly token: string;
  /** Slack user id. */
  readonly installedBy: string;
}

export interface OAuthOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly log: Log;
  /** Whether the operator wants the bot there: whoever finds the address may try to install it. */
  readonly isWanted: (teamId: string) => boolean;
  readonly store: (installed: NewlyInstalled) => Promise<void>;
}

/** The two addresses that a browser opens to install the bot. What they answer is plain text. */
export function installRoutes(options: OAuthOptions): Route[] {
  const { clientId, clientSecret, apiUrl, fetch, log } = options;
  const clientOptions = { slackApiUrl: apiUrl, fetch, timeout: 10_000, retryConfig: { retries: 0 } };
  const provider = new InstallProvider({
    ...{ clientId, clientSecret, clientOptions, logger: boltLogger(log, 'info'), directInstall: true },
    // Any process may be the one that Slack sends them back to.
    stateSecret: createHmac('sha256', clientSecret).update('state of an installation').digest('hex'),
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    installationStore: {
      storeInstallation: (installed) => options.store(readInstalled(installed) ?? unreadable()),
      fetchInstallation: () => Promise.reject(new TypeError('installations are read elsewhere')),
    },
  });
  const get = { method: 'GET', maxBytes: 0, admits: () => true } as const;
  return [
    {
      ...{ ...get, path: installPath },
      enter: (_body, request, response) =>
        provider.handleInstallPath(request, response, undefined, { scopes: Object.keys(scopes) }),
    },
    {
      ...{ ...get, path: redirectPath },
      enter: (_body, request, response) =>
        provider.handleCallback(request, response, {
          afterInstallation: async (installed) => {
            const refusal = refusalOf(installed, options);
            if (refusal === null) return true;
            await revoke(installed.bot?.token, clientOptions, log);
            say(response, 403, refusal);
            return false;
          },
          success: (installed) => say(response, 200, installedIn(readInstalled(installed)?.name ?? '')),
          failure: (error) => {
            log.warn(describeError(error), 'The bot was not installed');
            const [status, words] = failureOf(error);
            say(response, status, words);
          },
        }),
    },
  ];
}

function readInstalled(installed: Installed<'v1' | 'v2', boolean>): NewlyInstalled | null {
  const { bot, user, isEnterpriseInstall: isCompany = false } = installed;
  const place = isCompany ? installed.enterprise : installed.team;
  if (bot === undefined || place === undefined) return null;
  const { id: teamId, name = teamId } = place;
  return {
    teamId,
    name,
    isCompany,
    botUserId: bot.userId,
    botId: bot.id,
    token: bot.token,
    installedBy: user.id,
  };
}

function unreadable(): never {
  throw new TypeError('Slack handed over no bot');
}

function refusalOf(installed: Installed<'v1' | 'v2', boolean>, { isWanted }: OAuthOptions): string | null {
  const read = readInstalled(installed);
  if (read === null) return 'Slack handed over no bot token. Check that the app has a bot user.';
  if (installed.bot?.refreshToken !== undefined)
    return 'This app rotates its tokens. Turn token rotation off under OAuth & Permissions and install it again.';
  if (isWanted(read.teamId)) return null;
  return `Countersign is not meant for ${read.name} (${read.teamId}), so nothing was kept. Its operator can name that id under workspaces in countersign.yml.`;
}

/** A token that nobody keeps must not stay valid. */
async function revoke(
  token: string | undefined,
  options: ConstructorParameters<typeof WebClient>[1],
  log: Log,
): Promise<void> {
  if (token === undefined) return;
  await new WebClient(token, { ...options, logger: boltLogger(log, 'info') }).auth
    .revoke()
    .catch((error: unknown) =>
      log.warn(describeError(error), 'A token that was not kept could not be revoked'),
    );
}

const installedIn = (name: string) =>
  `Countersign is installed in ${name}. Type /plan in Slack; invite it to channels with /invite @countersign.`;
const wrongApp =
  'Slack does not accept this app. Its operator has to correct SLACK_CLIENT_ID and SLACK_CLIENT_SECRET (Basic Information, App Credentials).';
const startAgain = `Start again at ${installPath}, in the same browser.`;

function failureOf(error: {
  readonly code?: string;
  readonly message: string;
}): [status: number, words: string] {
  if (error.code === 'slack_oauth_invalid_state' || error.code === 'slack_oauth_missing_state')
    return [400, `This link is older than ten minutes, or belongs to another browser. ${startAgain}`];
  if (error.code === 'slack_oauth_missing_code') return [400, `Slack sent no code. ${startAgain}`];
  if (error.code === 'slack_oauth_installer_authorization_error') return [403, 'Nothing was installed.'];
  if (/invalid_code|code_already_used/.test(error.message))
    return [400, `Slack does not accept this code: it is used up or too old. ${startAgain}`];
  if (/bad_client_secret|invalid_client_id/.test(error.message)) return [500, wrongApp];
  return [500, `Countersign was not installed. Its log says why. ${startAgain}`];
}

function say(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${words}\n`);
}
