import { expect } from 'vitest';
import { stringify } from 'yaml';
import { sandboxConfig } from '../../sandbox/config.ts';
import { verify } from '../../src/audit/chain.ts';
import { auditKeys } from '../../src/audit/key.ts';
import { openDatabase } from '../../src/store/database.ts';
import { rowsOf } from './rows.ts';
import { testAuditKey } from './surroundings.ts';
import type { Message, Workspace } from './workspace.ts';

export const breach = 'Check open P1 tickets in OPS against the SLA and page on-call if breached';

/** The sandbox's countersign.yml with some of its sections replaced or added. */
export function configWith(sections: Readonly<Record<string, unknown>>): string {
  return stringify({ ...sandboxConfig(), ...sections });
}

/** Rows of the bot's database. */
export function rows(
  workspace: Workspace,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return rowsOf(workspace.env.DATABASE_URL ?? '', statement, values);
}

/**
 * Resolves once something holds that has to be asked for. A look every now and then: looks without a pause would starve
 * the bot on a small machine.
 */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 50, timeout: 20_000 }).toBe(true);
}

/** Waits until the bot has stored where a card is, and so knows replies to it and clicks that come later. */
export async function known(workspace: Workspace, { ts }: Pick<Message, 'ts'>): Promise<void> {
  const stored = 'select number from revisions where card_ts = $1';
  await until(async () => (await rows(workspace, stored, [ts])).length > 0);
}

/** An operator's check after every scenario: the audit chain is whole, and nothing broke on our side. */
export async function expectSound(workspace: Workspace, broken: RegExp = /^$/): Promise<void> {
  const quiet = { info() {}, warn() {}, error() {} };
  const signing = auditKeys([testAuditKey]);
  const url = workspace.env.DATABASE_URL ?? '';
  const db = await openDatabase({ url, max: 1, log: quiet, auditKeys: signing });
  try {
    const verdict = await verify(db, workspace.sandbox.world.team.id);
    expect(verdict).toMatchObject({ ok: true, unkeyed: 0, unproven: {} });
  } finally {
    await db.destroy();
  }
  const { slack, jira, pagerduty } = workspace.sandbox.world;
  const keys = pagerduty.services.map((service) => service.integrationKey);
  const secrets = [
    slack.botToken,
    slack.appToken,
    slack.signingSecret,
    jira.apiToken,
    pagerduty.apiToken,
    ...keys,
  ];
  const said = `${workspace.bot.log()}${workspace.transcript()}`;
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  const lines = workspace.bot.log().split('\n');
  expect(lines.filter((line) => /"level":(50|60|"error"|"fatal")/.test(line) && !broken.test(line))).toEqual(
    [],
  );
}

/** The end of a scenario file: everything is sound, and the bot stops as it should. */
export async function finish(workspace: Workspace | undefined, broken?: RegExp): Promise<void> {
  if (workspace === undefined) return;
  try {
    await expectSound(workspace, broken);
    expect(await workspace.bot.stop()).toBe(0);
  } finally {
    await workspace.stop();
  }
}

/** The value of a button, or null when the message has no such button. */
export function buttonValue(message: Message, actionId: string): string | null {
  let found: string | null = null;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('action_id' in node && node.action_id === actionId && 'value' in node) found = String(node.value);
    Object.values(node).forEach(visit);
  };
  visit(message.blocks);
  return found;
}

let clicks = 0;

/** The payload of a click as Slack would send it; `value` is whatever a forger writes, or what an old card carried. */
export function clickPayload(
  workspace: Workspace,
  click: { as: string; message: Message; actionId: string; value: string },
) {
  clicks += 1;
  const { id: teamId, domain } = workspace.sandbox.world.team;
  const { channel, ts } = click.message;
  const action = { type: 'button', action_id: click.actionId, block_id: 'buttons', value: click.value };
  return {
    type: 'block_actions',
    api_app_id: workspace.sandbox.world.bot.appId,
    team: { id: teamId, domain },
    user: { id: workspace.person(click.as), team_id: teamId },
    trigger_id: `${Date.now()}.${clicks}.${click.as}`,
    container: { type: 'message', message_ts: ts, channel_id: channel },
    channel: { id: channel },
    message: { ts },
    actions: [{ ...action, action_ts: `${Date.now()}.${clicks}` }],
  };
}

/** A click on a button that is no longer, or never was, on the card. */
export function forgedClick(workspace: Workspace, click: Parameters<typeof clickPayload>[1]) {
  const payload = clickPayload(workspace, click);
  return workspace.sandbox.slack.deliver({ type: 'interactive', payload });
}
