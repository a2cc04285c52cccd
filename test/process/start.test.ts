import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { append } from '../../src/audit/chain.ts';
import { auditKeys } from '../../src/audit/key.ts';
import { openDatabase } from '../../src/store/database.ts';
import { type FailedStart, failedStart, spawnBot, startBot, startHere, trust } from '../support/bot.ts';
import { freePort } from '../support/port.ts';
import { freshDatabase, migratedDatabase } from '../support/postgres.ts';
import { roomyFolder } from '../support/roomy-folder.ts';
import { auditRows } from '../support/store.ts';

let sandbox: Sandbox;
let folder: string;
let database: Awaited<ReturnType<typeof freshDatabase>>;
const config = { COUNTERSIGN_CONFIG: 'sandbox/countersign.yml', AUDIT_KEY: 'k'.repeat(32) };

beforeAll(async () => {
  sandbox = await startSandbox();
  trust(sandbox.env.NODE_EXTRA_CA_CERTS ?? '');
  folder = await mkdtemp(join(await roomyFolder(), 'countersign-start-'));
  database = await freshDatabase();
});
afterAll(async () => {
  await sandbox.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The output and the exit code of a start that must fail, as a separate process. */
async function failedProcess(env: Readonly<Record<string, string>>): Promise<FailedStart> {
  const bot = spawnBot({ LOG_LEVEL: 'silent', ...env });
  await once(bot.process, 'close');
  return { code: bot.process.exitCode, said: bot.log() };
}

describe('a start that cannot work ends with one explanation and no secret in it', () => {
  test('an incomplete environment', async () => {
    const { code, said } = await failedProcess({ SLACK_BOT_TOKEN: 'very-secret-value', PORT: 'x' });
    expect(code).toBe(78);
    expect(said).toMatch(
      /environment is incomplete or invalid:\n {2}- SLACK_BOT_TOKEN must start with xoxb-\n {2}- PORT/,
    );
    expect(said).not.toContain('very-secret-value');
    expect(said).not.toContain('at ');
  });

  test('a configuration file that is missing, or wrong by line', async () => {
    const missing = await failedStart({ ...sandbox.env, COUNTERSIGN_CONFIG: join(folder, 'none.yml') });
    expect(missing).toMatchObject({
      code: 78,
      said: expect.stringContaining('cannot be read. Copy countersign.example.yml'),
    });
    const file = join(folder, 'wrong.yml');
    await writeFile(file, 'defaults: {}\nservices:\n  ops: { pagerduty: ops }\n');
    const wrong = await failedStart({ ...sandbox.env, COUNTERSIGN_CONFIG: file });
    expect(wrong.code).toBe(78);
    expect(wrong.said).toContain('wrong.yml:3 services.ops.pagerduty');
  });

  test('several workspaces, none of which the file names', async () => {
    const app = { SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'secret-of-the-app', PORT: '0' };
    const several = { ...config, ...app, SLACK_BOT_TOKEN: '', TOKEN_KEY: 'k'.repeat(32) };
    const { code, said } = await failedStart({ ...sandbox.env, ...several });
    expect({ code, said }).toEqual({
      code: 78,
      said: expect.stringMatching(/^\S+ names no workspaces, .* docs\/workspaces\.md\.\n$/),
    });
  });

  test('a configuration file that is not a file, or far too large', async () => {
    const large = join(folder, 'large.yml');
    await writeFile(large, '# a comment\n'.repeat(100_000));
    const { code, said } = await failedStart({ ...sandbox.env, COUNTERSIGN_CONFIG: large });
    expect({ code, said }).toEqual({ code: 78, said: expect.stringMatching(/^COUNTERSIGN_CONFIG: .* 1 MB/) });
    for (const [notFile, why] of [
      [folder, 'is a folder, not a file'],
      ['/dev/zero', 'is not a file'],
    ] as const) {
      const refused = await failedStart({ ...sandbox.env, COUNTERSIGN_CONFIG: notFile });
      expect(refused).toMatchObject({
        code: 78,
        said: expect.stringContaining(why),
      });
    }
  });

  test.runIf(process.platform === 'linux')('a data folder that cannot be created', async () => {
    const DATA_DIR = '/proc/a/b';
    const { code, said } = await failedStart({ ...sandbox.env, ...config, DATA_DIR });
    expect({ code, said }).toEqual({
      code: 78,
      said: expect.stringMatching(/^The[^\n]* DATA_DIR[^\n]*\n$/),
    });
  });

  test('an audit key that is not the one of the log, with what to do', async () => {
    const signed = await migratedDatabase();
    onTestFinished(() => signed.drop());
    const log = { info() {}, warn() {}, error() {} };
    const db = await openDatabase({ url: signed.url, max: 1, log, auditKeys: auditKeys(['l'.repeat(32)]) });
    const subject = { actor: 'U0ANA', subject: 'it', data: {} };
    await append(db, { teamId: 'T0001', at: new Date(), kind: 'test.line', ...subject });
    const env = { ...sandbox.env, ...config, DATABASE_URL: signed.url };
    const { code, said } = await failedStart(env);
    expect({ code, said }).toEqual({
      code: 78,
      said: expect.stringMatching(
        /^The audit log of T0001 is signed with the key [0-9a-f]{8}, which AUDIT_KEY does not hold[^\n]*docs\/audit\.md\)\.\n$/,
      ),
    });
    expect(await auditRows(db, 'T0001')).toHaveLength(1);
    const bot = await startHere(sandbox, { ...env, AUDIT_KEY: `${config.AUDIT_KEY},${'l'.repeat(32)}` });
    expect(await bot.stop()).toBe(0);
    await db.destroy();
  });

  test('a Slack token that is not valid, by its name', async () => {
    const env = { ...sandbox.env, ...config, DATABASE_URL: database.url };
    expect(await failedStart({ ...env, SLACK_BOT_TOKEN: 'xoxb-not-the-right-one' })).toEqual({
      code: 78,
      said: 'Slack does not accept SLACK_BOT_TOKEN: install the app under OAuth & Permissions and copy its Bot User OAuth Token.\n',
    });
    expect(await failedStart({ ...env, SLACK_APP_TOKEN: 'xapp-not-the-right-one' })).toEqual({
      code: 78,
      said: 'Slack does not accept SLACK_APP_TOKEN: make one under Basic Information, App-Level Tokens, with the scope connections:write.\n',
    });
  });

  test('an unreachable database, and a data folder that is a file', async () => {
    const away = await failedStart({
      ...sandbox.env,
      ...config,
      DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:9/db',
    });
    expect(away.code).toBe(1);
    expect(away.said).toMatch(/database/i);
    expect(away.said).not.toContain('hidden-word');
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const blocked = await failedStart({ ...sandbox.env, ...config, DATA_DIR: join(file, 'data') });
    expect(blocked.code).toBe(78);
    expect(blocked.said.trim().split('\n')).toHaveLength(1);
    expect(blocked.said).toContain('DATA_DIR');
  });

  test('a port in use, which the next start may find free', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { SLACK_APP_TOKEN: _token, ...rest } = sandbox.env;
    const http = { SLACK_SIGNING_SECRET: sandbox.world.slack.signingSecret, PORT: port };
    const { code, said } = await failedStart({ ...rest, ...config, ...http, DATABASE_URL: database.url });
    const ops = await failedStart({ ...sandbox.env, ...config, OPS_PORT: port, DATABASE_URL: database.url });
    other.close();
    expect(code).toBe(1);
    expect(ops).toMatchObject({ code: 1, said: expect.stringContaining(`OPS_PORT ${port} is taken`) });
    expect(said).toContain(port);
    expect(said.trim().split('\n')).toHaveLength(1);
  });
});

test.runIf(process.platform === 'linux')(
  'the port is open on HOST alone, for Slack and for webhooks',
  async () => {
    const { SLACK_APP_TOKEN: _token, ...rest } = sandbox.env;
    const opens = async (env: Readonly<Record<string, string>>) => {
      const port = await freePort();
      const given = { ...config, DATABASE_URL: database.url, PORT: String(port), ...env };
      const here = { ...sandbox, env: rest };
      const bot = await startHere(env.PAGERDUTY_WEBHOOK_SECRET === undefined ? here : sandbox, given);
      const answers = (address: string) =>
        fetch(`http://${address}:${port}/`).then(
          () => true,
          () => false,
        );
      // Every address that begins with 127 is one of this machine.
      const found = [await answers('127.0.0.1'), await answers('127.0.0.2')];
      await bot.stop();
      return found;
    };
    const http = { SLACK_SIGNING_SECRET: sandbox.world.slack.signingSecret };
    const webhook = { PAGERDUTY_WEBHOOK_SECRET: 'a-secret-of-pagerduty' };
    expect(await opens(http)).toEqual([true, true]);
    expect(await opens({ ...http, HOST: '127.0.0.1' })).toEqual([true, false]);
    expect(await opens({ ...webhook, HOST: '127.0.0.1' })).toEqual([true, false]);
  },
);

test('a HOST that is none of this machine is said by its name', async () => {
  const { SLACK_APP_TOKEN: _token, ...rest } = sandbox.env;
  const http = { SLACK_SIGNING_SECRET: sandbox.world.slack.signingSecret, PORT: '0' };
  const env = { ...rest, ...config, ...http, DATABASE_URL: database.url };
  expect(await failedStart({ ...env, HOST: '192.0.2.1' })).toEqual({
    code: 1,
    said: 'The address 192.0.2.1 is none of this machine. Set HOST to one of its own, or to 127.0.0.1.\n',
  });
  expect(await failedStart({ ...env, HOST: 'my-machine' })).toMatchObject({
    code: 78,
    said: expect.stringContaining('HOST must be an IP address of this machine'),
  });
});

test('the embedded database starts by itself with a word about a misspelt setting, and what a kill left over is used by the next start', async () => {
  const dataDir = join(folder, 'data');
  await chmod(folder, 0o711);
  await mkdir(dataDir);
  const misspelt = { PLANNER_MODL: 'm' };
  const env = { ...sandbox.env, ...config, ...misspelt, DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  const first = await startBot(sandbox, env);
  expect(first.log()).toContain('PLANNER_MODL is no setting of Countersign; did you mean PLANNER_MODEL?');
  await first.kill();
  const second = await startHere(sandbox, env);
  expect(second.log()).toContain('"adopted":true');
  expect(second.log()).not.toContain(sandbox.world.slack.botToken);
  expect(await second.stop()).toBe(0);
});
