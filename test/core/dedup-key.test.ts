import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { problemsOf } from '../../src/core/dedup-key.ts';
import { parse } from '../../src/notation/parse.ts';

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));

function problemOf(notation: string) {
  const { plan, problems } = parse(notation, manifests);
  if (plan === null) throw new Error(`${notation}: ${JSON.stringify(problems)}`);
  const [problem, ...others] = problemsOf(plan, manifests);
  expect(others).toEqual([]);
  return problem ?? { key: '', words: '' };
}

const breach = `count = jira.count project=OPS priority=P1 status=open
limit = sla.threshold project=OPS priority=P1
when count.total > limit.max_open: pagerduty.page service=ops text="OPS has {count.total}; the SLA allows {limit.max_open}"`;

test('a problem is named by its service, and its words say what it is about', () => {
  expect(problemOf(breach)).toEqual({
    step: 'page',
    key: expect.stringMatching(/^cs-ops-[0-9a-f]{20}$/),
    words: 'if an incident about open P1 tickets in OPS is already open, it only gets a note',
  });
  expect(problemOf('pagerduty.page service=ops text="disk full"')).toMatchObject({
    words: 'if an incident with the same words is already open, it only gets a note',
  });
});

test.each([
  [
    'other names of steps and other words',
    `n = jira.count status=open priority=P1 project=OPS
l = sla.threshold project=OPS priority=P1
when n.total > l.max_open: pagerduty.page service=ops text="too many"`,
  ],
  [
    'a bound of its own',
    `count = jira.count project=OPS priority=P1 status=open
when count.total >= 25: pagerduty.page service=ops text="x"`,
  ],
  [
    'the sides changed',
    `count = jira.count project=OPS priority=P1 status=open
when 20 < count.total: pagerduty.page service=ops urgency=high text="x"`,
  ],
  [
    'a guard that measures nothing',
    `count = jira.count project=OPS priority=P1 status=open
who = pagerduty.oncall service=ops
when count.total > 20 && who.count > 0: pagerduty.page service=ops severity=P1 text="x"`,
  ],
])('a breach is the same problem with %s', (_what, notation) => {
  expect(problemOf(notation).key).toBe(problemOf(breach).key);
});

test.each([
  ['another service', breach.replace('service=ops', 'service=checkout')],
  ['a page that wakes nobody', breach.replace('service=ops', 'service=ops urgency=low')],
  ['other tickets', breach.replaceAll('project=OPS', 'project=PAY')],
  ['another priority', breach.replaceAll('priority=P1', 'priority=P2')],
  ['too few instead of too many', breach.replace('count.total >', 'count.total <')],
  ['more to hold', breach.replace('limit.max_open:', 'limit.max_open && count.total != 30:')],
  ['no condition', breach.replace(/when [^:]*: /, '')],
])('%s is another problem', (_what, notation) => {
  expect(problemOf(notation).key).not.toBe(problemOf(breach).key);
});

const page = (text: string, when = '') =>
  `who = pagerduty.oncall service=ops\n${when}pagerduty.page service=ops text="${text}"`;

test('without a measurement the text tells problems apart, ignoring case, spacing and punctuation', () => {
  const { key } = problemOf(page('Disk full on db1'));
  expect(problemOf(page('  disk  FULL: on db1!')).key).toBe(key);
  expect(problemOf(page('disk full on db2')).key).not.toBe(key);
  expect(problemOf(page('checkout returns 500')).key).not.toBe(key);
  // Whether somebody is on call does not say what is wrong.
  expect(problemOf(page('disk full on db1', 'when who.count > 0: ')).key).toBe(key);
  expect(problemOf(page('checkout returns 500', 'when who.count > 0: ')).key).not.toBe(key);
});

test('an alternative without a measurement may be the problem, so the text decides', () => {
  const either = (text: string) => `count = jira.count project=OPS
who = pagerduty.oncall service=ops
when count.total > 20 || who.count == 0: pagerduty.page service=ops text="${text}"`;
  expect(problemOf(either('a')).key).not.toBe(problemOf(either('b')).key);
});

test('the order of conditions and of alternatives does not matter', () => {
  const reads = 'a = jira.count project=OPS\nb = jira.count project=PAY\n';
  const write = ': pagerduty.page service=ops text="x"';
  const both = (when: string) => problemOf(`${reads}when ${when}${write}`).key;
  expect(both('a.total > 1 && b.total > 1')).toBe(both('b.total > 1 && a.total > 1'));
  expect(both('a.total > 1 || b.total > 1')).toBe(both('b.total > 1 || a.total > 1'));
  expect(both('a.total > 1 && b.total > 1')).not.toBe(both('a.total > 1 || b.total > 1'));
  expect(both('a.total > b.total')).toBe(both('b.total < a.total'));
  expect(both('a.total > b.total')).not.toBe(both('a.total < b.total'));
});

test('a result in the text counts by its source, never by its value', () => {
  const said = (step: string) =>
    `${step} = jira.count project=OPS\npagerduty.page service=ops text="{${step}.total} open"`;
  expect(problemOf(said('a')).key).toBe(problemOf(said('b')).key);
  expect(problemOf(said('a').replace('OPS', 'PAY')).key).not.toBe(problemOf(said('a')).key);
});
