import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import { type Checkup, tried } from '../core/doctor-result.ts';
import { own } from '../core/own-property.ts';
import * as installations from '../store/installations.ts';
import type { InstallationRow } from '../store/tables.ts';
import { tokenKeys } from '../store/token-keys.ts';
import { installPath } from '../vendors/slack/manifest.ts';
import { probeSlack } from '../vendors/slack/probe.ts';
import type { NamedInSlack } from '../vendors/slack/probe-named.ts';
import { tokenOf } from '../vendors/slack/tokens.ts';
import type { CommandContext } from './command.ts';
import { silent, withDatabase } from './database.ts';

const manifestSchema = z.object({
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
});

/** Each workspace that the file names, or where the bot is installed. */
export async function workspaces(
  env: Env,
  config: OperatorFile,
  variables: CommandContext['variables'],
): Promise<Checkup[]> {
  let found: Checkup[] = [];
  await withDatabase(variables, async (db) => {
    const rows = (await installations.open(db)).filter(({ token }) => token !== null);
    const missing = Object.keys(config.workspaces).filter((id) => !rows.some(({ teamId }) => teamId === id));
    const each = await Promise.all(rows.map((row) => workspace(row, env, config)));
    found = [...each.flat(), ...missing.map(notInstalled)];
    return 0;
  });
  return found;
}

function notInstalled(id: string): Checkup {
  const says = `the bot is not installed there: open https://<your address>${installPath} and choose it`;
  return { about: `workspace ${id}`, level: 'note', says };
}

async function workspace(
  { teamId, token }: InstallationRow,
  env: Env,
  config: OperatorFile,
): Promise<Checkup[]> {
  const about = `workspace ${teamId}`;
  const ownConfig = own(config.workspaces, teamId);
  if (ownConfig === undefined) {
    const says =
      'not under workspaces in countersign.yml, so the bot says nothing there: add it, or remove the app';
    return [{ about, level: 'wrong', says }];
  }
  return tried(about, async () => {
    const opened = tokenKeys(env.TOKEN_KEY ?? '').open(token ?? '', teamId);
    const checkups = await slack(env, ownConfig, opened, tokenOf(teamId));
    return checkups.map((one) => ({ ...one, about: `${teamId} ${one.about}` }));
  });
}

export function slack(
  env: Env,
  config: OperatorConfig,
  botToken: string,
  tokenName?: string,
): Promise<Checkup[]> {
  const file = readFileSync(new URL('../../slack-manifest.yml', import.meta.url), 'utf8');
  const { bot: scopes } = manifestSchema.parse(parse(file)).oauth_config.scopes;
  const appToken = env.SLACK_APP_TOKEN ?? null;
  const { SLACK_API_URL: apiUrl } = env;
  const listens = env.COUNTERSIGN_ROLE !== 'executor';
  return probeSlack({
    listens,
    botToken,
    ...(tokenName === undefined ? {} : { tokenName }),
    appToken,
    apiUrl,
    scopes,
    named: namedInSlack(config),
    fetch,
    now: () => new Date(),
    log: silent,
  });
}

function namedInSlack({ channels, people, rules, operators, approval }: OperatorConfig): NamedInSlack {
  const approvers = rules.flatMap(({ approvers = [], backup }) => [...approvers, ...backup]);
  const ids = [...new Set([...Object.values(people), ...approvers, ...operators, ...approval.break_glass])];
  return {
    channels: Object.fromEntries(Object.entries(channels).map(([name, { id }]) => [name, id])),
    users: ids.filter((id) => /^[UW]/.test(id)),
    groups: ids.filter((id) => id.startsWith('S')),
  };
}
