/** Why: paging once must never mean not paging: a failed lookup or note is reported, and somebody is paged. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { world } from '../../../sandbox/world.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const config = configWith({ rules: [{ approvers: ['U0ANA'] }], caps: { pages_per_hour: 100 } });
  workspace = await Workspace.start({ config, env: { PAGERDUTY_API_TOKEN: world.pagerduty.readOnlyToken } });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace));

const rest = { vendor: 'pagerduty-rest' } as const;

async function cardOf(text: string): Promise<Message> {
  await workspace.plan('ben', `pagerduty.page service=ops text="${text}"`);
  return workspace.card(`“${text}”`);
}

test('with a read-only token, the second page reports that its note could not be added', async () => {
  const first = await cardOf('Disk full');
  await workspace.click('ana', first, 'plan.approve');
  await workspace.reply(first, /^Done: .*was paged/s);
  const second = await cardOf('disk FULL');
  await workspace.click('ana', second, 'plan.approve');
  const final = wordsOf(await workspace.reply(second, /^Done/));
  expect(final).toMatch(
    /so nobody was paged, and no note was added: PagerDuty does not allow this.*not read-only/,
  );
  expect(workspace.pages()).toMatchObject([{ triggers: 1, notes: [] }]);
});

test('if open incidents cannot be looked up the page goes out, and PagerDuty merges it by its key', async () => {
  const first = await cardOf('Search is down');
  await workspace.click('ana', first, 'plan.approve');
  await workspace.reply(first, /^Done: .*was paged/s);
  const second = await cardOf('search is down!');
  const followed = 'select count(*)::int as n from incidents where life is not null';
  await until(async () => (await rows(workspace, followed))[0]?.n === workspace.pages().length);
  workspace.sandbox.faults.add({
    ...rest,
    kind: 'status',
    status: 503,
    // The page lists the open incidents once before it goes out; the first incident is then read at its own address.
    match: { path: '/incidents', exact: true },
    times: 1,
  });
  await workspace.click('ana', second, 'plan.approve');
  const final = wordsOf(await workspace.reply(second, /^Done/));
  expect(final).toMatch(/was already open.*nobody was paged, and no note was added/);
  expect(workspace.pages().at(-1)).toMatchObject({ triggers: 2, notified: [{ user: 'PANA01' }] });
});

test('a note whose answer was lost is not added twice', async () => {
  const first = await cardOf('Queue is stuck');
  await workspace.click('ana', first, 'plan.approve');
  await workspace.reply(first, /^Done: .*was paged/s);
  const second = await cardOf('queue is stuck');
  const unavailable = { kind: 'status', status: 503, match: { method: 'POST' }, times: 1 } as const;
  workspace.sandbox.faults.add({ ...rest, ...unavailable });
  await workspace.click('ana', second, 'plan.approve');
  // The token is read-only, so the second attempt is refused: nothing is claimed that did not happen.
  await workspace.reply(second, /^Done: .*no note was added/s);
  expect(workspace.pages().at(-1)).toMatchObject({ triggers: 1, notes: [] });
});

/** PagerDuty takes the page and its answer is lost; somebody resolves the incident before the bot tries again. */
async function lostAndResolved(card: Message): Promise<void> {
  const { faults, pagerduty } = workspace.sandbox;
  faults.add({ vendor: 'pagerduty-events', kind: 'lost-answer', times: 1 });
  const ignore = pagerduty.store.onChange(() => {
    ignore();
    workspace.resolvePages();
  });
  await workspace.click('ana', card, 'plan.approve');
}

const pagesAbout = (text: string) => workspace.pages().filter(({ title }) => title === text);

test('a page whose answer was lost is not sent again after its incident was resolved', async () => {
  const card = await cardOf('Index is gone');
  await lostAndResolved(card);
  const final = wordsOf(await workspace.reply(card, /^Done/, 25_000));
  expect(final).toMatch(/Ana Ruiz was paged, .*; incident +#\d+ +is resolved already/);
  expect(final).toContain('no answer came back, but a look afterwards showed that it was done');
  expect(pagesAbout('Index is gone')).toMatchObject([{ triggers: 1 }]);
});

test('a page in doubt goes out again if PagerDuty cannot be asked about it, and the thread says so', async () => {
  const card = await cardOf('Cache is cold');
  const forbidden = { kind: 'status', status: 403, match: { path: '/incidents', exact: true } } as const;
  workspace.sandbox.faults.add({ ...rest, ...forbidden });
  await lostAndResolved(card);
  expect(wordsOf(await workspace.reply(card, /^Done/, 25_000))).toMatch(
    /PagerDuty could not be asked about it, so it was sent again.*somebody may have been paged twice/,
  );
  expect(pagesAbout('Cache is cold')).toHaveLength(2);
});
