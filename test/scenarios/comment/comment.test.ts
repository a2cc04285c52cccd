/** Why: a comment is written once with our mark, reads as plain text, and is found again after a crash. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type BotProcess, clockAhead, startHere } from '../../support/bot.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let dies: BotProcess;
beforeAll(async () => {
  const config = configWith({ rules: [{ approvers: ['U0ANA'] }] });
  const spawned = await Workspace.spawn({ config, env: clockAhead(-60_000) });
  [workspace, dies] = [spawned, spawned.bot];
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

const commentsOn = (key: string) => workspace.sandbox.jira.store.find(key).comments;

test('a comment is added once, names the requester and the approver, and is linked from the thread', async () => {
  const { key } = workspace.sandbox.jira.store.issues().find(({ project }) => project === 'OPS') ?? {
    key: '',
  };
  await workspace.plan('ben', `comment on ${key}: "fixed by *restart* [link](https://evil.example) @ana"`);
  const card = await workspace.card(key);
  expect(wordsOf(card)).toContain('Comment on');
  await workspace.click('ana', card, 'plan.approve');
  const reply = await workspace.reply(card, /^Done: +commented on/);
  const [comment, ...others] = commentsOn(key).filter(({ properties }) => properties.length > 0);
  expect(others).toEqual([]);
  const text = JSON.stringify(comment?.body);
  expect(text).toContain('fixed by *restart* [link](https://evil.example) @ana');
  expect(text).not.toMatch(/"type":"(mention|inlineCard)"|"marks"/);
  expect(text).toMatch(/"text":"Requested by \S+, approved by \S+"/);
  expect(JSON.stringify(reply.blocks)).toContain(`/browse/${key}?focusedCommentId=${comment?.id}`);
});

test("a comment in flight when its process dies is found by its mark, even if two machines' clocks differ", async () => {
  const { key } = workspace.sandbox.jira.store.issues().findLast(({ project }) => project === 'OPS') ?? {
    key: '',
  };
  await workspace.plan('ben', `comment on ${key}: "looked at it"`);
  const card = await workspace.card(key);
  const { faults, journal } = workspace.sandbox;
  const path = `/rest/api/3/issue/${key}/comment`;
  faults.add({ vendor: 'jira', match: { method: 'POST', path }, kind: 'delay' });
  const posts = () => journal.list({ vendor: 'jira', path }).filter(({ method }) => method === 'POST');
  const before = posts().length;
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(() => posts().length > before, 'the comment');
  await dies.kill();
  const looks = () => journal.list({ vendor: 'jira', path }).filter(({ method }) => method === 'GET').length;
  const lookedBefore = looks();
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
  await workspace.until(() => looks() > lookedBefore, 'a look for it');
  faults.clear();
  await workspace.reply(card, 'found after', 25_000);
  expect(commentsOn(key)).toHaveLength(1);
});
