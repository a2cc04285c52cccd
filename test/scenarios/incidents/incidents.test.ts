/** Why: a change to an incident is made once, to the incident that the card named, and reported truthfully. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Incident } from '../../../sandbox/pagerduty/model.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let incident: Incident;
let lastKey = 0;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ rules: [{ approvers: ['U0ANA'] }] }) });
});
beforeEach(() => {
  incident = open({});
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

const rest = { vendor: 'pagerduty-rest' } as const;

function open(more: { title?: string; service?: string; urgency?: 'high' | 'low' }): Incident {
  lastKey += 1;
  const { store } = workspace.sandbox.pagerduty;
  const about = { service: 'PSOPS01', title: `Disk ${lastKey} is full`, urgency: 'high' } as const;
  return store.create({ ...about, ...more, incidentKey: `key-${lastKey}`, by: null });
}

/** The card for a plan in notation. */
async function cardOf(notation: string): Promise<Message> {
  await workspace.plan('ben', notation);
  return workspace.card(incident.title);
}

function changes(method: string): number {
  return workspace.sandbox.journal.list({ ...rest, method }).length;
}

test('an incident change that PagerDuty accepts but does not make is reported as unknown', async () => {
  const { id, number, title } = incident;
  const body = {
    incident: {
      ...{ id, incident_number: number, title, status: 'triggered', urgency: 'high' },
      ...{ service: { id: 'PSOPS01' }, created_at: new Date().toISOString() },
    },
  };
  const match = { method: 'PUT', path: `/incidents/${id}` };
  workspace.sandbox.faults.add({ ...rest, kind: 'status', status: 200, body, match });
  const card = await cardOf(`pagerduty.ack incident=${id}`);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(
    card,
    `does not show that incident #${number} is acknowledged or resolved: #${number} is triggered`,
  );
  await workspace.becomes(card, /[Uu]nknown/);
  expect(changes('PUT')).toBe(1);
});

test('an incident list gives the total, shows the newest in a table, and links to each', async () => {
  open({ title: 'Low <!channel> & <https://evil.example|here>', urgency: 'low' });
  for (let count = 0; count < 3; count += 1) open({ title: 'Search is slow', service: 'PSCHK01' });
  await workspace.plan('ben', 'pagerduty.incidents service=checkout limit=2');
  const reply = await workspace.card('4 PagerDuty incidents of checkout');
  expect(wordsOf(reply)).toMatch(/2 of 4 shown.*Search is slow/s);
  const newest = workspace.pages().at(-1);
  expect(JSON.stringify(reply.blocks)).toContain(
    `https://acme-sandbox.pagerduty.com/incidents/${newest?.id}`,
  );

  await workspace.plan('ben', 'pagerduty.incidents service=ops urgency=low status=triggered window=PT1H');
  const told = await workspace.card('1 triggered low-urgency PagerDuty incident of ops');
  expect(wordsOf(told)).toContain('Low <!channel> & <https://evil.example|here>');
  expect(told.mentions).toEqual(['U0BEN']);
  expect(JSON.stringify(told.blocks)).not.toMatch(/"type":"broadcast"|"url":"https:\/\/evil/);
});

test('a note is added to the incident once, with the requester and the approver', async () => {
  const card = await cardOf(`pagerduty.note incident=${incident.id} text="failed over *now* <!channel>"`);
  expect(wordsOf(card)).toMatch(
    new RegExp(
      `→ adds a note to incident #${incident.number} “${incident.title}” of ops \\(high urgency\\), triggered since `,
    ),
  );
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: +a note was added to incident +#\d+ *\./);
  expect(incident.notes).toMatchObject([
    {
      user: 'PANA01',
      content: expect.stringMatching(
        /^failed over \*now\* @channel\n\nRequested by @ben, approved by @ana\n\[cs-run-\w+-1-note\]$/,
      ),
    },
  ]);
});

test('a note whose answer was lost is looked up and not written again', async () => {
  const card = await cardOf(`pagerduty.note incident=${incident.id} text="looked at it"`);
  workspace.sandbox.faults.add({ ...rest, match: { method: 'POST' }, kind: 'lost-answer', times: 1 });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: +a note was added/);
  expect(incident.notes).toHaveLength(1);
});

test('acknowledge and resolve change the incident, and a repeat says who did it and when', async () => {
  const { id } = incident;
  await workspace.plan('ben', `pagerduty.ack incident=${id}\npagerduty.resolve incident=${id}`);
  const card = await workspace.card(incident.title);
  expect(wordsOf(card)).toMatch(/→ acknowledges incident #.*→ resolves incident #/s);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: +incident +#\d+ +is acknowledged; incident +#\d+ +is resolved/);
  expect(incident.status).toBe('resolved');
  const before = changes('PUT');
  incident.updatedAt = new Date(Date.now() - 60_000);
  await workspace.plan('ben', `pagerduty.resolve incident=${id}`);
  const again = await workspace.card('resolved by Ana Ruiz at');
  await workspace.click('ana', again, 'plan.approve');
  const told = await workspace.reply(again, /^Done: +incident +#\d+ +was resolved already by Ana Ruiz, at /);
  expect(wordsOf(told)).toContain('nothing was changed');
  expect(changes('PUT')).toBe(before);
});

test('a change whose answer was lost is sent again safely and reported as done', async () => {
  const card = await cardOf(`pagerduty.ack incident=${incident.id}`);
  workspace.sandbox.faults.add({ ...rest, match: { method: 'PUT' }, kind: 'lost-answer', times: 1 });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: +incident +#\d+ +is acknowledged/);
  expect(incident.status).toBe('acknowledged');
});

test('an incident resolved meanwhile is not acknowledged, as that would reopen it', async () => {
  const card = await cardOf(`pagerduty.ack incident=${incident.id}`);
  workspace.sandbox.pagerduty.store.setStatus(incident, 'resolved', 'PBEN01');
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Failed/));
  expect(final).toMatch(
    /Incident #\d+ was resolved by Ben Okafor at \d\d:\d\d UTC; acknowledging it now would open it again/,
  );
  expect(incident.status).toBe('resolved');
});

test('a note is added to an incident resolved meanwhile, and the reply says so', async () => {
  const card = await cardOf(`pagerduty.note incident=${incident.id} text="root cause found"`);
  workspace.sandbox.pagerduty.store.setStatus(incident, 'resolved', 'PBEN01');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /a note was added to incident +#\d+ *, which is resolved by now/);
});

test('a change without permission fails and names the token', async () => {
  const card = await cardOf(`pagerduty.resolve incident=${incident.id}`);
  workspace.sandbox.faults.add({ ...rest, match: { method: 'PUT' }, kind: 'status', status: 403 });
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Failed/));
  expect(final).toMatch(/does not allow this.*need a PAGERDUTY_API_TOKEN that is not read-only/);
  expect(incident.status).toBe('triggered');
});

test('a malformed answer does not count as success: the change is sent again', async () => {
  const card = await cardOf(`pagerduty.resolve incident=${incident.id}`);
  const odd = { kind: 'status', status: 200, body: { incident: { id: incident.id } }, times: 1 } as const;
  workspace.sandbox.faults.add({ ...rest, match: { method: 'PUT' }, ...odd });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: +incident +#\d+ +is resolved/);
  expect(incident.status).toBe('resolved');
});

test('a rate-limited change is made once, after the pause', async () => {
  const card = await cardOf(`pagerduty.resolve incident=${incident.id}`);
  const before = changes('PUT');
  const limited = { kind: 'status', status: 429, retryAfterSeconds: 1, times: 1 } as const;
  workspace.sandbox.faults.add({ ...rest, match: { method: 'PUT' }, ...limited });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(changes('PUT')).toBe(before + 2);
  expect(incident.status).toBe('resolved');
});

test('a page is undone by resolving its incident, and a resolve by paging again, each as its own plan', async () => {
  const text = 'the "disk" of {count.total} is full';
  await workspace.plan(
    'ben',
    `pagerduty.page service=ops urgency=low text="the \\"disk\\" of \\{count.total} is full"`,
  );
  const paging = await workspace.card(text);
  await workspace.click('ana', paging, 'plan.approve');
  const paged = await workspace.reply(paging, /^Done/);
  const opened = workspace.pages().at(-1);
  await workspace.click('ben', paged, 'step.next.pagerduty.resolve');
  const resolving = await workspace.reply(paging, `esolves incident #${opened?.number}`);
  expect(opened?.status).toBe('triggered');
  await workspace.click('ana', resolving, 'plan.approve');
  await expect.poll(() => opened?.status).toBe('resolved');

  const resolved = await workspace.reply(paging, /^✓.*is resolved/s);
  await workspace.click('ben', resolved, 'step.undo');
  const again = await workspace.reply(paging, `#${opened?.number} was resolved too early`);
  expect(wordsOf(again)).toContain('pages Ana Ruiz');
  expect(workspace.pages().at(-1)).toBe(opened);
  await workspace.click('ana', again, 'plan.approve');
  await workspace.until(() => workspace.pages().at(-1) !== opened, 'another page');
  expect(workspace.pages().at(-1)?.title).toContain(
    `${text} — again: #${opened?.number} was resolved too early`,
  );
  expect(workspace.pages().at(-1)?.urgency).toBe('low');
});

test('an action that cannot be undone offers no undo, and its card says so', async () => {
  const card = await cardOf(
    `pagerduty.ack incident=${incident.id}; pagerduty.note incident=${incident.id} text="on it"`,
  );
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const thread = workspace.messages().filter(({ threadTs }) => threadTs === card.ts);
  expect(thread.flatMap(({ blocks }) => actionsOf(blocks))).not.toContain('step.undo');
  expect(JSON.stringify(card.blocks)).toContain('An acknowledgement can’t be undone from Slack');
});

test("incidents of a past day are listed in any state, without today's", async () => {
  await workspace.plan('ben', 'incidents on ops yesterday');
  await workspace.card('0 PagerDuty incidents of ops yesterday');
  await workspace.plan('ben', 'pagerduty.incidents service=ops during=today urgency=high limit=1');
  await workspace.card(/[1-9]\d* high-urgency PagerDuty incidents? of ops today/);
});

test('"older than" lists incidents opened before that time, not new ones', async () => {
  const old = open({ title: 'Disk was full' });
  Object.assign(old, { createdAt: new Date(Date.now() - 3 * 3_600_000) });
  await workspace.plan('ben', 'incidents on ops older than 2 hours');
  const card = await workspace.card(/^\d+ open PagerDuty incidents? of ops older than 2 hours/);
  expect(wordsOf(card)).toContain('Disk was full');
  expect(wordsOf(card)).not.toContain(incident.title);
});
