import { expect, test } from 'vitest';
import * as requests from '../../src/store/requests.ts';
import { givenRequest, minutes, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

test('a request is read back as stored, ignores a second delivery, and is invisible to other teams', async () => {
  const request = await givenRequest(store.db(), 'first', {
    goal: 'Page ops: "it\'s down"; drop table requests; 日本 \u{1F525}',
    quoted: 'a ticket with a NUL \u0000 and half a pair \uD83D',
    via: 'shortcut',
  });
  expect(await requests.insert(store.db(), { ...request, goal: 'other' }, 'finished')).toBe(false);
  expect(await requests.get(store.db(), TEAM, 'first')).toEqual({
    ...request,
    ...{ agent: null, agentBody: null, agentGroup: null, agentAnswer: null },
    quoted: 'a ticket with a NUL \uFFFD and half a pair \uFFFD',
    state: 'planning',
    question: null,
    joined: null,
  });
  expect(await requests.get(store.db(), 'T0002', 'first')).toBeNull();
  expect(await requests.get(store.db(), TEAM, 'none')).toBeNull();
});

test('a state changes only from the expected one, and a question is kept until it is removed', async () => {
  await givenRequest(store.db(), 'asked');
  const at = { teamId: TEAM, id: 'asked' };
  const question = { text: 'Which service?', options: ['ops', 'web'], nested_name: { inner_name: 1 } };
  expect(await requests.setState(store.db(), { ...at, to: 'asking', question })).toBe(true);
  expect(await requests.get(store.db(), TEAM, 'asked')).toMatchObject({ state: 'asking', question });
  expect(await requests.setState(store.db(), { ...at, to: 'running', from: ['review'] })).toBe(false);
  // Answered meanwhile: an answer to the previous question is too late, wherever its message was.
  const before = { ...question, text: 'Which project?' };
  expect(await requests.setState(store.db(), { ...at, to: 'planning', asked: before })).toBe(false);
  const posted = { ...question, ts: '17.25' };
  expect(await requests.setState(store.db(), { ...at, to: 'asking', asked: posted })).toBe(true);
  const answers = await Promise.all(
    [store.db(), store.second()].map((db) =>
      requests.setState(db, { ...at, to: 'planning', from: ['asking'] }),
    ),
  );
  expect(answers.sort()).toEqual([false, true]);
  expect(await requests.get(store.db(), TEAM, 'asked')).toMatchObject({ state: 'planning', question });
  await requests.setState(store.db(), { ...at, to: 'review', question: null });
  expect(await requests.get(store.db(), TEAM, 'asked')).toMatchObject({ state: 'review', question: null });
  expect(await requests.setState(store.db(), { teamId: TEAM, id: 'none', to: 'closed' })).toBe(false);
});

test('recent requests are listed newest first and can be filtered by person', async () => {
  const teamId = 'T0LIST';
  const people = ['U0ANA', 'U0BEN', 'U0ANA', 'U0BEN', 'U0ANA'];
  for (const [index, requester] of people.entries()) {
    await givenRequest(store.db(), `r${index}`, { teamId, requester, createdAt: minutes(index) });
  }
  const ids = async (filter: { limit: number; requester?: string }) =>
    (await requests.listRecent(store.db(), { teamId, ...filter })).map((request) => request.id);
  expect(await ids({ limit: 3 })).toEqual(['r4', 'r3', 'r2']);
  expect(await ids({ limit: 10, requester: 'U0BEN' })).toEqual(['r3', 'r1']);
  expect(await ids({ limit: 10, requester: 'U0ZED' })).toEqual([]);
});
