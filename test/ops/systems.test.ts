import { expect, onTestFinished, test } from 'vitest';
import { sandboxConfig } from '../../sandbox/config.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { systemsIn } from '../../src/app/vendors.ts';
import { silent } from '../../src/commands/database.ts';
import { readEnv } from '../../src/config/env.ts';
import { operatorSchema } from '../../src/config/schema.ts';
import { createReadiness } from '../../src/ops/readiness.ts';
import { careForSystems } from '../../src/ops/systems.ts';
import { trust } from '../support/bot.ts';
import { startOddServer } from '../support/odd-server.ts';

test('each source that is set up is asked with its token, unless the process is a front', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  trust(sandbox.env.NODE_EXTRA_CA_CERTS ?? '');
  const config = operatorSchema.parse(sandboxConfig());
  const partsOf = async (changes: Record<string, string>) => {
    const readiness = createReadiness([]);
    const { SLACK_APP_TOKEN = '', ...shared } = sandbox.env;
    const env = readEnv({ SLACK_APP_TOKEN, ...shared, ...changes });
    const systems = systemsIn({ env, config, now: () => new Date() });
    await careForSystems(systems, { readiness, repeat: (_ms, work) => void work(), log: silent });
    return (await readiness.ask()).parts;
  };
  const sources = { confluence: 'ok', azure: 'ok', splunk: 'ok', prometheus: 'ok' };
  const well = { jira: 'ok', pagerduty: 'ok', ...sources };
  expect(await partsOf({})).toEqual(well);
  expect(await partsOf({ SPLUNK_TOKEN: 'wrong', AZURE_CLIENT_SECRET: 'wrong' })).toEqual({
    ...well,
    azure: expect.stringContaining('AZURE_CLIENT_SECRET'),
    splunk: expect.stringContaining('SPLUNK_TOKEN'),
  });
  expect(Object.keys(await partsOf({ COUNTERSIGN_ROLE: 'front' }))).toEqual(['jira', 'pagerduty']);
});

/** A Jira whose answers to the question about its token have these statuses, the last one from then on. */
async function caredFor(...statuses: number[]) {
  const jira = await startOddServer((_request, response, count) => {
    response.writeHead(statuses[count - 1] ?? statuses.at(-1) ?? 500, { 'content-type': 'application/json' });
    response.end('{"displayName":"Countersign"}');
  });
  onTestFinished(() => jira.close());
  const readiness = createReadiness([]);
  const said: string[] = [];
  const say = (level: string) => (_facts: object, words: string) => void said.push(`${level} ${words}`);
  const log = { info: say('info'), warn: say('warn'), error: say('error') };
  const account = { JIRA_EMAIL: 'bot@acme.example', JIRA_API_TOKEN: 'token' };
  const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
  const env = readEnv({ ...slack, JIRA_HOST: jira.url, ...account });
  let round = (): Promise<void> => Promise.resolve();
  const systems = systemsIn({ env, config: operatorSchema.parse({}), now: () => new Date() });
  await careForSystems(systems, {
    ...{ readiness, log },
    repeat(_ms, work) {
      round = work;
      void work();
    },
  });
  return {
    said,
    look: () => round(),
    requests: jira.requests,
    ask: async () => (await readiness.ask()).parts,
  };
}

test('a token that works again is said once, and one that works is asked about now and then', async () => {
  const { said, look, ask, requests } = await caredFor(401, 401, 200);
  expect(await ask()).toEqual({ jira: expect.stringContaining('the token is not valid') });
  await look();
  expect(said).toEqual(['error The system cannot be used']);
  await look();
  expect(said).toEqual(['error The system cannot be used', 'info The system answers again']);
  expect(await ask()).toEqual({ jira: 'ok' });
  for (let looks = 0; looks < 5; looks += 1) await look();
  expect(requests).toHaveLength(4);
});

test('a system that is down is a warning, and one that asks for a pause knows the token', async () => {
  const down = await caredFor(503);
  expect(down.said).toEqual(['warn The system cannot be used']);
  expect(await down.ask()).toEqual({ jira: expect.stringContaining('HTTP 503') });
  const busy = await caredFor(429);
  expect(busy.said).toEqual([]);
  expect(await busy.ask()).toEqual({ jira: 'ok' });
});
