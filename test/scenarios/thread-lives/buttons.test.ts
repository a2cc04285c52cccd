/** Why: the person who was paged takes it from the thread with one tap, which is an approval like any other. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newestPage, paged } from '../../support/pages.ts';
import { breach, buttonValue, configWith, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const ack = 'step.next.pagerduty.ack';
const resolve = 'step.next.pagerduty.resolve';
const note = 'step.next.pagerduty.note';
const ticket = 'step.next.jira.create';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [
    { name: 'pages', tools: ['pagerduty.page'], approvers: ['U0ANA'] },
    { name: 'incidents', tools: ['pagerduty.ack', 'pagerduty.resolve'], approvers: ['U0ANA'] },
    { name: 'notes', tools: ['pagerduty.note'], approvers: ['U0ANA', 'U0CHIARA'], four_eyes: true },
    { name: 'tickets', tools: ['jira.create'], approvers: ['U0ANA'] },
  ];
  workspace = await Workspace.start({ config: configWith({ rules, caps: { pages_per_hour: 100 } }) });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace));

/** Waits until the state of the newest page's incident was read back from PagerDuty. */
async function noticed(state: string): Promise<void> {
  const { id } = newestPage(workspace);
  const stored = () => rows(workspace, "select life->>'state' as state from incidents where id = $1", [id]);
  await expect.poll(stored, { timeout: 20_000 }).toEqual([{ state }]);
}

/** Fills in and submits the form behind a button. */
async function fill(as: string, values: Readonly<Record<string, string>>) {
  const { id: viewId } = await workspace.modal(as);
  const blocks = Object.entries(values).map(([arg, value]) => [`next:${arg}`, { v: value }]);
  return workspace.sandbox.slack.submitView({ as, viewId, values: Object.fromEntries(blocks) });
}

test('the seed request takes two taps to an acknowledged page, and the card shows it', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card('breached');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.click('ana', await workspace.becomes(card, /Done/), ack);
  const shown = await workspace.becomes(card, /Acknowledged/);
  expect(newestPage(workspace).status).toBe('acknowledged');
  expect(shown.text).toMatch(/^Acknowledged by <@\w+> (?:after|at once)/);
  expect(actionsOf(shown.blocks)).toEqual([resolve, note, ticket]);
  const reply = await workspace.reply(card, /Incident\s+#\d+\s+is acknowledged/);
  expect(JSON.stringify(reply.blocks)).toContain('U0ANA');
});

test('a card calls an incident by its number, and says the button and not the call behind it', async () => {
  const page = await paged(workspace, 'Queue is long');
  const { id, number } = newestPage(workspace);
  await workspace.click('dev', page, ack);
  const card = await workspace.reply(page, `Acknowledge incident #${number}`);
  expect(wordsOf(card)).not.toMatch(new RegExp(`${id}|pagerduty\\.|incident=`));
  expect(card.text).not.toContain(id);
  await workspace.plan('ben', `add a note to #${number}: restarted it`);
  const note = await workspace.card('restarted it');
  expect(wordsOf(note)).toMatch(new RegExp(`Add a note to incident #${number}`));
  expect(wordsOf(note)).not.toContain(id);
});

test('the tap is an approved step: sealed, granted to the person who tapped, and audited', async () => {
  const card = await paged(workspace, 'Disk full');
  expect(JSON.stringify(card.blocks)).toContain('Resolve this incident?');
  expect(JSON.stringify(card.blocks)).toContain('can’t be reopened');
  await workspace.click('ana', card, resolve);
  await workspace.becomes(card, /Resolved/);
  const [pressed] = await rows(
    workspace,
    "select id, goal, requester from requests where via = 'button' order by created_at desc limit 1",
  );
  expect(pressed).toMatchObject({
    requester: 'U0ANA',
    goal: `Resolve incident #${newestPage(workspace).number}`,
  });
  const grants = await rows(workspace, 'select approver, digest from grants where request_id = $1', [
    pressed?.id,
  ]);
  expect(grants).toEqual([{ approver: 'U0ANA', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  const log = await rows(workspace, 'select kind, actor from audit where subject like $1 order by seq', [
    `%${pressed?.id}%`,
  ]);
  expect(log.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['revision.approved', 'write.intended', 'write.made']),
  );
  await noticed('resolved');
  // The step's reply reports it; the event for the same change is not reported again.
  const said = workspace.messages().filter((m) => m.threadTs === card.ts && /resolved/i.test(wordsOf(m)));
  expect(said.map(wordsOf)).toEqual([expect.stringMatching(/^✓.*is resolved/s)]);
});

test('an order in a page’s thread is its own request although cards of others wait there', async () => {
  const card = await paged(workspace, 'Shard is hot');
  await workspace.click('dev', card, ack);
  await workspace.reply(card, /Acknowledge incident.*Approvers/s);
  await workspace.click('dev', card, resolve);
  await workspace.reply(card, /Resolve incident.*Approvers/s);
  const order = { as: 'ana', channel: 'ops', text: '<@U0COUNTER> resolve it', threadTs: card.ts };
  await workspace.sandbox.slack.postAs(order);
  await workspace.whisper('ana', /already waiting for approval/);
});

test('an incident resolved from its thread is reported there once, and /plan show lists its history', async () => {
  const card = await paged(workspace, 'Lag is high');
  await workspace.click('ana', card, ack);
  await workspace.becomes(card, /Acknowledged/);
  const order = { as: 'ben', channel: 'ops', text: '<@U0COUNTER> resolve it', threadTs: card.ts };
  await workspace.sandbox.slack.postAs(order);
  const asked = await workspace.reply(card, /Resolve incident.*Approvers/s);
  await workspace.click('ana', asked, 'plan.approve');
  await workspace.becomes(card, /Resolved/);
  await noticed('resolved');
  const thread = workspace.messages().filter((m) => m.threadTs === card.ts && m.ts !== card.ts);
  expect(thread.filter((m) => /^(Done.*is resolved|Resolved)/s.test(wordsOf(m)))).toHaveLength(1);
  const [request] = await rows(workspace, "select id from requests where goal like '%Lag is high%'");
  await workspace.plan('ben', `show ${request?.id}`);
  expect(wordsOf(await workspace.whisper('ben', 'After the page'))).toMatch(/Acknowledged.*Resolved/s);
});

test('a person who may not approve gets a card for the approvers, and nothing is written meanwhile', async () => {
  const card = await paged(workspace, 'Search is down');
  await workspace.click('ben', card, ack);
  const asked = await workspace.reply(card, /Acknowledge incident/);
  expect(actionsOf(asked.blocks)).toContain('plan.approve');
  const word = await workspace.whisper('ben', 'You cannot approve this one');
  expect(wordsOf(word)).toContain('It waits in the thread, on a card for those who may.');
  expect(newestPage(workspace).status).toBe('triggered');
  await workspace.click('ana', asked, 'plan.approve');
  await workspace.becomes(card, /Acknowledged/);
  expect(newestPage(workspace).status).toBe('acknowledged');
});

test('a typed acknowledgement is done at once for who may, and its card has the next steps', async () => {
  await paged(workspace, 'Disk is slow');
  const { number } = newestPage(workspace);
  const typed = `ack #${number}`;
  await workspace.plan('dev', typed);
  const waiting = await workspace.card(new RegExp(`Acknowledge incident #${number}.*Approvers`, 's'));
  expect(actionsOf(waiting.blocks)).toContain('plan.approve');
  expect(newestPage(workspace).status).toBe('triggered');
  await workspace.click('dev', waiting, 'plan.reject');
  const { id: viewId } = await workspace.modal('dev');
  await workspace.sandbox.slack.submitView({ as: 'dev', viewId, values: { reason: { v: 'not mine' } } });
  await workspace.becomes(waiting, /Rejected/);
  await workspace.plan('ana', typed);
  const done = await workspace.card(new RegExp(`Done.*incident #${number} is acknowledged`, 's'));
  expect(newestPage(workspace).status).toBe('acknowledged');
  expect(actionsOf(done.blocks)).toEqual([resolve, note]);
  const [line] = await rows(
    workspace,
    "select count(*)::int as n from audit where kind like '%refused%' and data like '%not_allowed%' and actor = 'U0DEV'",
  );
  expect(line).toEqual({ n: 0 });
});

test('words that say more than the acknowledgement wait on a card', async () => {
  await paged(workspace, 'Disk is slower');
  const { number } = newestPage(workspace);
  await workspace.plan('ana', `acknowledge #${number} in PagerDuty`);
  const asked = await workspace.card(/acknowledges incident .*Disk is slower.*Approvers/s);
  expect(actionsOf(asked.blocks)).toContain('plan.approve');
  expect(newestPage(workspace).status).toBe('triggered');
});

test("under four eyes a note waits for another person's approval", async () => {
  const card = await paged(workspace, 'Queue is stuck');
  await workspace.click('ana', card, note);
  expect((await fill('ana', { text: '   ' })).fieldErrors).toEqual({ 'next:text': 'Fill this in.' });
  await fill('ana', { text: 'Failed over to eu-2.\n"Quoted" and {count.total}' });
  const asked = await workspace.reply(card, /Approvers/);
  expect(newestPage(workspace).notes).toEqual([]);
  await workspace.click('chiara', asked, 'plan.approve');
  await workspace.reply(card, /A note was added/);
  expect(newestPage(workspace).notes[0]?.content).toContain(
    'Failed over to eu-2.\n"Quoted" and {count.total}',
  );
});

test('a ticket is opened from the thread, in the project of the service', async () => {
  const card = await paged(workspace, 'Cache is cold');
  await workspace.becomes(card, /Done/);
  await workspace.click('ana', card, ticket);
  expect(JSON.stringify(await workspace.modal('ana'))).toMatch(/"initial_option":\{[^}]*"value":"OPS"/);
  await fill('ana', { project: 'OPS', summary: 'Warm the cache before a deploy' });
  const reply = await workspace.reply(card, /Created\s+OPS-\d+/);
  expect(actionsOf(reply.blocks)).toEqual(['step.undo']);
});

test('ten taps acknowledge once', async () => {
  const card = await paged(workspace, 'Mail is slow');
  await Promise.all(Array.from({ length: 10 }, () => workspace.click('ana', card, ack)));
  await workspace.becomes(card, /Acknowledged/);
  const made = await rows(
    workspace,
    "select count(*)::int as n from writes where tool = 'pagerduty.ack' and evidence->'result'->>'incident' = $1 and evidence->'result'->>'already' = 'false'",
    [newestPage(workspace).id],
  );
  expect(made).toEqual([{ n: 1 }]);
});

test('a forged button does nothing', async () => {
  const card = await paged(workspace, 'Index is red');
  const value = buttonValue(card, ack) ?? '';
  const before = await rows(workspace, "select count(*)::int as n from requests where via = 'button'");
  const forged = [
    { actionId: 'step.next.pagerduty.page', value },
    { actionId: 'step.next.slack.post', value },
    {
      actionId: ack,
      value:
        value.replace(/"d":"./, '"d":"0') === value
          ? value.replace(/"d":"./, '"d":"1')
          : value.replace(/"d":"./, '"d":"0'),
    },
    { actionId: ack, value: '{}' },
  ];
  for (const one of forged) await forgedClick(workspace, { as: 'ana', message: card, ...one });
  await workspace.whisper('ana', 'out of date');
  expect(await rows(workspace, "select count(*)::int as n from requests where via = 'button'")).toEqual(
    before,
  );
  expect(newestPage(workspace).status).toBe('triggered');
});

test('an old button does not acknowledge an incident that was resolved meanwhile', async () => {
  const card = await paged(workspace, 'Pods restart');
  const reply = await workspace.reply(card, /^Done.*was paged/s);
  workspace.sandbox.pagerduty.store.setStatus(newestPage(workspace), 'resolved', 'PCHIARA01');
  await workspace.click('ana', reply, ack);
  await workspace.reply(card, /FAILED.*acknowledging it now would open it again/s);
  expect(newestPage(workspace).status).toBe('resolved');
});

test('without a public address PagerDuty is polled, and its changes still reach the thread', async () => {
  const card = await paged(workspace, 'Polling');
  workspace.sandbox.pagerduty.store.setStatus(newestPage(workspace), 'acknowledged', 'PCHIARA01');
  await workspace.reply(card, /^Acknowledged\s+by Chiara Conti/, 20_000);
  await workspace.becomes(card, /Acknowledged\s+by Chiara Conti/);
});
