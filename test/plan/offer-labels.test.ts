/** Why: a button is all that a thumb sees, so its label may lose words but no comparison, number or difference. */
import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { planSchema } from '../../src/core/plan.ts';
import { labelsOf, planWords } from '../../src/plan/offer-labels.ts';
import { countStep, slaPlan } from '../support/plans.ts';

const maxLabel = 75;
const paging = (often: string, than: string, project: string): string =>
  `${often}Page the on-call of payments-api if there are ${than} open P1 tickets in ${project}`;

test.each(['more than 3', 'fewer than 3', 'no more than 12', 'at least 120'])(
  'a long label keeps its comparison, its number and its target: %s',
  (than) => {
    const [label = ''] = labelsOf([paging('Every 10 minutes: ', than, 'PAY')]);
    expect(label.length).toBeLessThanOrEqual(maxLabel);
    expect(label).toContain(`if ${than} open P1`);
    expect(label).toMatch(/^Every 10 min(?:utes)?: Page payments-api .*PAY$/);
  },
);

test('labels that differ in their comparison alone stay different', () => {
  const [more = '', fewer = ''] = labelsOf([
    paging('Every weekday at 9:00 (Europe/Madrid): ', 'more than 3', 'PAY'),
    paging('Every weekday at 9:00 (Europe/Madrid): ', 'fewer than 3', 'PAY'),
  ]);
  expect(more).toContain('more than 3');
  expect(fewer).toContain('fewer than 3');
  expect(Math.max(more.length, fewer.length)).toBeLessThanOrEqual(maxLabel);
});

test('whole words go from one place, and a short label stays as it is', () => {
  const text =
    'Post to #incidents: “payouts are stuck since the last deploy and support has many angry callers”';
  const [long = '', short] = labelsOf([text, paging('', 'more than 3', 'PAY').slice(0, 40)]);
  expect(long.split('…')).toHaveLength(2);
  expect(long).toMatch(/^Post to #incidents: .*callers”$/);
  expect(short).not.toContain('…');
});

test('a watch that only reads says what it reports', () => {
  const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
  const watch = { every: { minutes: 10 } };
  const plan = planSchema.parse({ ...slaPlan([countStep]), success: ['count.total <= 30'], watch });
  expect(planWords(plan, manifests)).toMatch(/^Every 10 minutes: .*, report if .*more than 30/);
  expect(planWords({ ...plan, success: [] }, manifests)).not.toContain('report');
});
