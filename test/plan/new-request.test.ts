/** Why: an order that is mistaken for an answer is never carried out, and the answer is wrong. */
import { expect, test } from 'vitest';
import { loadPlaybooks } from '../../src/app/installed.ts';
import { offlinePlanner } from '../../src/app/planner.ts';
import type { Request } from '../../src/core/request.ts';
import { isNewRequest } from '../../src/plan/new-request.ts';
import type { PlanPort } from '../../src/plan/planning.ts';
import { planningInput, testCatalogue, testPolicy } from '../support/planning.ts';

const offline = offlinePlanner(loadPlaybooks({ mcp: {}, actions: {} })).planner;
const catalogue = testCatalogue();
const port: PlanPort = {
  ...{
    planner: offline,
    offline,
    catalogue,
    policy: testPolicy,
    now: () => new Date('2026-03-02T03:00:00Z'),
  },
  conversation: () => Promise.resolve({ answers: [], filled: null }),
  record: () => Promise.resolve(),
  aboutThread: () => Promise.resolve({}),
  remembered: () => Promise.resolve([]),
  zoneOf: () => Promise.resolve(null),
  servicesOf: () => Promise.resolve([]),
};

/** The given words that count as new requests under the question about a goal. */
async function requestsAmong(goal: string, words: readonly string[]): Promise<string[]> {
  const { answer } = await offline.plan(planningInput(goal, { catalogue }));
  if (answer.kind !== 'clarify') throw new Error(`${goal}: ${answer.kind}`);
  const request: Request = {
    ...{ teamId: 'T0', id: 'r', goal, via: 'command', requester: 'U0BEN', channel: 'C0OPS' },
    ...{ threadTs: null, quoted: null, createdAt: new Date() },
  };
  const are = await Promise.all(words.map((said) => isNewRequest(request, answer, said, port)));
  return words.filter((_said, index) => are[index] !== 'no');
}

const orders = [
  'page ops: checkout is down',
  'tell #ops the deploy is late',
  'close PAY-3',
  'jira.count project=OPS',
  'every 10 minutes tell me if OPS has more than 5 open P1s',
];
const incomplete = ['resolve it', 'ack', 'escalate it', 'restart the pods'];
const lookups = ['who is on call for payments?', 'how many open P1s in PAY?'];
const answers = ['none of these', 'cancel', 'never mind', 'OPS', 'the second', '15', 'PAY-3'];
const more = ['#ops', 'ana', 'the payments one', 'in OPS please', 'use OPS'];

test('an order or a different question is a new request; a name, a number or a word is not', async () => {
  const all = [...orders, ...incomplete, ...lookups, ...answers, ...more];
  const requests = [...orders, ...incomplete, ...lookups];
  expect(await requestsAmong('create a ticket: login broken', all)).toEqual(requests);
});

test('rephrasing the same request answers the question', async () => {
  const again = ['create a P2 in OPS: login broken', 'create it in OPS', 'make it P1'];
  expect(await requestsAmong('create a ticket: login broken', again)).toEqual([]);
  expect(await requestsAmong('close the ticket', ['resolve PAY-3', 'PAY-3', 'the newest one'])).toEqual([]);
});

test('if a text is asked for, only a complete order is a new request', async () => {
  expect(await requestsAmong('tell #ops', [...incomplete, ...lookups, ...answers, ...more])).toEqual([]);
  expect(await requestsAmong('create a bug in PAY', orders)).toEqual(orders);
});

test('where a request is asked for, any request is the answer', async () => {
  expect(await requestsAmong('something is wrong', [...orders, ...incomplete])).toEqual([]);
});
