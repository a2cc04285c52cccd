/** Why: at 3 a.m. a watch that is too loud is adjusted in its own thread, not ended and requested again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buttonValue, finish, forgedClick, rows } from '../../support/scenario.ts';
import { setOpenTickets } from '../../support/tickets.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let made: Message;
beforeAll(async () => {
  workspace = await Workspace.start();
  await workspace.plan('ben', 'OPS P1 every 10 minutes and page ops over 900');
  made = await workspace.card('Watching');
});
afterAll(() => finish(workspace));

const say = (as: string, text: string) =>
  workspace.sandbox.slack.postAs({ as, channel: 'ops', threadTs: made.ts, text });
const stored = () => rows(workspace, 'select every, plan from watches');

test("a reply changes a watch's times, and its message and its thread say so", async () => {
  await say('ben', 'every 30 minutes, only on weekdays');
  made = await workspace.becomes(made, 'every 30 minutes on weekdays');
  const word = await workspace.reply(made, 'Changed by');
  expect(wordsOf(word)).toContain('every 30 minutes on weekdays');
  expect(await stored()).toMatchObject([{ every: { cron: '*/30 * * * 1-5' } }]);
});

test('its limit and its action are changed like those of a card', async () => {
  await say('ben', 'post to #incidents instead, and only over 950');
  made = await workspace.becomes(
    made,
    /Post to #incidents if there are more than 950 open P1 tickets in OPS/,
  );
  expect(await rows(workspace, "select actor from audit where kind = 'watch.changed'")).toHaveLength(2);
});

test('chatter changes nothing, and a person who may not end it cannot change it', async () => {
  for (const talk of ['ben is on it', 'it is quiet from 9 to 17', 'ok']) await say('eva', talk);
  await say('eva', 'every hour');
  await workspace.whisper('eva', 'You cannot end or change this.');
  expect(await stored()).toMatchObject([{ every: { cron: '*/30 * * * 1-5' } }]);
});

test('rejects words it cannot apply, and a schedule that is too frequent', async () => {
  await say('ben', '@countersign make it nicer');
  await workspace.whisper('ben', 'I did not understand that change.');
  await say('ben', 'every 2 minutes');
  await workspace.whisper('ben', 'That is too often.');
  await say('ben', 'every hour');
  await workspace.becomes(made, 'every hour');
});

test("a watch's pending card cannot be approved after the watch is changed or ended", async () => {
  setOpenTickets(workspace, 24);
  await workspace.plan('ben', 'watch OPS P1 every 10 minutes and post "too many" to #incidents over 20');
  made = await workspace.card(/Watching.*more than 20/s);
  const waiting = await workspace.card(/more than 20.*Approvers/s);
  await say('ben', 'over 22');
  made = await workspace.becomes(made, /more than 22/);
  await workspace.becomes(waiting, /Cancelled.*The watch that asked for it was changed/s);
  await forgedClick(workspace, {
    as: 'ana',
    message: waiting,
    actionId: 'plan.approve',
    value: buttonValue(waiting, 'plan.approve') ?? '',
  });
  await workspace.whisper('ana', /cancelled/i);
  await workspace.plan('ben', 'watch OPS P1 every 10 minutes and post "too many" to #incidents over 18');
  made = await workspace.card(/Watching.*more than 18/s);
  const next = await workspace.card(/more than 18.*Approvers/s);
  await workspace.click('ben', made, 'watch.end');
  await workspace.becomes(next, /Cancelled.*The watch that asked for it has ended/s);
});

test('a watch of the logs of two platforms is changed by the same words, and days leave how often it looks', async () => {
  await workspace.plan('ben', 'every 10 minutes check errors of checkout, page checkout over 3000');
  made = await workspace.card(/Watching.*checkout/s);
  await say('ben', 'every 30 minutes');
  made = await workspace.becomes(made, 'every 30 minutes');
  await say('ben', 'only on weekdays');
  made = await workspace.becomes(made, 'every 30 minutes on weekdays');
  await say('ben', 'over 4000');
  await workspace.becomes(made, /4000/);
});

test('“stop it” below a watch ends it for who may, and talk about stopping does not', async () => {
  await workspace.plan('ben', 'watch PAY P1 every 10 minutes and post "too many" to #incidents over 900');
  made = await workspace.card(/Watching.*PAY/s);
  await say('ben', 'stop the deploy first');
  await say('eva', 'stop it');
  await workspace.whisper('eva', /You cannot end or change this[\s\S]*/);
  expect(await rows(workspace, 'select id from watches where ended_at is null')).not.toEqual([]);
  await say('ben', 'stop it');
  await workspace.becomes(made, /has ended/);
});

test('a watch that only reports says its condition, also after a change of its limit', async () => {
  const goal = 'watch: every 10m; c = jira.count project=PAY priority=P1; success: c.total <= 100';
  await workspace.plan('ben', goal);
  const quiet = await workspace.card(/Watching[\s\S]*I report when [\s\S]*more than 100 /);
  workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: quiet.ts, text: 'over 150' });
  await workspace.becomes(quiet, /I report when [\s\S]*more than 150 /);
  await workspace.reply(quiet, /Changed by[\s\S]*I report when [\s\S]*more than 150 /);
});
