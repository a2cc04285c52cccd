import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { failedStart, startHere, trust } from '../support/bot.ts';
import { cli } from '../support/cli.ts';
import { type PoolMode, startPooler } from '../support/pooler.ts';
import { type FreshDatabase, migratedDatabase } from '../support/postgres.ts';

let sandbox: Sandbox;
let database: FreshDatabase;
const settings = { COUNTERSIGN_CONFIG: 'sandbox/countersign.yml', AUDIT_KEY: 'k'.repeat(32) };

beforeAll(async () => {
  sandbox = await startSandbox();
  trust(sandbox.env.NODE_EXTRA_CA_CERTS ?? '');
  database = await migratedDatabase();
});
afterAll(async () => {
  await sandbox.close();
  await database.drop();
});

async function pooled(mode: PoolMode): Promise<string> {
  const pooler = await startPooler(database.url, mode);
  onTestFinished(() => pooler.close());
  return pooler.url;
}

describe('a pooler in front of Postgres', () => {
  const words =
    /pooler that lends its connections for one transaction.*pool_mode = session.*docs\/postgres\.md/;

  test('is refused at the start when it lends connections by the transaction, with what to do', async () => {
    const env = { ...sandbox.env, ...settings, DATABASE_URL: await pooled('transaction') };
    expect(await failedStart(env)).toEqual({ code: 78, said: expect.stringMatching(words) });
  });

  test('is refused for the owner of the tables as well', async () => {
    const owner = { DATABASE_URL: database.url, DATABASE_OWNER_URL: await pooled('transaction') };
    expect(await failedStart({ ...sandbox.env, ...settings, ...owner })).toMatchObject({ code: 78 });
  });

  test('is what the doctor says is wrong with the database', async () => {
    const env = { ...sandbox.env, ...settings, DATABASE_URL: await pooled('transaction') };
    const { code, out } = await cli(['doctor'], { env });
    const line = out.split('\n').find((one) => /^wrong +database {2}/.test(one));
    expect(line).toMatch(words);
    expect(code).toBe(1);
  });

  test('is fine when each client keeps its connection', async () => {
    const bot = await startHere(sandbox, {
      ...sandbox.env,
      ...settings,
      DATABASE_URL: await pooled('session'),
    });
    expect(bot.log()).toContain('Countersign is ready');
    expect(await bot.stop()).toBe(0);
  });
});
