/** Why: two plans about one breach page one person once, and two problems on one service still page twice. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { configWith, finish } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [{ approvers: ['U0ANA', 'U0CHIARA'] }];
  workspace = await Workspace.start({ config: configWith({ rules, caps: { pages_per_hour: 6 } }) });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace));

/** A page about the open P1 tickets of OPS, with its own text and limit. */
const breach = (text: string, bound = 1) =>
  `n = jira.count project=OPS priority=P1 status=open\nwhen n.total > ${bound}: pagerduty.page service=ops text="${text}"`;

async function approved(
  notation: string,
  text: string,
  as = 'ana',
): Promise<{ card: Message; said: string }> {
  await workspace.plan('ben', notation);
  const card = await workspace.card(text);
  const said = wordsOf(card);
  await workspace.click(as, card, 'plan.approve');
  return { card, said };
}

test('a second plan about one breach names the open incident and becomes a note on it', async () => {
  const first = await approved(breach('OPS is over its SLA'), 'OPS is over its SLA');
  expect(first.said).toContain(
    'if an incident about open P1 tickets in OPS is already open, it only gets a note',
  );
  await workspace.reply(first.card, /^Done/);
  const [incident] = workspace.pages();
  expect(incident).toMatchObject({ incidentKey: expect.stringMatching(/^cs-ops-[0-9a-f]{20}$/), notes: [] });

  const second = await approved(breach('Customers call', 20), 'Customers call', 'chiara');
  expect(second.said).toMatch(
    new RegExp(
      `→ pages Ana Ruiz.*→ incident #${incident?.number} “OPS is over its SLA” about this is open \\(triggered since \\d\\d:\\d\\d UTC\\): unless it is resolved by then, the text is added to it as a note and nobody is paged`,
      's',
    ),
  );
  const final = wordsOf(await workspace.reply(second.card, /^Done/));
  expect(final).toMatch(
    /incident +#2 +was already open \(triggered, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\), so a note was added instead of paging anyone/,
  );
  expect(workspace.pages()).toMatchObject([
    {
      triggers: 1,
      notified: [{ user: 'PANA01' }],
      notes: [
        {
          content: expect.stringMatching(
            /^Customers call\n\nRequested by @ben, approved by @chiara\n\[cs-run-/,
          ),
        },
      ],
    },
  ]);
});

test('after it is resolved, the same breach pages again', async () => {
  const before = workspace.pages().length;
  await workspace.plan('ben', breach('Over again'));
  const card = await workspace.card('Over again');
  expect(wordsOf(card)).not.toContain('is open (');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: .*was paged/s);
  expect(workspace.pages()).toHaveLength(before + 1);
});

test("if the card's open incident is resolved meanwhile, the person on the card is paged", async () => {
  await workspace.reply((await approved(breach('One'), '“One”')).card, /^Done/);
  await workspace.plan('ben', breach('Two'));
  const card = await workspace.card(/“Two”[\s\S]*is open \(triggered/);
  workspace.resolvePages();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done: .*Ana Ruiz was paged/s);
  expect(workspace.pages().at(-1)).toMatchObject({ title: expect.stringContaining('Two'), notes: [] });
});

test('two different problems on one service page twice', async () => {
  const before = workspace.pages().length;
  const disk = await approved('pagerduty.page service=ops text="disk full on db1"', 'disk full on db1');
  await workspace.reply(disk.card, /^Done/);
  const cert = await approved('pagerduty.page service=ops text="cert has expired"', 'cert has expired');
  expect(cert.said).toContain('if an incident with the same words is already open, it only gets a note');
  await workspace.reply(cert.card, /^Done: .*was paged/s);
  expect(
    workspace
      .pages()
      .slice(before)
      .map(({ notified }) => notified.length),
  ).toEqual([1, 1]);
});

test('a person is paged at most the capped number of times an hour, across services', async () => {
  const { store } = workspace.sandbox.pagerduty;
  const checkout = store.service('PSCHK01');
  if (checkout) store.setOnCall(checkout, 'PANA01', new Date(Date.now() + 3_600_000));
  // Ana was paged six times above, for ops; the notes do not count.
  const before = workspace.pages().length;
  expect(before).toBe(6);
  const { card } = await approved(
    'pagerduty.page service=checkout text="basket is empty"',
    'basket is empty',
  );
  const final = wordsOf(await workspace.reply(card, /^Nobody was paged: /));
  expect(final).toMatch(
    /Ana Ruiz was paged 6 times within the last hour, and the cap is 6; the first was at/,
  );
  expect(workspace.pages()).toHaveLength(before);
});
