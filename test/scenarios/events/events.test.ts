/** Why: another system hears of every decision and run, signed, in order, also if it was down when it happened. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/port.ts';
import { breach, configWith, finish, rows, until } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const [secret, older] = [
  'a-secret-for-events-of-thirty-two-characters',
  'the-one-before-it-of-thirty-two-characters',
];

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a receiver gets is only known to its reader
  readonly event: any;
}

let workspace: Workspace;
let receiver: Server;
let port: number;
/** Every attempt, also one that was not accepted. */
const attempts: Delivery[] = [];
const accepted: Delivery[] = [];
let status = 503;

beforeAll(async () => {
  port = await freePort();
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const delivery = { headers: request.headers, body, event: JSON.parse(body) };
      attempts.push(delivery);
      if (status === 202) accepted.push(delivery);
      response.writeHead(status).end();
    });
  });
  await once(receiver.listen(port, '127.0.0.1'), 'listening');
  workspace = await Workspace.start({
    config: configWith({ operators: ['U0CHIARA'] }),
    env: {
      COUNTERSIGN_EVENTS_URL: `http://127.0.0.1:${port}/hook`,
      COUNTERSIGN_EVENTS_SECRET: `${secret},${older}`,
    },
  });
});
afterAll(async () => {
  receiver.close();
  await finish(workspace);
});

const types = (all: readonly Delivery[]) =>
  all.map(({ event }) => String(event.type).replace('countersign.', ''));
const of = (requestId: unknown) => accepted.filter(({ event }) => event.data.request === requestId);
const newest = async () =>
  (await rows(workspace, 'select id from requests order by created_at desc limit 1'))[0]?.id;

test('events from the time when the receiver was down arrive afterwards, in order, each event with one id', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  const request = await newest();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  await until(async () => attempts.length > 0);
  expect(accepted).toEqual([]);
  expect(new Set(types(attempts))).toEqual(new Set(['plan.proposed']));
  status = 202;
  await until(async () => types(of(request)).includes('run.finished') && of(request).length >= 6);
  expect(types(of(request))).toEqual([
    'plan.proposed',
    'run.started',
    'run.finished',
    'plan.approved',
    'run.started',
    'run.finished',
  ]);
  expect(new Set(of(request).map(({ event }) => event.id)).size).toBe(6);
  expect(attempts[0]?.event.id).toBe(of(request)[0]?.event.id);
});

test('an event is CloudEvents 1.0, says who decided what, and is signed with every secret', async () => {
  const delivery = accepted.find(({ event }) => event.type === 'countersign.plan.approved') ?? expect.fail();
  const { headers, body, event } = delivery;
  const request = await newest();
  expect(event).toEqual({
    ...{ specversion: '1.0', type: 'countersign.plan.approved', source: '/countersign/T0SANDBOX' },
    ...{ subject: `${request}/1`, datacontenttype: 'application/json' },
    id: expect.stringMatching(/^[0-9a-f]{64}$/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      ...{ workspace: 'T0SANDBOX', request, revision: 1, actor: workspace.person('ana') },
      details: {
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        run: `run-${request}-1`,
        facts: expect.stringMatching(/^[0-9a-f]{64}$/),
        reason: null,
      },
    },
  });
  expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  expect(headers['webhook-id']).toBe(event.id);
  const signed = `${event.id}.${headers['webhook-timestamp']}.${body}`;
  const sign = (key: string) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  expect(headers['webhook-signature']).toBe(`${sign(secret)} ${sign(older)}`);
  const [last] = of(request).slice(-1);
  expect(last?.event.data).toMatchObject({ mode: 'run', details: { outcome: 'done' } });
});

test('a rejection is an event with its reason, and a refused click is none', async () => {
  await workspace.plan('ben', 'slack.post channel=#ops text="Hello"');
  const card = await workspace.card('Post to #ops');
  const request = await newest();
  await workspace.click('dev', card, 'plan.approve');
  await workspace.whisper('dev', 'may be approved by');
  await workspace.click('eva', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('eva');
  await workspace.sandbox.slack.submitView({ as: 'eva', viewId, values: { reason: { v: 'not now' } } });
  await workspace.becomes(card, /[Rr]ejected/);
  await until(async () => types(of(request)).includes('plan.rejected'));
  expect(of(request).at(-1)?.event.data).toMatchObject({
    actor: workspace.person('eva'),
    details: { reason: 'not now' },
  });
  expect(types(of(request)).filter((type) => type.startsWith('plan.'))).toEqual([
    'plan.proposed',
    'plan.rejected',
  ]);
});

test('an event that the receiver calls wrong is dropped, an operator hears of it, and the next ones follow', async () => {
  status = 400;
  await workspace.plan('ben', 'slack.post channel=#ops text="Second"');
  const card = await workspace.card('Second');
  await until(async () =>
    attempts.some(
      ({ event }) =>
        event.data.request !== undefined &&
        status === 400 &&
        types([{ event } as Delivery])[0] === 'plan.proposed',
    ),
  );
  await workspace.until(() => workspace.bot.log().includes('Message dropped'), 'a line in the log');
  const heard = () =>
    workspace
      .messages('U0CHIARA', 'U0CHIARA')
      .some((message) => wordsOf(message).includes('Events were dropped'));
  await workspace.until(heard, 'a word to the operator');
  status = 202;
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const request = await newest();
  await until(
    async () => types(of(request)).at(-1) === 'run.finished' && types(of(request)).includes('plan.approved'),
  );
  expect(wordsOf(card)).not.toContain('event');
});

test('the outcome of a check is an event of its own, without the numbers', async () => {
  const count = 'jira.count project=OPS priority=P1 status=open';
  await workspace.plan(
    'ben',
    `before = ${count}\njira.transition key=OPS-3 status=Done\n  verify: within 10s after.total < before.total: ${count}`,
  );
  const card = await workspace.card(/Move OPS-3 to Done/);
  const request = await newest();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Helped/);
  await until(async () => types(of(request)).includes('write.checked'));
  const { event } = of(request).at(-1) ?? expect.fail();
  expect(event.data).toMatchObject({ actor: 'system', revision: 1, mode: 'run' });
  expect(event.data.details).toEqual({ step: 'transition', outcome: 'helped' });
});
