/** Why: people should read first what they can ask here, in the names of their own workspace. */
import { expect, test } from 'vitest';
import { mayBeApproved } from '../../src/approval/may-approve.ts';
import { askableIn } from '../../src/core/askable.ts';
import { testCatalogue } from '../support/planning.ts';
import { rulesFor } from '../support/rules.ts';

const all = () => true;
const goalsOf = (system: string, askable: ReturnType<typeof askableIn>) =>
  askable.find((one) => one.system === system)?.goals;

test('names an example of each system, reads first, in the names of the workspace', () => {
  const other = testCatalogue({
    services: [{ name: 'shop', pagerdutyId: 'P1', project: 'SHOP' }],
    projects: [{ key: 'SHOP', service: 'shop', aliases: [] }],
  });
  expect(goalsOf('Jira', askableIn(testCatalogue(), all))?.[0]).toBe('how many open P1 tickets are in OPS');
  const asked = askableIn(other, all);
  expect(goalsOf('Jira', asked)?.[0]).toBe('how many open P1 tickets are in SHOP');
  expect(JSON.stringify(asked)).not.toMatch(/\b(?:OPS|PAY|payments-api)\b/);
  expect(goalsOf('PagerDuty', asked)).toHaveLength(3);
  expect(asked.map(({ system }) => system)).toContain('Splunk');
});

test('leaves out tools that are not set up, and writes that nobody may approve', () => {
  const without = testCatalogue({ unconfigured: new Map([['logs.spl', 'SPLUNK_URL']]) });
  expect(askableIn(without, all).map(({ system }) => system)).not.toContain('Splunk');
  const rules = rulesFor({ 'pagerduty.page': [{ kind: 'user', id: 'U0ANA' }], 'slack.post': [] });
  const may = (tool: string) => mayBeApproved(tool, { rules, serviceOf: {} } as never);
  expect([may('pagerduty.page'), may('slack.post'), may('jira.create')]).toEqual([true, false, false]);
  expect(askableIn(testCatalogue(), may).map(({ system }) => system)).not.toContain('Slack');
});
