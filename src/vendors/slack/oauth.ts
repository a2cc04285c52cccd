import { createHmac } from 'node:crypto';
import { type Installation as Installed, InstallProvider } from '@slack/oauth';
import { WebClient } from '@slack/web-api';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Route } from '../http/door.ts';
import { boltLogger } from './bolt-log.ts';
import { type InstallPage, showInstallPage } from './install-page.ts';
import { installPath, redirectPath, scopes } from './manifest.ts';

/** A new installation in a workspace, or in all workspaces of a company, from Slack. */
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
  /** Whether the operator wants the bot there: anyone who finds the address may try to install it. */
  readonly isWanted: (teamId: string) => boolean;
  readonly store: (installed: NewlyInstalled) => Promise<void>;
  /** False when an installation with this state was already completed, in any process. */
  readonly use: (state: string) => Promise<boolean>;
}

/** The two addresses a browser opens to install the bot. */
export function installRoutes(options: OAuthOptions): Route[] {
  const { clientId, clientSecret, apiUrl, fetch, log } = options;
  const clientOptions = { slackApiUrl: apiUrl, fetch, timeout: 10_000, retryConfig: { retries: 0 } };
  const provider = new InstallProvider({
    ...{ clientId, clientSecret, clientOptions, logger: boltLogger(log, 'info'), directInstall: true },
    // Slack may send the person back to any process.
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
          async beforeInstallation(_options, { url = '' }) {
            const state = new URL(url, 'http://localhost').searchParams.get('state') ?? '';
            if (await options.use(state)) return true;
            showInstallPage(response, usedBefore);
            return false;
          },
          afterInstallation: async (installed) => {
            const refusal = refusalOf(installed, options);
            if (refusal === null) return true;
            await revoke(installed.bot?.token, clientOptions, log);
            showInstallPage(response, { status: 403, title: notDone, words: refusal });
            return false;
          },
          success: (installed) => showInstallPage(response, installedIn(installed, apiUrl)),
          failure: (error) => {
            log.warn(describeError(error), 'The bot was not installed');
            showInstallPage(response, failureOf(error));
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

/** A token that nobody stores must not stay valid. */
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

const notDone = 'Nothing was installed';
const again = { href: installPath, label: 'Start again' };

const usedBefore: InstallPage = {
  status: 400,
  title: notDone,
  words: 'This link was used before, is older than ten minutes, or belongs to another browser.',
  next: again,
};

function installedIn(installed: Installed<'v1' | 'v2', boolean>, apiUrl: string): InstallPage {
  const open = new URL('/app_redirect', apiUrl);
  open.searchParams.set('app', installed.appId ?? '');
  if (installed.team !== undefined) open.searchParams.set('team', installed.team.id);
  return {
    status: 200,
    title: `Countersign is installed in ${readInstalled(installed)?.name ?? ''}`,
    words: 'Type /plan help in Slack. Invite it to a channel with /invite @countersign.',
    next: { href: open.href, label: 'Open it in Slack' },
  };
}

function failureOf(error: { readonly code?: string; readonly message: string }): InstallPage {
  const failed = (status: number, words: string) => ({ status, title: notDone, words, next: again });
  if (error.code === 'slack_oauth_invalid_state' || error.code === 'slack_oauth_missing_state')
    return usedBefore;
  if (error.code === 'slack_oauth_missing_code') return failed(400, 'Slack sent no code.');
  if (error.code === 'slack_oauth_installer_authorization_error')
    return failed(403, 'You did not agree in Slack, so nothing was changed.');
  if (/invalid_code|code_already_used/.test(error.message))
    return failed(400, 'Slack does not accept this code: it is used up or too old.');
  if (/bad_client_secret|invalid_client_id/.test(error.message))
    return {
      status: 500,
      title: notDone,
      words:
        'Slack does not accept this app. Its operator has to correct SLACK_CLIENT_ID and SLACK_CLIENT_SECRET (Basic Information, App Credentials).',
    };
  return failed(500, 'Its log says why.');
}
