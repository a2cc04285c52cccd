/** Why: at 3 a.m. people type "cancel" below a card; it does what the button does, for people who may. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish, known, rows } from '../../support/scenario.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

async function cardOf(text: string, channel = 'ops'): Promise<Message> {
  await workspace.plan('ben', `slack.post channel=#general text="${text}"`, channel);
  const card = await workspace.card(text, channel);
  await known(workspace, card);
  return card;
}

const say = (as: string, { channel, ts: threadTs }: Message, text: string) =>
  workspace.sandbox.slack.postAs({ as, channel, text, threadTs });
const decisions = (text: string) =>
  rows(workspace, 'select state, decided_by from revisions where bytes like $1', [`%${text}%`]);

test('“approve” in the thread runs the plan, once', async () => {
  const card = await cardOf('The first deploy is late.');
  await say('ana', card, 'approve');
  await workspace.reply(card, /^Done/);
  expect(await decisions('first deploy')).toEqual([{ state: 'approved', decided_by: 'U0ANA' }]);
  await say('ana', card, 'Approve it, please.');
  await workspace.whisper('ana', 'Already approved');
});

test('“I approve this” in the thread runs the plan', async () => {
  const card = await cardOf('The thirteenth deploy is late.');
  await say('ana', card, 'i approve this');
  await workspace.reply(card, /^Done/);
  expect(await decisions('thirteenth deploy')).toEqual([{ state: 'approved', decided_by: 'U0ANA' }]);
});

test('“approve” by a person who may not approve is refused to that person only', async () => {
  const card = await cardOf('The second deploy is late.');
  await say('dev', card, 'approve');
  await workspace.whisper('dev', /may not approve|may be approved by|can approve/i);
  expect(await decisions('second deploy')).toEqual([{ state: 'proposed', decided_by: null }]);
});

test.each([
  ['reject', 'Rejected', 'third'],
  ['reject: maintenance until noon', 'maintenance until noon', 'fourth'],
  ['cancel', 'Rejected', 'fifth'],
  ['stop', 'Rejected', 'sixth'],
])('“%s” in the thread ends the plan', async (words, shown, nth) => {
  const card = await cardOf(`The ${nth} deploy is late.`);
  await say('eva', card, words);
  await workspace.becomes(card, shown);
  expect(await decisions(`${nth} deploy`)).toEqual([{ state: 'rejected', decided_by: 'U0EVA' }]);
});

test.each([
  ['cancel', 'eleventh'],
  ['reject: not now', 'twelfth'],
])('“%s” below a replaced card ends the plan, and “approve” there decides nothing', async (words, nth) => {
  const card = await cardOf(`The ${nth} deploy is late.`);
  await say('ben', card, `text should say "The ${nth} deploy was fast."`);
  const newer = await workspace.card(new RegExp(`${nth} deploy was fast.*Revision 2`, 's'));
  await say('ana', card, 'approve');
  await workspace.whisper('ana', /revision 2 has replaced it/);
  await say('eva', card, words);
  await workspace.becomes(newer, 'Rejected');
  expect(await decisions(`${nth} deploy was fast`)).toEqual([{ state: 'rejected', decided_by: 'U0EVA' }]);
});

test('talk about approving decides nothing', async () => {
  const card = await cardOf('The seventh deploy is late.');
  for (const talk of [
    '@ana can you approve?',
    'I would not approve that',
    'cancel the meeting',
    'stop it, ben',
  ])
    await say('ana', card, talk);
  await say('ana', card, 'reject');
  await workspace.becomes(card, 'Rejected');
  expect(await decisions('seventh deploy')).toEqual([{ state: 'rejected', decided_by: 'U0ANA' }]);
});

test('where several plans wait in one thread, a word decides none of them', async () => {
  const { slack } = workspace.sandbox;
  const ts = (await slack.postAs({ as: 'eva', channel: 'ops', text: 'checkout is slow' })).ts ?? '';
  const callbackId = 'plan_from_message';
  const asked = () => workspace.messages().filter((one) => one.isBot && one.threadTs === ts);
  for (const [at, button] of ['clarify.answer.1', 'clarify.answer.2'].entries()) {
    await slack.messageShortcut({ as: 'ben', channel: 'ops', ts, callbackId });
    await workspace.until(() => asked().length === 2 * at + 1, 'a question');
    await workspace.click('ben', asked().at(-1) as Message, button);
    await workspace.until(() => asked().length === 2 * at + 2, 'a card');
  }
  const waiting = `select v.state from revisions v join requests r on r.id = v.request_id
    where r.thread_ts = $1 and v.card_ts is not null`;
  const both = [{ state: 'proposed' }, { state: 'proposed' }];
  await expect.poll(() => rows(workspace, waiting, [ts])).toEqual(both);
  await slack.postAs({ as: 'ana', channel: 'ops', text: 'approve', threadTs: ts });
  await workspace.whisper('ana', 'Several plans are waiting in this thread');
  expect(await rows(workspace, waiting, [ts])).toEqual(both);
});

test.each(['yes do it', 'lgtm', 'approve pls', 'aprove', 'I approved this', 'ok go ahead and approve it'])(
  'the writer of “%s” hears that nothing was approved, and how to',
  async (words) => {
    const card = await cardOf(`A deploy is late: ${words}.`);
    await say('ana', card, words);
    await workspace.whisper('ana', /Nothing was approved.*reply\s+approve/s);
    expect(await decisions(`late: ${words}`)).toEqual([{ state: 'proposed', decided_by: null }]);
  },
);

test('an approval that is typed as a request approves nothing, and its writer is told where to', async () => {
  await cardOf('The last deploy is late.');
  await workspace.plan('ana', 'i approve this');
  await workspace.whisper('ana', /Nothing was approved.*with the button on its card/s);
  await workspace.whisper('ana', /Post to #general/);
  expect(await decisions('last deploy')).toEqual([{ state: 'proposed', decided_by: null }]);
});
