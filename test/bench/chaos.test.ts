/** Why: a checker that finds nothing proves nothing, unless it finds what is there. */
import { execFile } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { createConnection, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { caseOf } from '../../bench/chaos/case.ts';
import { Link } from '../../bench/chaos/link.ts';
import { Random } from '../../bench/chaos/random.ts';
import { Takeovers } from '../../bench/chaos/takeovers.ts';
import { chosen } from '../../bench/chaos/trouble.ts';
import { type Account, type Seen, verdictOf } from '../../bench/chaos/verdict.ts';
import { take } from '../../src/store/load-run.ts';
import { freePort } from '../support/port.ts';
import { givenRun, NOON, openTestStore, TEAM } from '../support/store.ts';

const one = { ...caseOf(1, 'T0SANDBOX'), acknowledged: true };
const message = (key: string, more: Partial<Seen> = {}): Seen => ({
  ...{ key, ts: key, text: '', all: '', threadTs: null, canApprove: false },
  ...more,
});
const card = message('card:r1:1', { all: `… ${one.mark} …` });
const final = message('final:run-1', { threadTs: card.ts, text: 'Done: it was posted.' });
const right: Account = {
  asked: [one],
  messages: [card, final],
  whispers: new Map(),
  effects: new Map([[one.mark, 1]]),
  runs: ['run-1'],
  elsewhere: '',
  leftOver: { runs: 0 },
};
const nothing = { lost: [], repeated: [], untold: [], mixedUp: [] };

test('a request written once and reported passes, and so does one reported as unknown', () => {
  expect(verdictOf(right)).toEqual(nothing);
  const doubt = { ...final, text: 'Outcome unknown, please check: …' };
  expect(verdictOf({ ...right, messages: [card, doubt] })).toEqual(nothing);
  expect(verdictOf({ ...right, messages: [card, doubt], effects: new Map() })).toEqual(nothing);
});

test('lost, repeated, unreported and cross-workspace messages are found and named', () => {
  const found = (changes: Partial<Account>) => verdictOf({ ...right, ...changes });
  expect(found({ effects: new Map() }).lost).toEqual([`${one.mark} is told as done and was never written`]);
  expect(found({ messages: [], runs: [] }).lost).toEqual([`ben asked and heard nothing: ${one.mark}`]);
  expect(found({ messages: [], runs: [], effects: new Map(), whispers: new Map([['ben', 1]]) })).toEqual(
    nothing,
  );
  expect(found({ messages: [{ ...card, canApprove: true }, final] }).lost).toHaveLength(1);
  expect(found({ leftOver: { runs: 1, messages: 0 } }).lost).toEqual(['1 runs that nobody finished']);
  expect(found({ effects: new Map([[one.mark, 2]]) }).repeated).toEqual([
    expect.stringContaining(`${one.mark} was written 2 times, told as “Done`),
  ]);
  expect(found({ messages: [card, card, final] }).repeated).toEqual(['card:r1:1 stands in Slack 2 times']);
  expect(found({ messages: [card, { ...final, text: 'Failed: nothing was sent.' }] }).untold).toEqual([
    `${one.mark} was written and nobody was told`,
  ]);
  expect(found({ messages: [card] }).untold).toHaveLength(2);
  expect(found({ elsewhere: `… ${one.mark} …` }).mixedUp).toEqual([
    `${one.mark} stands in another workspace`,
  ]);
});

test('a short run starts, prints its figures, and finds nothing lost, repeated or unreported', async () => {
  const options = ['--seconds', '2', '--seed', '9', '--shape', 'one'];
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/chaos/run.ts', ...options]);
  expect(stdout).toMatch(/^seed 9, 2 s, one\nasked +[1-9]/);
  expect(stdout).toMatch(/^written +[1-9]\d*\ntrouble: a vendor’s answers are lost +1$/m);
  expect(stdout).toMatch(/^starts of processes +1$/m);
  expect(stdout).toMatch(/^audit log +whole, \d+ lines\nlost +0\nrepeated +0\nuntold +0$/m);
}, 180_000);

test('the same seed causes the same faults', () => {
  const names = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => chosen(random).name);
  };
  expect(names(7)).toEqual(names(7));
  expect(names(7)).not.toEqual(names(8));
});

test('a cable carries bytes, goes silent without closing, and breaks when it is cut', async () => {
  const echo = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const address = echo.address();
  const link = await Link.to(typeof address === 'object' && address !== null ? address.port : 0);
  const socket = createConnection(link.port, '127.0.0.1');
  const heard: string[] = [];
  socket.on('data', (chunk) => heard.push(String(chunk))).on('error', () => undefined);
  socket.write('one');
  await expect.poll(() => heard).toEqual(['one']);
  link.silence();
  socket.write('two');
  await pause(50);
  expect([heard, socket.destroyed]).toEqual([['one'], false]);
  link.heal();
  await expect.poll(() => socket.destroyed).toBe(true);
  link.cut();
  const refused = createConnection(link.port, '127.0.0.1').on('error', () => undefined);
  await expect.poll(() => refused.destroyed).toBe(true);
  await link.close();
  echo.close();
});

test('a process calls a server by its own address, and reaches it through its cable', async () => {
  const server = createHttpServer((request, response) => response.end(`asked as ${request.headers.host}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const link = await Link.to(typeof address === 'object' && address !== null ? address.port : 0);
  const { searchParams, href } = new URL('../../bench/chaos/through-cables.ts', import.meta.url);
  const port = await freePort();
  searchParams.set(String(port), String(link.port));
  const ask = `
    const said = await (await fetch('http://127.0.0.1:${port}')).text();
    const raw = (await import('node:net')).connect(${port}, '127.0.0.1', () => {
      console.log(said, raw.remotePort);
      raw.end();
    });`;
  const options = ['--import', `${href}?${searchParams}`, '--input-type=module', '-e', ask];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  expect(stdout.trim()).toBe(`asked as 127.0.0.1:${port} ${link.port}`);
  await link.close();
  server.close();
});

const store = openTestStore();

test('a run counts as taken over only when another process owns it or it has ended', async () => {
  const [moved, ended] = [await givenRun(store.db(), 'moved'), await givenRun(store.db(), 'ended')];
  const key = (runId: string, entered: number) => ({ teamId: TEAM, runId, entered });
  for (const { runId } of [moved, ended]) await take(store.db(), key(runId, 0), 'dead');
  const kills = [{ process: 'dead', atMs: performance.now() }];
  const takeovers = new Takeovers({ postgres: { ownerUrl: store.url() }, members: [{ kills }] });
  const watched = takeovers.watch();
  await expect.poll(() => takeovers.waiting).toBe(2);
  expect(takeovers.times).toEqual([]);
  await take(store.db(), key(moved.runId, 1), 'living');
  await expect.poll(() => [takeovers.waiting, takeovers.times.length]).toEqual([1, 1]);
  const over = { state: 'finished', outcome: 'done', finishedAt: NOON } as const;
  await store.db().updateTable('runs').set(over).where('id', '=', ended.runId).execute();
  await expect.poll(() => [takeovers.waiting, takeovers.times.length]).toEqual([0, 2]);
  takeovers.stop();
  await watched;
});
