/** Why: a failed read is not "0 found". Nobody is paged on a guess, the thread says what broke, and a new card retries it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ caps: { pages_per_hour: 100 } }) });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace));

let lastThreshold = 0;
/** Approves a new plan while Jira has the faults. Each goal differs, so that its card can be told from cards that quote it. */
async function approvedDuring(...faults: Omit<Fault, 'vendor'>[]): Promise<Message> {
  lastThreshold += 1;
  const goal = `if OPS has more than ${lastThreshold} open P1 tickets, page ops`;
  await workspace.plan('ben', goal);
  const card = await workspace.card(`OPS has more than ${lastThreshold} open`);
  // Tickets like an earlier page are looked up in Jira, too.
  const followed = 'select count(*)::int as n from incidents where life is not null';
  await until(async () => (await rows(workspace, followed))[0]?.n === workspace.pages().length);
  for (const fault of faults) workspace.sandbox.faults.add({ vendor: 'jira', ...fault });
  await workspace.click('ana', card, 'plan.approve');
  return card;
}

async function failedHonestly(card: Message, why: RegExp): Promise<string> {
  const pages = workspace.pages().length;
  const final = wordsOf(await workspace.reply(card, /^Nobody was paged: /, 25_000));
  expect(final).toMatch(why);
  expect(final).toContain('NOT DONE');
  expect(final).not.toContain('0 open P1');
  expect(workspace.pages()).toHaveLength(pages);
  return final;
}

test('a token that Jira rejects fails the run, names the token, and offers a card for the rest', async () => {
  const card = await approvedDuring({ kind: 'status', status: 401 });
  await failedHonestly(card, /token is not valid: check JIRA_EMAIL/);
  const next = await workspace.card('Retries only the steps');
  expect(next.ts).not.toBe(card.ts);
  expect(wordsOf(next)).toMatch(/Can’t be approved yet.*token is not valid/s);
  expect(actionsOf(next.blocks)).toEqual(['plan.again', 'plan.edit', 'plan.reject', 'plan.ask.0']);

  workspace.sandbox.faults.clear();
  const before = workspace.pages().length;
  await workspace.click('ana', next, 'plan.again');
  const readable = await workspace.card(/Retries only the steps[\s\S]*Revision 3 /);
  await workspace.becomes(next, 'Replaced by revision 3');
  await workspace.click('chiara', readable, 'plan.approve');
  await workspace.reply(readable, /^Done/);
  expect(workspace.pages()).toHaveLength(before + 1);
});

test('a rate limit with a short Retry-After is waited for', async () => {
  const card = await approvedDuring({ kind: 'status', status: 429, retryAfterSeconds: 1, times: 1 });
  await workspace.reply(card, /^Done/, 25_000);
  const [step] = await rows(
    workspace,
    "select attempts from step_results where attempts > 1 and status = 'succeeded'",
  );
  expect(step).toEqual({ attempts: 2 });
});

test('a rate limit of minutes fails and says how long Jira asked to wait', async () => {
  const card = await approvedDuring({ kind: 'status', status: 429, retryAfterSeconds: 600 });
  await failedHonestly(card, /Jira asked the bot to wait for 600 s/);
});

test('errors, resets and truncated answers are retried, then given up', async () => {
  await workspace.reply(await approvedDuring({ kind: 'status', status: 500, times: 1 }), /^Done/, 25_000);
  await workspace.reply(await approvedDuring({ kind: 'truncate', times: 1 }), /^Done/, 25_000);
  await failedHonestly(await approvedDuring({ kind: 'reset' }), /Jira/);
  workspace.sandbox.faults.clear();
  await failedHonestly(
    await approvedDuring({ kind: 'status', status: 503 }),
    /Jira had an error on its side \(HTTP 503\)/,
  );
});

test('an answer that is not a count is a failure, not a number', async () => {
  const nonsense = { kind: 'status', status: 200, body: { count: 'lots' } } as const;
  await failedHonestly(await approvedDuring(nonsense), /Jira/);
});

test('after three failed runs there is no further card', async () => {
  const broken = { vendor: 'jira', kind: 'status', status: 401 } as const;
  let card = await approvedDuring(broken);
  for (const number of [3, 5]) {
    await failedHonestly(card, /token is not valid/);
    const unread = await workspace.card(
      new RegExp(
        `Can’t be approved yet.*OPS has more than ${lastThreshold} open.*Revision ${number - 1} `,
        's',
      ),
    );
    workspace.sandbox.faults.clear();
    await workspace.click('dev', unread, 'plan.again');
    card = await workspace.card(
      new RegExp(`OPS has more than ${lastThreshold} open.*Revision ${number} `, 's'),
    );
    workspace.sandbox.faults.add(broken);
    await workspace.click('ana', card, 'plan.approve');
  }
  await failedHonestly(card, /token is not valid/);
  await workspace.becomes(card, 'finished');
  const cards = workspace
    .messages()
    .filter((m) => !m.threadTs && wordsOf(m).includes(`OPS has more than ${lastThreshold} open`));
  expect(cards).toHaveLength(5);
});
