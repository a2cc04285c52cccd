/** Why: a front and executors together behave like one process, and each has only its own keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bot, type BotProcess, failedStart } from '../../support/bot.ts';
import { freePort } from '../../support/port.ts';
import { breach, configWith, expectSound, rows } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

/** An empty value counts as unset. */
const noKeys = {
  PD_ROUTING_KEY_OPS: '',
  PD_ROUTING_KEY_PAYMENTS_API: '',
  PD_ROUTING_KEY_CHECKOUT: '',
  SHOP_DATABASE_URL: '',
  AZURE_CLIENT_SECRET: '',
  SPLUNK_TOKEN: '',
  DEPLOYS_URL: '',
  DEPLOYS_TOKEN: '',
};
const front = { COUNTERSIGN_ROLE: 'front', ...noKeys };
let workspace: Workspace;
let executors: Bot[] = [];
/** The first executor is a separate process, because it is killed; its successors need not be. */
let dying: BotProcess;
let opsUrl = '';

beforeAll(async () => {
  const goal = 'if PAY has more than 0 open P1 tickets, page payments-api';
  const schedules = [{ name: 'every-minute', cron: '* * * * *', goal, channel: 'support' }];
  // The bot is not in this channel.
  const channels = { ops: { id: 'C0OPS' }, support: { id: 'C0SUPPORT' } };
  const opsPort = await freePort();
  opsUrl = `http://127.0.0.1:${opsPort}`;
  workspace = await Workspace.start({
    env: { ...front, OPS_PORT: String(opsPort) },
    config: configWith({ schedules, channels }),
  });
});
afterAll(async () => {
  try {
    await expectSound(workspace, /No executor is up/);
    for (const bot of executors) expect(await bot.stop()).toBe(0);
    expect(await workspace.bot.stop()).toBe(0);
  } finally {
    await workspace.stop();
  }
});

function executorEnv(): Record<string, string> {
  const { sandbox } = workspace;
  const keys = Object.keys(noKeys).map((name) => [name, sandbox.env[name] ?? '']);
  const executor = { COUNTERSIGN_ROLE: 'executor', SLACK_APP_TOKEN: '', OPS_PORT: '' };
  return { ...executor, ...Object.fromEntries(keys) };
}

async function cardFor(goal: string): Promise<Message> {
  await workspace.plan('ben', goal);
  return workspace.card(goal);
}

function finalsOf(card: Message): Message[] {
  return workspace.messages().filter((m) => m.threadTs === card.ts && /^Done/.test(wordsOf(m)));
}

test('without an executor nothing is sent, the requester is told, and the first executor continues', async () => {
  await workspace.plan('ben', breach);
  await workspace.whisper('ben', 'taking longer than usual');
  // It still reports ready: a load balancer that removed the fronts would lose the requests they store.
  const readyz = await fetch(`${opsUrl}/readyz`);
  expect([readyz.status, await readyz.json()]).toMatchObject([200, { ready: true, executors: 'none is up' }]);
  expect(await (await fetch(`${opsUrl}/metrics`)).text()).toMatch(/^countersign_ready\{.*executors.*\} 0$/m);
  dying = await workspace.startProcess(executorEnv());
  executors = [dying];
  await workspace.card(breach);
});

test('the front plans a goal, an executor does its reads and its page, and it is reported once', async () => {
  const card = await workspace.card(breach);
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toContain('was paged');
  await workspace.becomes(card, 'finished');
  expect(workspace.pages().map(({ triggers }) => triggers)).toEqual([1]);
  expect(finalsOf(card)).toHaveLength(1);
  // The run was offered and taken at once: a run found by polling would have waited for more than a second.
  const [run] = await rows(workspace, `select executor, entered from runs where mode = 'run'`);
  expect(run).toMatchObject({ entered: 1 });
  workspace.resolvePages();
});

/** Approves a page that hangs in PagerDuty; resolves with the executor that sends it. */
async function pagesAndHangs(card: Message): Promise<Bot> {
  const { faults, journal } = workspace.sandbox;
  faults.add({ vendor: 'pagerduty-events', kind: 'hang' });
  const writes = () => journal.list({ vendor: 'pagerduty-events' }).length;
  const before = writes();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(() => writes() > before, 'the write');
  const [run] = await rows(workspace, `select executor from runs where state = 'running' and mode = 'run'`);
  const id = String(run?.executor).split(':')[0] ?? '';
  const busy = executors.find((bot) => bot.log().includes(`"process":"${id}"`));
  if (busy === undefined) throw new Error(`no executor is ${id}`);
  return busy;
}

async function endsOnce(card: Message): Promise<void> {
  expect(wordsOf(await workspace.reply(card, /^Done/, 25_000))).toContain('was paged');
  await workspace.becomes(card, 'finished');
  expect(finalsOf(card)).toHaveLength(1);
  expect(workspace.pages().at(-1)?.triggers).toBe(1);
  workspace.resolvePages();
}

test('an executor that dies in the middle of a write goes unnoticed', async () => {
  const card = await cardFor('if OPS has more than 3 open P1 tickets, page ops');
  expect(await pagesAndHangs(card)).toBe(dying);
  executors.push(await workspace.startAnother(executorEnv()));
  await dying.kill();
  workspace.sandbox.faults.clear();
  await endsOnce(card);
  executors = executors.filter((bot) => bot !== dying);
});

test('an executor that is replaced during a run hands it to the next one', async () => {
  const card = await cardFor('if OPS has more than 4 open P1 tickets, page ops');
  const old = await pagesAndHangs(card);
  executors = [await workspace.startAnother(executorEnv())];
  // The write ends while the old executor waits for its steps, or the next one looks it up: it is never made twice.
  const stopped = old.stop();
  workspace.sandbox.faults.clear();
  expect(await stopped).toBe(0);
  await endsOnce(card);
});

const refuseComments = () =>
  workspace.sandbox.faults.add({
    vendor: 'jira',
    match: { method: 'POST', path: '/rest/api/3/issue/OPS-1/comment' },
    kind: 'status',
    status: 400,
  });

test('a run that failed on an executor is planned anew by the front', async () => {
  const card = await cardFor('if OPS has more than 5 open P1 tickets, page ops and comment on OPS-1 "paged"');
  refuseComments();
  await workspace.click('ana', card, 'plan.approve');
  const cards = () =>
    workspace.messages().filter((m) => !m.threadTs && wordsOf(m).includes('Comment on OPS-1'));
  await workspace.until(() => cards().length === 2, 'a card for what is left');
  expect(cards().map((each) => actionsOf(each.blocks).includes('plan.approve'))).toEqual([false, true]);
  workspace.sandbox.faults.clear();
});

test('a run does not end without the order to plan the rest anew', async () => {
  // A sequence counts attempts, also those that are rolled back: the first one fails.
  await rows(workspace, 'create sequence orders');
  await rows(
    workspace,
    `create function refuse_first() returns trigger language plpgsql as $$ begin
      if new.key like 'failed:%' and nextval('orders') = 1 then raise exception 'not now'; end if;
      return new;
    end $$`,
  );
  await rows(workspace, 'grant all on sequence orders to public');
  await rows(
    workspace,
    'create trigger refuse_first before insert on inbox for each row execute function refuse_first()',
  );
  const card = await cardFor('if OPS has more than 8 open P1 tickets, page ops and comment on OPS-1 "zebra"');
  refuseComments();
  await workspace.click('ana', card, 'plan.approve');
  const rest = () =>
    workspace
      .messages()
      .map(wordsOf)
      .filter((words) => /^What is left of.*zebra/s.test(words));
  await workspace.until(() => rest().length === 1, 'a card for what is left');
  await rows(workspace, 'drop trigger refuse_first on inbox');
  workspace.sandbox.faults.clear();
});

test('a message that neither half can post reaches the requester, or an operator for a schedule', async () => {
  const { slack } = workspace.sandbox;
  const direct = (as: string) => workspace.messages(workspace.person(as), workspace.person(as)).map(wordsOf);
  await rows(workspace, "update watches set next_at = $1 where id = 'every-minute'", [new Date()]);
  const told = () =>
    [...direct('ana'), ...direct('chiara')].filter((words) => words.includes('could not be posted'));
  await workspace.until(() => told().length > 0, 'a word to an operator');
  expect(told()[0]).toMatch(/A message to <#C0SUPPORT> could not be posted.*not in that channel/s);

  const card = await cardFor('if OPS has more than 6 open P1 tickets, page ops');
  await slack.setBotMember({ channel: 'ops', member: false });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(
    () => direct('ben').some((words) => /could not be posted.*(?:paged|paging)/s.test(words)),
    'the outcome',
  );
  await slack.setBotMember({ channel: 'ops', member: true });
  workspace.resolvePages();
});

test('a front that has a write key does not start, and names the key', async () => {
  const { sandbox, env } = workspace;
  const key = sandbox.env.PD_ROUTING_KEY_OPS ?? '';
  const { code, said } = await failedStart({ ...sandbox.env, ...env, PD_ROUTING_KEY_OPS: key });
  expect(code).toBe(78);
  expect(said).toContain('services.ops.routing_key: needs PD_ROUTING_KEY_OPS to be taken out');
  expect(said).not.toContain(key);
});
