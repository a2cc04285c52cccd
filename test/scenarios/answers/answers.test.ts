/** Why: an answer is used on a phone: a list is a table, what it names can be opened, and nothing in it is live but what our vendors show. */
import { afterEach, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace | undefined;
let broken: RegExp | undefined;
afterEach(async () => {
  await finish(workspace, broken);
  workspace = undefined;
  broken = undefined;
});

const list = 'jira.search project=OPS priority=P1 status=open limit=12';

async function answerTo(ours: Workspace): Promise<Message> {
  await ours.plan('ben', list);
  return ours.card('shown');
}

test('a list is a table whose keys and query open in Jira, with the number of all there are', async () => {
  const ours = await Workspace.start();
  workspace = ours;
  ours.sandbox.jira.store.create({
    project: 'OPS',
    priority: 'P1',
    reporter: ours.sandbox.jira.store.bot,
    summary: 'See <https://evil.example|this> @channel <!here> https://evil.example/x',
  });
  const answer = await answerTo(ours);
  expect(answer.blocks.map((block) => block.type)).toContain('data_table');
  expect(wordsOf(answer)).toMatch(/12 of 2\d shown/);
  const sent = JSON.stringify(answer.blocks);
  const links = [...sent.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => new URL(url ?? ''));
  expect(new Set(links.map(({ origin }) => origin))).toEqual(new Set([ours.sandbox.jira.url]));
  expect(links.filter(({ pathname }) => pathname.startsWith('/browse/OPS-'))).toHaveLength(12);
  expect(links.map(({ searchParams }) => searchParams.get('jql')).filter(Boolean)).toHaveLength(1);
  expect(wordsOf(answer)).toContain('See <https://evil.example|this> @channel <!here>');
});

test('a workspace that does not know tables gets the same as a list, and is not asked twice', async () => {
  broken = /unsupported type: data_table/;
  const ours = await Workspace.start({ sandbox: { unknownBlocks: ['data_table'] } });
  workspace = ours;
  const answer = await answerTo(ours);
  expect(answer.blocks.map((block) => block.type)).not.toContain('data_table');
  expect(wordsOf(answer)).toMatch(/12 of 2\d shown/);
  expect(JSON.stringify(answer.blocks)).toContain(`${ours.sandbox.jira.url}/browse/OPS-`);
  await ours.plan('ben', `${list} order=oldest`);
  await ours.card('oldest first');
  const refusals = ours.bot.log().match(/unsupported type: data_table/g);
  expect(refusals).toHaveLength(1);
});
