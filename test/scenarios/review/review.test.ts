/** Why: a review written from memory is wrong; this one has a record for each line, and is published by approval. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { commands } from '../../../src/commands/all.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let number: number;
let card: Message;
beforeAll(async () => {
  const rules = [{ approvers: ['U0ANA'] }];
  workspace = await Workspace.start({ config: configWith({ rules, caps: { pages_per_hour: 100 } }) });
  await workspace.plan('ben', 'pagerduty.page service=ops text="Disk full"');
  card = await workspace.card('Disk full');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
  number = paged().number;
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

const paged = () => workspace.pages()[0] ?? expect.fail();
/** Asks, and resolves with the next private answer. */
const asked = async (words: string, who = 'eva'): Promise<string> => {
  const id = workspace.person(who);
  const all = () => workspace.messages('ops', id).filter((one) => one.ephemeralFor === id);
  const before = all().length;
  await workspace.plan(who, words);
  await workspace.until(() => all().length > before, `an answer to ${words}`);
  return wordsOf(all().at(-1) ?? expect.fail());
};

test('a timeline has who asked, who approved, what was paged and how PagerDuty went on, in order', async () => {
  const { store } = workspace.sandbox.pagerduty;
  store.setStatus(paged(), 'acknowledged', 'PCHIARA01');
  store.setStatus(paged(), 'resolved', 'PANA01');
  const words = await asked(`timeline #${number}`);
  expect(words).toMatch(
    // PagerDuty's times have no fractions, so either may come first.
    /Revision 1.*made by.*Approved\s+by.*(?:was paged.*Incident opened|Incident opened.*was paged).*Acknowledged\s+by Chiara Conti.*Resolved\s+by Ana Ruiz/s,
  );
  expect(words).not.toMatch(/Open ends|Post it to/);
});

test('a review has the times, open ends, marked messages and proof', async () => {
  const { slack } = workspace.sandbox;
  const said = await slack.postAs({
    as: 'eva',
    channel: 'ops',
    text: 'It was the nightly backup',
    threadTs: card.ts,
  });
  await slack.postAs({ as: 'eva', channel: 'ops', text: 'No idea yet', threadTs: card.ts });
  slack.react({ as: 'ben', channel: 'ops', ts: said.ts ?? '', emoji: 'pushpin' });
  const words = await asked(`review ${number}`);
  expect(words).toMatch(
    /Acknowledged after.*Resolved after.*Timeline.*Open ends\s+None\..*Proof\s+Verified/s,
  );
  expect(words).toContain('“It was the nightly backup”');
  expect(words).not.toContain('No idea yet');
});

test('a plan from a direct message is only in the review of the person who wrote it', async () => {
  const { slack, world } = workspace.sandbox;
  const ben = workspace.person('ben');
  const body = new URLSearchParams({ token: world.slack.botToken, users: ben });
  await fetch(`${slack.apiUrl}conversations.open`, { method: 'POST', body });
  const direct = slack.state(ben).channels.find(({ im }) => im === ben)?.id ?? expect.fail();
  await slack.postAs({ as: 'ben', channel: direct, text: `pagerduty.note incident=${number} text="Secret"` });
  await until(async () => /Add a note/.test(await asked(`review ${number}`, 'ben')));
  expect(await asked(`review ${number}`)).not.toMatch(/Add a note/);
});

test('a published review is the text that was approved, without the plans that not all of the channel may see', async () => {
  await workspace.plan('ben', `review ${number}`);
  const review = await workspace.whisper('ben', /^Review of/);
  const publish = actionsOf(review).find((id) => id.startsWith('review.publish.channel')) ?? expect.fail();
  await workspace.click('ben', review, publish);
  const posting = await workspace.card(/Post .*to #ops/);
  await workspace.click('ana', posting, 'plan.details');
  const { id: viewId, definition } = await workspace.modal('ana');
  expect(wordsOf({ blocks: definition.blocks })).toMatch(/It was the nightly backup/);
  const values = { read_all: { v: ['yes'] } };
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values });
  await workspace.becomes(posting, /Done/);
  const posted = workspace
    .messages('ops')
    .filter((one) => wordsOf(one).startsWith(`Review of #${number} Disk full`));
  expect(posted).toHaveLength(1);
  expect(wordsOf(posted[0] ?? expect.fail())).toMatch(/Approved by ana(?!.*Add a note)/s);
});

test('open ends that everybody may read become tickets, by one card', async () => {
  const noted = async (text: string): Promise<Message> => {
    await workspace.plan('ben', `pagerduty.note incident=${number} text="${text}"`);
    return workspace.card(text);
  };
  const refused = await noted('It was the backup');
  const match = { method: 'POST' };
  workspace.sandbox.faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 400, match, times: 1 });
  await workspace.click('ana', refused, 'plan.approve');
  await workspace.becomes(refused, /Failed/);
  await workspace.card(/Again: Add a note/);
  for (const text of ['It is over', 'It stays over']) await noted(text);
  await workspace.plan('ben', `review ${number}`);
  const review = await workspace.whisper('ben', /(?:still waits for approval.*){4}/);
  const before = workspace.sandbox.jira.store.issues().length;
  await workspace.click('ben', review, 'review.publish.ends');
  const card = await workspace.card(/Create a ticket in OPS/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
  const made = workspace.sandbox.jira.store.issues().slice(before);
  expect(made.map(({ summary }) => summary).sort()).toEqual([
    expect.stringMatching(/^#\d+: “Add a note to incident .*” still waits for approval\.$/),
    expect.stringMatching(/^#\d+: “Again: Add a note to incident .*” still waits for approval\.$/),
    expect.stringMatching(/^#\d+: ✗ FAILED: Add a note/),
  ]);
});

const isCreation = ({ method }: { readonly method: string }) => method === 'POST';

test('a review becomes a page of the wiki, also when the answer is lost, and never a second one', async () => {
  const publish = async () => {
    await workspace.plan('ben', `review ${number}`);
    const review = await workspace.whisper('ben', /^Review of/);
    await workspace.click('ben', review, 'review.publish.page');
  };
  await publish();
  const making = await workspace.card(/Create the page “Review of/);
  const match = { method: 'POST' };
  workspace.sandbox.faults.add({ vendor: 'confluence', kind: 'lost-answer', match, times: 1 });
  await workspace.click('ana', making, 'plan.details');
  const { id: viewId } = await workspace.modal('ana');
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values: { read_all: { v: ['yes'] } } });
  await workspace.becomes(making, /Done/, 30_000);
  await workspace.reply(making, /^Done:/);
  expect(workspace.sandbox.journal.list({ vendor: 'confluence' }).filter(isCreation)).toHaveLength(1);
  const shown = JSON.stringify(workspace.messages('ops'));
  const address = /https?:[^"]+\/wiki\/spaces\/OPS\/pages\/[^"]+/.exec(shown)?.[0];
  const page = await (await fetch(address ?? expect.fail(shown))).text();
  expect(page).toMatch(/<h2>Timeline<\/h2><ul><li><p>.*was paged.*<h2>Open ends<\/h2>/s);
  await publish();
  await workspace.card(/already has a page “Review of #\d+ Disk full”/);
});

test('a review becomes one canvas in its channel, found by its key when the answer is lost', async () => {
  await workspace.plan('ben', `review ${number}`);
  const review = await workspace.whisper('ben', /^Review of/);
  await workspace.click('ben', review, 'review.publish.canvas');
  const making = await workspace.card(/Create the canvas “Review of/);
  const match = { path: '/api/canvases.create' };
  workspace.sandbox.faults.add({ vendor: 'slack', kind: 'lost-answer', match, times: 1 });
  await workspace.click('ana', making, 'plan.details');
  const { id: viewId } = await workspace.modal('ana');
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values: { read_all: { v: ['yes'] } } });
  await workspace.becomes(making, /Done/, 30_000);
  await workspace.reply(making, /^Done:/);
  const made = workspace.sandbox.slack.canvases();
  expect(made).toMatchObject([{ channel: 'C0OPS', title: `Review of #${number} Disk full` }]);
  expect(made[0]?.markdown).toMatch(
    /## Timeline\n\n- .*was paged.*## Open ends.*approved by @ana.*Reference cs-run-/s,
  );
  expect(JSON.stringify(workspace.messages('ops'))).toContain(`/docs/T0SANDBOX/${made[0]?.id}`);
});

test('the command line prints the review and its first half as Markdown', async () => {
  const printed = async (name: string) => {
    const lines: string[] = [];
    const out = (one: string) => lines.push(one);
    const command = await commands[name]?.load();
    const code = await command?.([`#${number}`, '--markdown'], {
      variables: { ...workspace.sandbox.env, ...workspace.env },
      out,
      error: out,
    });
    return { code, text: lines.join('\n') };
  };
  const review = await printed('review');
  expect(review.code).toBe(0);
  expect(review.text).toMatch(/^# Review of \\#\d+ Disk full\n.*## Times\n\n- .*## Timeline\n\n- .*@ana/s);
  expect(review.text).toMatch(/## Not in it\n\n- Messages with a pushpin.*## Proof/s);
  const timeline = await printed('timeline');
  expect(timeline.text).toMatch(/^# Timeline of .*## Timeline\n\n- /s);
  expect(timeline.text).not.toContain('## Proof');
  const days = timeline.text.match(/^- \d{4}-\d{2}-\d{2} /gm) ?? [];
  // Two where the test runs over midnight.
  expect(days.length).toBeLessThanOrEqual(2);
  expect(timeline.text.match(/^- (?:.{11})?\d\d:\d\d:\d\d UTC /gm)?.length).toBeGreaterThan(4);
});

test('without PagerDuty the lines are as they were read last, and the review says so', async () => {
  await until(async () => {
    const known = await rows(workspace, "select 1 from incidents where life->>'state' = 'resolved'");
    return known.length === 1;
  });
  workspace.sandbox.faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 503 });
  expect(await asked(`review ${number}`)).toMatch(/Resolved\s+by Ana Ruiz.*as they were read last/s);
});

test('an unknown incident is said to be unknown, and other words after review are a goal', async () => {
  await workspace.plan('eva', 'review 999999');
  await workspace.whisper('eva', 'PagerDuty has no incident 999999');
});
