/** Why: the next shift reads in one message what is still open, and nothing private. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [{ approvers: ['U0ANA'] }];
  const schedules = [{ name: 'shift', cron: '* * * * *', goal: 'handover 8h', channel: 'incidents' }];
  workspace = await Workspace.start({
    config: configWith({ rules, schedules, caps: { pages_per_hour: 100 } }),
  });
});
afterAll(() => finish(workspace));

async function approved(text: string, service = 'ops', channel = 'ops'): Promise<Message> {
  await workspace.plan('ben', `pagerduty.page service=${service} text="${text}"`, channel);
  const card = await workspace.card(text, channel);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done|Failed|unknown/);
  return card;
}

test('lists open incidents with their owners, and pending, failed and done plans, each with its link', async () => {
  const { store } = workspace.sandbox.pagerduty;
  const over = await approved('Disk full');
  const [disk] = workspace.pages().slice(-1);
  if (disk !== undefined) store.setStatus(disk, 'resolved', 'PANA01');
  const open = await approved('Search is down', 'checkout');
  const [search] = workspace.pages().slice(-1);
  if (search !== undefined) store.setStatus(search, 'acknowledged', 'PCHIARA01');
  await workspace.becomes(over, /Resolved/, 25_000);
  await workspace.becomes(open, /Acknowledged/, 25_000);
  await workspace.plan('ben', 'slack.post channel=#incidents text="Not decided yet"');
  await workspace.card('Not decided yet');

  await workspace.plan('eva', 'handover 8h');
  const words = wordsOf(await workspace.card('Hand-over, since'));
  expect(words).toMatch(/Open incidents.*Acknowledged\s+by Chiara Conti.*Search is down/s);
  expect(words).toMatch(/Waiting for approval.*Waiting/s);
  expect(words).toMatch(/Failed or unknown\s+None\./);
  expect(words).toMatch(/Paged.*Search is down.*Resolved\s+by Ana Ruiz.*Disk full/s);
  expect(words).toMatch(/Done.*Page the on-call of (ops|checkout)/s);
});

/** Asks for another hand-over; resolves with it. */
async function nextHandover(): Promise<Message> {
  const all = () => workspace.messages().filter((message) => wordsOf(message).startsWith('Hand-over, since'));
  const before = all().length;
  await workspace.plan('eva', 'handover 8h');
  await workspace.until(() => all().length > before, 'a hand-over');
  return workspace.card('Hand-over, since');
}

const isList = ({ path }: { path: string }) => path === '/incidents';

test('incidents opened by monitoring are listed once, unacknowledged first', async () => {
  const { store } = workspace.sandbox.pagerduty;
  const about = { service: 'PSPAY01', urgency: 'high', by: null } as const;
  store.create({ ...about, title: 'Payments are slow', incidentKey: 'slow' });
  const taken = store.create({ ...about, title: 'Queue is long', incidentKey: 'queue' });
  store.setStatus(taken, 'acknowledged', 'PBEN01');

  await workspace.plan('eva', 'handover 8h');
  const words = wordsOf(await workspace.card(/Open incidents.*Payments are slow/s));
  const [open = '', rest = ''] = words.split('Waiting for approval');
  expect(open).toMatch(
    /Not acknowledged.*Payments are slow.*Acknowledged\s+by Ben Okafor\s+at once.*Queue is long.*Acknowledged\s+by Chiara Conti.*Search is down/s,
  );
  expect(open.match(/Search is down/g)).toHaveLength(1);
  const [asked] = workspace.sandbox.journal.list({ vendor: 'pagerduty-rest' }).filter(isList).slice(-1);
  expect(asked?.query['service_ids[]']).toEqual(['PSOPS01', 'PSPAY01', 'PSCHK01']);
  expect(rest).not.toMatch(/Payments are slow|Queue is long/);
});

test('if PagerDuty is down, the hand-over says so and that its incident list is incomplete', async () => {
  workspace.sandbox.faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 503 });
  await workspace.plan('eva', 'handover 8h');
  const handedOver = await workspace.card(/Open incidents\s+PagerDuty could not be asked/);
  workspace.sandbox.faults.clear();
  expect(wordsOf(handedOver)).toMatch(/only the ones that Countersign opened.*Search is down.*Waiting for/s);
  expect(handedOver.text).toContain('PagerDuty could not be asked');
});

test('a failed page is listed even while a card for the remaining steps is pending', async () => {
  const { faults, slack } = workspace.sandbox;
  faults.add({ vendor: 'pagerduty-events', kind: 'status', status: 400 });
  await approved('Mail is late');
  await workspace.card('Again: Page the on-call of ops');
  faults.clear();

  await workspace.plan('eva', 'handover 8h');
  const handedOver = await workspace.card(/Failed or unknown\s+Failed/);
  expect(handedOver.text).toContain('1 failed or unknown');
  await workspace.plan('eva', 'history ops');
  const history = wordsOf(await workspace.whisper('eva', /History of ops/));
  expect(history).toMatch(/Waiting.*Again: Page.*Failed.*Page the on-call of ops/s);
  await slack.openHome({ as: 'eva' });
  const home = () => JSON.stringify(slack.state().homes[workspace.person('eva')]?.definition);
  await workspace.until(() => /Recent runs.*Failed.*Done/s.test(home()), 'the failed run in the App Home');
  expect(home()).not.toMatch(/Recent runs.*Waiting.*Watches/s);
});

test('a failure in the period is listed however busy it was, and uncounted runs are mentioned', async () => {
  const [{ id } = { id: '' }] = await rows(
    workspace,
    "select request_id as id from runs where outcome = 'done' and mode = 'run' limit 1",
  );
  const copy = (table: string, changed: object) =>
    rows(
      workspace,
      `insert into ${table} select (jsonb_populate_record(t, $2::jsonb || jsonb_build_object($3::text, 'busy' || i))).*
      from ${table} t, generate_series(1, 150) i where t.${table === 'requests' ? 'id' : 'request_id'} = $1`,
      [id, JSON.stringify(changed), table === 'requests' ? 'id' : 'request_id'],
    );
  await copy('requests', { created_at: new Date() });
  const whole = await nextHandover();
  expect(wordsOf(whole)).toMatch(/Failed or unknown\s+Failed.*Done/s);
  expect(whole.text).toContain('1 failed or unknown');
  expect(wordsOf(whole)).not.toContain('at least');

  await copy('revisions', { plan_key: null });
  await rows(
    workspace,
    `insert into runs (team_id, id, request_id, number, mode, state, outcome, started_at, finished_at)
    select team_id, request_id, request_id, number, 'run', 'finished', 'done', now(), now() - interval '7 hours'
    from revisions where request_id like 'busy%'`,
  );
  expect(wordsOf(await nextHandover())).toMatch(/Failed or unknown\s+Failed.*Done.*and at least \d\d more/s);
});

test('a schedule posts the hand-over by itself', async () => {
  await rows(workspace, "update watches set next_at = date_trunc('minute', now()) where id = 'shift'");
  await workspace.card('Hand-over, since', 'incidents');
});
