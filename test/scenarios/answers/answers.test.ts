/** Why: answers are read on a phone: a list is a table, its items link to their source, and only our vendors' links are live. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const list = 'jira.search project=OPS priority=P1 status=open limit=12';

async function answerTo(ours: Workspace): Promise<Message> {
  await ours.plan('ben', list);
  return ours.card('shown');
}

describe('in a workspace that supports tables', () => {
  let ours: Workspace;
  beforeAll(async () => {
    ours = await Workspace.start();
  });
  afterAll(() => finish(ours));

  test('a list is a table with the total, and its keys and query link to Jira', async () => {
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
});

describe('in a workspace without tables', () => {
  let ours: Workspace;
  beforeAll(async () => {
    ours = await Workspace.start({ sandbox: { unknownBlocks: ['data_table'] } });
  });
  // Slack's client library logs the one refusal as an error of its own.
  afterAll(() => finish(ours, /unsupported type: data_table/));

  test('a list falls back to plain blocks with the same links, and tables are not tried again', async () => {
    const answer = await answerTo(ours);
    expect(answer.blocks.map((block) => block.type)).not.toContain('data_table');
    expect(wordsOf(answer)).toMatch(/12 of 2\d shown/);
    expect(JSON.stringify(answer.blocks)).toContain(`${ours.sandbox.jira.url}/browse/OPS-`);
    await ours.plan('ben', `${list} order=oldest`);
    await ours.card('the 12 oldest');
    const refusals = ours.bot.log().match(/unsupported type: data_table/g);
    expect(refusals).toHaveLength(1);
  });
});
