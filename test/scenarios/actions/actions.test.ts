/** Why: an operator's own systems are called by tools declared in countersign.yml, held to the same promises as every other tool. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DeployService, json, plain } from '../../support/deploy-service.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { labelsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const deploys = new DeployService();
const secret = 'tok-73a1f0c2b9';
let workspace: Workspace;

function actionsAt(host: string) {
  const rollback = {
    about: 'Roll back a service',
    ask: { verbs: ['revert'], nouns: ['deploy', 'release'], examples: ['revert the deploy of checkout'] },
    parameters: {
      service: { type: 'service' },
      version: { optional: true, cues: ['to version'] },
      slot: { type: 'one_of', of: ['blue', 'green'], default: 'blue' },
    },
    url: `http://${host}/services/{service}/versions/{slot}`,
    query: { to: '{version}', key: '{key}' },
    body: { service: '{service}', to: '{version}', note: 'slot {slot}' },
    headers: { Authorization: 'Bearer {DEPLOY_TOKEN}' },
    hosts: [host],
    expected: [202],
    refused: { 404: 'That version is gone.', 409: 'A rollback of it is under way already.' },
    results: { id: '/id', link: '/url', previous: '/previous' },
    timeout_ms: 1_000,
    undo: {
      says: 'The version before can be deployed again.',
      words: 'Roll forward',
      action: 'deploys.rollback',
      with: { service: '{service}', version: '{previous}' },
    },
  };
  return {
    'deploys.rollback': rollback,
    'deploys.once': {
      ...rollback,
      ask: { ...rollback.ask, verbs: ['unship'] },
      idempotency_header: 'Idempotency-Key',
    },
    'deploys.seen': {
      ...rollback,
      ask: { ...rollback.ask, verbs: ['unroll'] },
      look_up: { url: `http://${host}/runs?key={key}`, at: '/runs', where: '/key', is: '{key}' },
    },
    'deploys.scale': {
      about: 'Scale a service',
      ask: { verbs: ['scale'], nouns: ['instances'], examples: ['scale the instances of checkout to 3'] },
      parameters: { service: { type: 'service' }, instances: { type: 'number' } },
      url: `http://${host}/services/{service}/instances/{instances}`,
      hosts: [host],
      results: { before: { at: '/before', as: 'whole' } },
      undo: {
        says: 'The number before can be set again.',
        words: 'Scale back',
        action: 'deploys.scale',
        with: { service: '{service}', instances: '{before}' },
      },
    },
    'deploys.limit': {
      about: 'Limit the requests of a service',
      ask: { verbs: ['limit'], nouns: ['requests'], examples: ['limit the requests of checkout to 3'] },
      parameters: { service: { type: 'service' }, limit: { type: 'number' } },
      url: `http://${host}/services/{service}/limit/{limit}`,
      hosts: [host],
      results: { before: '/before' },
      undo: {
        says: 'The limit before can be set again.',
        words: 'Old limit',
        action: 'deploys.limit',
        with: { service: '{service}', limit: '{before}' },
      },
    },
    'deploys.running': {
      about: 'Say which deploys are running',
      effect: 'read',
      method: 'GET',
      ask: { verbs: ['list'], nouns: ['deploys'], examples: ['list deploys of checkout'] },
      parameters: { service: { type: 'service' } },
      url: `http://${host}/services/{service}/deploys`,
      hosts: [host],
      results: { total: { at: '/total', as: 'whole' }, newest: '/deploys/0/version' },
    },
  };
}

beforeAll(async () => {
  const host = await deploys.start();
  const rules = [
    {
      tools: ['deploys.rollback', 'deploys.once', 'deploys.seen', 'deploys.scale', 'deploys.limit'],
      approvers: ['U0ANA'],
    },
  ];
  const config = configWith({ actions: actionsAt(host), rules, caps: { pages_per_hour: 100 } });
  workspace = await Workspace.start({ config, env: { DEPLOY_TOKEN: secret } });
});
afterEach(() => {
  deploys.calls.length = 0;
  deploys.answer = json(202, { id: 'd-7' });
});
afterAll(async () => {
  await finish(workspace);
  await deploys.stop();
});

async function approved(plan: string, fits: RegExp): Promise<Message> {
  await workspace.plan('ben', plan);
  const card = await workspace.card(fits);
  await workspace.click('ana', card, 'plan.approve');
  return card;
}

test('is asked for in words, says on its card which host is told, and encodes each value for its place', async () => {
  deploys.answer = json(202, { id: 'd-7', url: 'javascript:alert(1)', previous: 'v1', echo: secret });
  await workspace.plan('ben', 'revert the deploy of checkout');
  const asked = await workspace.card(/Roll back checkout/);
  expect(wordsOf(asked)).toMatch(/Roll back checkout \(slot: blue\)/);
  expect(wordsOf(asked)).toMatch(/changes checkout by a call to 127\.0\.0\.1/);
  const odd = '../x?a=1&b="{service}"\n<b>';
  const card = await approved(
    `deploys.rollback service=checkout version=${JSON.stringify(odd).replace('{', '\\{')}`,
    /x\?a=1/,
  );
  await workspace.reply(card, /^Done/);
  const [call] = deploys.writes();
  const url = new URL(call?.path ?? '', 'http://x');
  expect(url.pathname).toBe('/services/checkout/versions/blue');
  expect(url.searchParams.get('to')).toBe(odd);
  expect(JSON.parse(call?.body ?? '')).toEqual({ service: 'checkout', to: odd, note: 'slot blue' });
  expect(call?.headers.authorization).toBe(`Bearer ${secret}`);
  const told = await workspace.reply(card, /Done: Roll back|done: roll back/i);
  expect(JSON.stringify(told.blocks)).not.toMatch(/"(?:url)":"javascript:/);
});

test('a number is taken back to the number before', async () => {
  deploys.answer = json(200, { before: 3 });
  const card = await approved('deploys.scale service=ops instances=5', /instances: 5/);
  const reply = await workspace.reply(card, /Scale back/);
  await workspace.click('ben', reply, 'step.undo');
  await workspace.card(/instances: 3/);
});

test.each([
  ['   ', 51],
  ['\t', 52],
  ['0x10', 53],
  ['Infinity', 54],
  ['none', 55],
])('%j in place of a number is not offered as the number to go back to', async (before, limit) => {
  deploys.answer = json(200, { before });
  const card = await approved(`deploys.limit service=ops limit=${limit}`, new RegExp(`limit: ${limit}`));
  const done = await workspace.reply(card, /^Done/);
  expect(labelsOf(done.blocks)).not.toContain('Old limit');
});

test('half a character and a null byte in an answer break neither a look-up nor a write', async () => {
  deploys.answer = json(200, { total: 1, deploys: [{ version: 'v7\ud83d\u0000' }] });
  await workspace.plan('ben', 'deploys.running service=payments-api');
  expect(wordsOf(await workspace.card(/deploys are running/))).toContain('v7');
  deploys.answer = json(202, { id: 'd\ud83d\u0000', previous: 'v6\ud83d' });
  const card = await approved('deploys.rollback service=payments-api version=v7', /version: v7/);
  await workspace.reply(card, /^Done/);
  expect(await rows(workspace, "select outcome from runs where mode <> 'run' and outcome <> 'done'")).toEqual(
    [],
  );
});

test('is taken back by a card of its own', async () => {
  deploys.answer = json(202, { id: 'd-8', previous: 'v41' });
  const card = await approved('deploys.rollback service=ops version=v42', /v42/);
  const reply = await workspace.reply(card, /Roll forward/);
  await workspace.click('ben', reply, 'step.undo');
  await workspace.card(/version: v41/);
  expect(deploys.writes()).toHaveLength(1);
});

test('a read answers at once, and its number can be compared', async () => {
  deploys.answer = json(200, { total: 3, deploys: [{ version: 'v42' }] });
  await workspace.plan(
    'ben',
    'r = deploys.running service=checkout\nwhen r.total > 5: deploys.rollback service=checkout',
  );
  await workspace.card(/Nothing to do|not more than 5/);
});

describe('an answer that is not the expected one', () => {
  test.each<[string, DeployService['answer'], RegExp]>([
    ['409', json(409, {}), /A rollback of it is under way already/],
    ['404', json(404, {}), /That version is gone/],
    ['401', json(401, {}), /answered 401/],
  ])('%s certainly did not happen', async (name, answer, says) => {
    deploys.answer = answer;
    const card = await approved(`deploys.rollback service=ops version=f${name}`, new RegExp(`f${name}`));
    const final = wordsOf(await workspace.reply(card, /^(Failed|Partly)/, 20_000));
    expect(final).toMatch(says);
    expect(deploys.writes()).toHaveLength(1);
  });

  test.each<[string, DeployService['answer'], RegExp]>([
    ['html', plain(202, '<!doctype html><p>Sign in</p>', { 'content-type': 'text/html' }), /web page/],
    ['type', plain(202, '{}', { 'content-type': 'text/plain' }), /not JSON/],
    ['redirect', plain(303, '', { location: 'http://127.0.0.1:1/' }), /another address/],
    ['error', plain(500, 'oops'), /answered 500/],
    ['other', json(200, {}), /answered 200/],
    ['large', plain(202, `"${'x'.repeat(10_000_000)}"`, { 'content-type': 'application/json' }), /too long/],
    ['silence', () => undefined, /did not answer/],
    ['cut', (response) => void response.destroy(), /broke/],
  ])('%s may have happened: unknown, and never repeated', async (name, answer, says) => {
    deploys.answer = answer;
    const card = await approved(`deploys.rollback service=ops version=u${name}`, new RegExp(`u${name}`));
    expect(wordsOf(await workspace.reply(card, /^Outcome unknown/, 20_000))).toMatch(says);
    expect(deploys.writes()).toHaveLength(1);
  });

  test('is sent again under the same key where its system takes one', async () => {
    deploys.answer = (response, call) => {
      if (deploys.writes().length === 1) response.destroy();
      else json(202, { id: 'd-9' })(response, call);
    };
    const card = await approved('deploys.once service=ops version=twice1', /twice1/);
    await workspace.reply(card, /^Done/, 20_000);
    const keys = deploys.writes().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('is looked up where that can be done, and left to people where it is not found', async () => {
    let there = true;
    deploys.answer = (response, call) => {
      const key = new URL(call.path, 'http://x').searchParams.get('key');
      if (call.method === 'GET') json(200, { runs: there ? [{ key, id: 'd-10' }] : [] })(response, call);
      else response.destroy();
    };
    const found = await approved('deploys.seen service=ops version=seen1', /seen1/);
    await workspace.reply(found, /^Done/, 20_000);
    there = false;
    const lost = await approved('deploys.seen service=ops version=seen2', /seen2/);
    await workspace.reply(lost, /^Outcome unknown/, 20_000);
    expect(deploys.writes()).toHaveLength(2);
  });
});

test('the audit log has every call, and no row has the secret', async () => {
  const lines = await rows(workspace, "select data from audit where kind = 'write.intended'");
  expect(lines.length).toBeGreaterThan(10);
  const found = await rows(workspace, 'select 1 from step_results where result::text like $1', [
    `%${secret}%`,
  ]);
  expect(found).toEqual([]);
  expect(workspace.transcript()).not.toContain(secret);
});
