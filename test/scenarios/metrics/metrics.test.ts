/** Why: a number decides about a page, so where there is none it must not count as a good one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ watches: { failures: 1 } }) });
});
beforeEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

/** From now on Prometheus has no series, or one whose value is none. */
const answers = (...result: object[]) =>
  workspace.sandbox.faults.add({
    ...{ vendor: 'prometheus', kind: 'status', status: 200 },
    body: { status: 'success', data: { resultType: 'matrix', result } },
  });

const says = (words: RegExp) =>
  workspace.until(() => words.test(workspace.transcript()), `the words ${words}`);

const slow = 'm = metrics.query named=latency service=checkout';

test('a question is answered with the value, its range, and the time it is about', async () => {
  await workspace.plan('ben', 'latency of checkout');
  await says(
    /Latency of checkout in the last hour: 2\.\d+ s at the end, 2\d\d ms to 2\.\d+ s, average [\d.]+ s/,
  );
  await workspace.plan('ben', 'latency by host');
  await says(/Latency by host in the last hour: 4 series/);
  await says(/checkout-4 +2\.\d+ s/);
});

test('a condition on a number says its unit on the card', async () => {
  await workspace.plan('ben', `${slow}; when m.value > 2: pagerduty.page service=ops text="slow"`);
  const card = await workspace.card(/the latency of checkout \(s\)/);
  expect(wordsOf(card)).toMatch(
    /^Page.*Latency of checkout in the last hour: 2\.\d+ s at the end.*:\s+more than 2\./s,
  );
  expect(JSON.stringify(card.blocks)).toContain('plan.approve');
});

test('where there is no data, a condition on it cannot be approved, and says why', async () => {
  answers();
  await workspace.plan('ben', 'latency of checkout in the last 10 minutes');
  await says(/Latency of checkout in the last 10 minutes: no data/);
  await workspace.plan('ben', `${slow}; when m.value < 1: slack.post channel=#ops text="all is well"`);
  const card = await workspace.card(/all is well/);
  expect(wordsOf(card)).toMatch(/the latency of checkout \(s\) is not known/);
  expect(JSON.stringify(card.blocks)).not.toContain('plan.approve');
});

test('a watch of a number without data says that it cannot tell', async () => {
  const values = [[Date.now() / 1_000, 'NaN']];
  answers({ metric: { service: 'checkout' }, values });
  await workspace.plan('ben', `${slow}\nwatch: every 5m\nsuccess: m.value <= 2`);
  await says(/Watching.*latency of checkout in the last 5 minutes.*I report when .*latency .*more than 2/s);
  await workspace.reply(
    await workspace.card('Watching'),
    /latency of checkout in the last 5 minutes: no data/,
  );
});
