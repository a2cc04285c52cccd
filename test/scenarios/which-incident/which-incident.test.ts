/** Why: people name an incident by its number, its address or "the one of this thread"; the card names the one it is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Incident } from '../../../sandbox/pagerduty/model.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let disk: Incident;
let elsewhere: Incident;
beforeAll(async () => {
  const services = { ops: { pagerduty: 'PSOPS01', routing_key: 'PD_ROUTING_KEY_OPS' } };
  const projects = { OPS: { service: 'ops', sla: { P1: { max_open: 20 } } } };
  const rules = [{ approvers: ['U0ANA'] }];
  workspace = await Workspace.start({
    config: configWith({ services, projects, rules, queries: [], errors: undefined, actions: {} }),
  });
  const { store } = workspace.sandbox.pagerduty;
  const about = { title: 'The disk is full', urgency: 'high', by: null } as const;
  disk = store.create({ ...about, service: 'PSOPS01', incidentKey: 'disk.full:db1' });
  elsewhere = store.create({
    ...about,
    service: 'PSCHK01',
    incidentKey: 'basket',
    title: 'The basket is empty',
  });
});
afterAll(() => finish(workspace));

const address = ({ id }: Incident) => `https://acme-sandbox.pagerduty.com/incidents/${id}`;

test.each<[string, () => string]>([
  ['its number', () => `#${disk.number}`],
  ['its bare number', () => `${disk.number}`],
  ['its id', () => disk.id],
  ['its dedup key', () => disk.incidentKey],
  ['its address', () => address(disk)],
])(
  'an incident named by %s becomes the same id in the plan and is shown by number and title',
  async (what, name) => {
    const goal = `pagerduty.note incident=${name()} text="seen by ${what}"`;
    await workspace.plan('ben', goal);
    const card = await workspace.card(`seen by ${what}`);
    expect(wordsOf(card)).toContain(`→ adds a note to incident #${disk.number} “The disk is full” of ops`);
    const [row] = await rows(workspace, 'select bytes from revisions order by created_at desc limit 1');
    expect(JSON.parse(String(row?.bytes)).plan.steps).toMatchObject([{ args: { incident: disk.id } }]);
  },
);

test.each<[string, () => string, RegExp]>([
  ['a number that no incident has', () => '4711', /PagerDuty has no incident “4711”/],
  ['a key that no incident has', () => 'cs-nothing', /PagerDuty has no incident “cs-nothing”/],
  [
    'the number of another service',
    () => String(elsewhere.number),
    /Incident #\d+ belongs to “checkout”, which is not a service in countersign\.yml/,
  ],
  [
    'an address on another host',
    () => `https://acme.evil.example/incidents/${disk.id}`,
    /not an address of your PagerDuty: there incident #\d+ is at/,
  ],
  [
    'a host that only looks right',
    () => `https://acme-sandbox.pagerduty.com.evil.example/incidents/${disk.id}`,
    /not an address of your PagerDuty/,
  ],
  ['this thread, outside of one', () => 'thread', /No run in this thread has paged anybody/],
])('%s makes no plan, and the reply says what is wrong', async (_what, name, expected) => {
  const before = (await rows(workspace, 'select number from revisions')).length;
  await workspace.plan('eva', `pagerduty.resolve incident=${name()}`);
  await workspace.whisper('eva', expected);
  expect(await rows(workspace, 'select number from revisions')).toHaveLength(before);
});

test('an incident is looked up without an approval: its status, its owner and its history', async () => {
  const { store } = workspace.sandbox.pagerduty;
  const ana = store.world.people.find(({ name }) => name === 'ana');
  store.setStatus(disk, 'acknowledged', ana?.pagerdutyId ?? null);
  await workspace.plan('eva', `who acked #${disk.number}`);
  const card = await workspace.card(new RegExp(`#${disk.number}\\s+is acknowledged`));
  expect(wordsOf(card)).toMatch(/is acknowledged by Ana \S+: The disk is full/);
  expect(wordsOf(card)).toMatch(/acknowledged, high urgency, ops/);
  expect(wordsOf(card)).toMatch(/Opened just now\s+Acknowledged by Ana \S+ just now/);
  expect(JSON.stringify(card.blocks)).toContain(address(disk));
  await workspace.plan('eva', `page ops if incident ${disk.number} is still open`);
  const page = await workspace.card(`Page the on-call of ops if incident ${disk.number} is not resolved`);
  expect(wordsOf(page)).toContain(`only if incident ${disk.number} is not resolved`);
});

test('a number that cannot be looked up makes no plan; an id is enough for one', async () => {
  workspace.sandbox.faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 503 });
  await workspace.plan('eva', `pagerduty.resolve incident=${disk.number}`);
  await workspace.whisper('eva', /could not be looked up: PagerDuty had an error on its side/);
  await workspace.plan('eva', `pagerduty.resolve incident=${disk.id}`);
  const card = await workspace.card(`pagerduty.resolve incident=${disk.id}`);
  expect(wordsOf(card)).toMatch(new RegExp(`→ ${disk.id} \\(could not be looked up: `));
  workspace.sandbox.faults.clear();
});

test('“thread” is the incident paged by a run in this thread', async () => {
  await workspace.plan('ben', 'pagerduty.page service=ops text="search is down"');
  const card = await workspace.card('search is down');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const page = workspace.pages().at(-1);
  const text = '<@U0COUNTER> pagerduty.note incident=thread text="index is rebuilt"';
  await workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', text, threadTs: card.ts });
  const next = await workspace.card(/index is rebuilt[\s\S]*adds a note to incident/);
  expect(wordsOf(next)).toContain(`adds a note to incident #${page?.number} “search is down`);
  expect(next.threadTs).toBe(card.ts);
  await workspace.click('ana', next, 'plan.approve');
  await workspace.becomes(next, /^.*Done/s);
  expect(page?.notes).toMatchObject([{ content: expect.stringContaining('index is rebuilt') }]);
  const words = { as: 'ben', channel: 'ops', text: '<@U0COUNTER> ack it', threadTs: card.ts };
  await workspace.sandbox.slack.postAs(words);
  const acked = await workspace.card(/acknowledges? incident/i);
  expect(wordsOf(acked)).toContain(`#${page?.number} “search is down`);
});

test('“the ops incident” is its only open one; if there are several or none, no plan is made', async () => {
  const { store } = workspace.sandbox.pagerduty;
  const about = { service: 'PSOPS01', title: 'Swap is full', urgency: 'low', by: null } as const;
  const swap = store.create({ ...about, incidentKey: 'swap' });
  const settle = (but: Incident | null) => {
    for (const one of store.incidents())
      if (one.service === 'PSOPS01' && one !== but) store.setStatus(one, 'resolved', null);
  };
  await workspace.plan('dev', 'resolve the ops incident');
  await workspace.whisper('dev', /Ops has several open incidents: say which of #\d+ “Swap is full”, #\d+/);
  settle(swap);
  await workspace.plan('dev', 'resolve the ops incident');
  const card = await workspace.card('resolve the ops incident');
  expect(wordsOf(card)).toContain(`resolves incident #${swap.number} “Swap is full” of ops`);
  settle(null);
  await workspace.plan('dev', 'ack ops');
  await workspace.whisper('dev', /Ops has no open incident/);
});
