import { createHmac, createSign } from 'node:crypto';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AlertsEvent } from '../../../src/core/alert.ts';
import type { AlertDoor, DoorAuth } from '../../../src/vendors/alerts/door.ts';
import { alertRoute } from '../../../src/vendors/alerts/route.ts';
import { createDoor, type Door } from '../../../src/vendors/http/door.ts';

const topic = 'arn:aws:sns:eu-west-1:123456789012:alarms';
const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem';
const silent = { info() {}, warn() {}, error() {} };

let door: Door;
let url: string;
let now = new Date();
let isDown = false;
let taken: AlertsEvent[] = [];
let fetched: string[] = [];
let key: Awaited<ReturnType<typeof generate>>;

const named = (name: string, auth: DoorAuth, kind: 'alertmanager' | 'sns' = 'alertmanager'): AlertDoor => ({
  ...{ name, auth, format: { kind } },
});
const doors = [
  named('bearer', { kind: 'bearer', secret: 'the-token-of-a-caller' }),
  named('basic', { kind: 'basic', secret: 'monitoring:the-password' }),
  named('hmac', {
    kind: 'hmac',
    secret: 'the-key-of-a-caller',
    header: 'X-Signature',
    timestampHeader: null,
  }),
  named('timed', {
    kind: 'hmac',
    secret: 'the-key-of-a-caller',
    header: 'X-Signature',
    timestampHeader: 'X-Time',
  }),
  named('sns', { kind: 'sns', topics: [topic] }, 'sns'),
];

beforeAll(async () => {
  key = await generate([{ name: 'commonName', value: 'sns.amazonaws.com' }], {
    keySize: 2048,
    algorithm: 'sha256',
  });
  const route = alertRoute({
    takers: () =>
      doors.map((one) => ({
        ...{ door: one, needed: new Set<string>(), work: async () => undefined },
        async accept(event) {
          if (isDown) throw new Error('the database is down');
          taken.push(event);
          return true;
        },
      })),
    sns: {
      fetch: async (input) => {
        fetched.push(String(input));
        return new Response(String(input) === certificateUrl ? key.cert : '<ok/>');
      },
    },
    now: () => now,
    log: silent,
  });
  door = createDoor({ port: 0, host: '127.0.0.1', routes: [route], log: silent });
  url = `http://127.0.0.1:${await door.open()}/alerts/`;
});
afterAll(() => door.close());
beforeEach(() => {
  [taken, fetched, isDown, now] = [[], [], false, new Date()];
});

const body = JSON.stringify({ alerts: [{ status: 'firing', labels: { alertname: 'A' } }] });
async function call(name: string, headers: Readonly<Record<string, string>>, text = body): Promise<number> {
  return (await fetch(`${url}${name}`, { method: 'POST', headers: { ...headers }, body: text })).status;
}
const signed = (text: string) => createHmac('sha256', 'the-key-of-a-caller').update(text).digest('hex');

test('a token, a password or a signature lets a delivery in, and nothing else does', async () => {
  const basic = (words: string) => ({ authorization: `Basic ${Buffer.from(words).toString('base64')}` });
  expect(await call('bearer', { authorization: 'Bearer the-token-of-a-caller' })).toBe(202);
  expect(await call('basic', basic('monitoring:the-password'))).toBe(202);
  expect(await call('hmac', { 'x-signature': signed(body) })).toBe(202);
  expect(await call('hmac', { 'x-signature': `sha256=${signed(body)}` })).toBe(202);
  expect(taken).toHaveLength(4);
  expect(await call('bearer', { authorization: 'Bearer the-token-of-a-calleR' })).toBe(401);
  expect(await call('bearer', {})).toBe(401);
  expect(await call('basic', basic('monitoring:another'))).toBe(401);
  expect(await call('hmac', { 'x-signature': signed(`${body} `) })).toBe(401);
  expect(await call('hmac', { 'x-signature': 'no hex' })).toBe(401);
  expect(await call('unknown', { authorization: 'Bearer the-token-of-a-caller' })).toBe(401);
  expect(taken).toHaveLength(4);
});

test('a signed time has to be of these minutes, so a recorded delivery cannot be replayed later', async () => {
  const at = (seconds: number) => {
    const time = String(Math.floor(now.getTime() / 1_000) + seconds);
    return { 'x-time': time, 'x-signature': signed(`${time}:${body}`) };
  };
  expect(await call('timed', at(-100))).toBe(202);
  expect(await call('timed', at(-400))).toBe(401);
  expect(await call('timed', at(400))).toBe(401);
  expect(await call('timed', { 'x-signature': signed(body) })).toBe(401);
  const recorded = at(0);
  now = new Date(now.getTime() + 3_600_000);
  expect(await call('timed', recorded)).toBe(401);
});

test('a delivery that cannot be stored is not acknowledged', async () => {
  isDown = true;
  expect(await call('bearer', { authorization: 'Bearer the-token-of-a-caller' })).toBe(503);
});

test('a payload that is not understood is refused, and reported', async () => {
  expect(await call('bearer', { authorization: 'Bearer the-token-of-a-caller' }, '{"alarms":[]}')).toBe(400);
  expect(taken).toMatchObject([{ alerts: [], unread: 1 }]);
});

interface Sns extends Record<string, string> {}

function message(more: Sns, version = '2'): Sns {
  const fields: Sns = {
    ...{ Type: 'Notification', MessageId: 'm-1', TopicArn: topic, Timestamp: now.toISOString() },
    Message: JSON.stringify({ AlarmName: 'a', NewStateValue: 'ALARM' }),
    ...more,
  };
  const names =
    fields.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names
    .flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`]))
    .join('');
  const signature = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
    .update(text)
    .sign(key.private, 'base64');
  return { ...fields, SignatureVersion: version, Signature: signature, SigningCertURL: certificateUrl };
}
const sns = (fields: Sns) =>
  call('sns', { 'x-amz-sns-message-type': fields.Type ?? '' }, JSON.stringify(fields));

test('a notification of SNS counts when SNS has signed it, in either version, once for each message', async () => {
  expect(await sns(message({ Subject: 'ALARM: a' }))).toBe(202);
  expect(await sns(message({}, '1'))).toBe(202);
  expect(taken.map((one) => one.key)).toEqual(['alerts:sns:m-1', 'alerts:sns:m-1']);
  expect(taken[0]?.alerts[0]).toMatchObject({ title: 'a', state: 'firing' });
});

test('a subscription to one of the topics is confirmed at SNS itself, whatever address the message names', async () => {
  const asked = message({
    Type: 'SubscriptionConfirmation',
    Token: 'to&ken',
    SubscribeURL: 'https://evil.example/?x',
  });
  expect(await sns(asked)).toBe(202);
  expect(fetched.filter((one) => one !== certificateUrl)).toEqual([
    `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${encodeURIComponent(topic)}&Token=to%26ken&Version=2010-03-31`,
  ]);
  expect(taken).toEqual([]);
});

test('forged messages of SNS are refused, without a request to the address they name', async () => {
  expect(
    await sns({ ...message({}), Message: JSON.stringify({ AlarmName: 'b', NewStateValue: 'ALARM' }) }),
  ).toBe(401);
  expect(await sns(message({ TopicArn: 'arn:aws:sns:eu-west-1:999999999999:alarms' }))).toBe(401);
  for (const address of [
    'https://evil.example/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0123456789abcdef.pem',
    'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com/other/../evil.pem',
    'no address',
  ])
    expect(await sns({ ...message({}), SigningCertURL: address })).toBe(401);
  expect(await sns(message({ Timestamp: new Date(now.getTime() - 3 * 3_600_000).toISOString() }))).toBe(401);
  expect(await call('sns', { 'x-amz-sns-message-type': 'Notification' }, '{')).toBe(401);
  expect(fetched.filter((one) => one !== certificateUrl)).toEqual([]);
  expect(taken).toEqual([]);
});
