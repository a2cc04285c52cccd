/** Why: with a database on another machine, each wait for it delays a card, and the page of somebody on call. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalEntry } from '../../../sandbox/journal.ts';
import { CountingLink, type Trip } from '../../support/round-trips.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

/** How often each waits for the database; lower them when it waits less. */
const limits = { card: 9, page: 5 };
const [atLeast, atMost] = [4, 15];

let workspace: Workspace;
const link = new CountingLink();
beforeAll(async () => {
  const caps = { pages_per_hour: 100, plans_per_hour: 100 };
  workspace = await Workspace.startHttp({
    config: configWith({ rules: [{ approvers: ['U0ANA'] }], caps }),
    envFor: async (_sandbox, databaseUrl) => ({ DATABASE_URL: await link.to(databaseUrl) }),
  });
});
afterAll(async () => {
  await finish(workspace);
  await link.close();
});

const isCard = ({ path, body }: JournalEntry) =>
  path === '/api/chat.postMessage' && JSON.stringify(body).includes('card:');
const isPage = ({ vendor }: JournalEntry) => vendor === 'pagerduty-events';

/** The statements between an act of a person and the first request to a vendor that fits. */
async function tripsTo(fits: (entry: JournalEntry) => boolean, act: () => Promise<unknown>): Promise<Trip[]> {
  const after = workspace.sandbox.journal.list().at(-1)?.id ?? 0;
  const found = () => workspace.sandbox.journal.list({ after }).find(fits);
  await link.reset();
  await act();
  await workspace.until(() => found() !== undefined, 'a request');
  return link.tripsUntil(found()?.clockMs ?? 0);
}

const waitsOf = (trips: readonly Trip[]): number => Math.max(...trips.map(({ wait }) => wait));
const fewer = (one: Trip[] | null, other: Trip[]): Trip[] =>
  one === null || waitsOf(other) < waitsOf(one) ? other : one;
const listed = (trips: readonly Trip[]): string =>
  trips.map(({ wait, sql }) => `${wait} ${sql.replace(/\s+/g, ' ').slice(0, 150)}`).join('\n');

test('a card and a page wait for the database no more often than they have to', async () => {
  let card: Trip[] | null = null;
  let page: Trip[] | null = null;
  for (let nth = 0; nth < atMost; nth += 1) {
    const goal = `Check open P1 tickets in OPS against the SLA and page ops with the text "run ${nth}" if breached`;
    card = fewer(card, await tripsTo(isCard, () => workspace.plan('ben', goal)));
    const posted = await workspace.card(`run ${nth}`);
    page = fewer(page, await tripsTo(isPage, () => workspace.click('ana', posted, 'plan.approve')));
    await workspace.reply(posted, /^Done: .*was paged/s);
    workspace.resolvePages();
    // The clock's own statements may fall into some of them, and none into the lowest.
    if (nth + 1 >= atLeast && waitsOf(card) <= limits.card && waitsOf(page) <= limits.page) break;
  }
  expect(waitsOf(card ?? []), listed(card ?? [])).toBe(limits.card);
  expect(waitsOf(page ?? []), listed(page ?? [])).toBe(limits.page);
});
