import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jiraCount } from '../../manifests/jira.count.ts';
import { slaThreshold } from '../../manifests/sla.threshold.ts';
import { compileCondition } from '../../src/core/condition.ts';
import { conditionValues, conditionWords } from '../../src/core/condition-words.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { planSchema } from '../../src/core/plan.ts';
import { stepSentence, vocabularyOf } from '../../src/core/step-words.ts';
import { planTitle } from '../../src/core/title.ts';
import { parse } from '../../src/notation/parse.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';

const scope = new Map<string, Manifest>([
  ['count', jiraCount],
  ['sla', slaThreshold],
]);
const results = (total: number, max: number) =>
  new Map<string, JsonObject>([
    ['count', { total, approximate: false, jql: 'project = OPS' }],
    ['sla', { max_open: max, resolve_within: '' }],
  ]);
const { manifests } = testCatalogue();
const lines = [
  'count = jira.count project=OPS priority=P1 status=open',
  'found = jira.search project=OPS priority=P1 status=open',
  'sla = sla.threshold project=OPS priority=P1',
  'late = jira.sla project=OPS priority=P1 state=breached',
  'rota = pagerduty.oncall service=ops',
  'ticket = jira.get key=OPS-101',
];
const spoken = vocabularyOf(parse(lines.join('\n'), manifests).plan?.steps ?? [], manifests);

describe('conditions', () => {
  test('compare like integers do, for all integers', () => {
    const condition = compileCondition('count.total > sla.max_open', scope);
    expect(condition.steps).toEqual(['count', 'sla']);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (total, max) => condition.holds(results(total, max)) === total > max),
    );
  });

  test.each(['list', 'map', 'loop'])('may read a step called %s, which CEL has a meaning for', (name) => {
    const named = new Map<string, Manifest>([[name, jiraCount]]);
    const condition = compileCondition(`${name}.total > 1 && "${name}.total" != "x"`, named);
    expect(condition.steps).toEqual([name]);
    const counted = (total: number) => new Map([[name, { total, approximate: false, jql: 'x' }]]);
    expect([condition.holds(counted(2)), condition.holds(counted(1))]).toEqual([true, false]);
  });

  test('are never true when a result is missing, even behind an "or"', () => {
    const condition = compileCondition('count.total > 1 || sla.max_open > 1', scope);
    const only = new Map([['count', { total: 5, approximate: false, jql: 'x' }]]);
    expect(() => condition.holds(only)).toThrow('step sla has no result');
    const inherited = new Map([
      ['count', {}],
      ['sla', {}],
    ]);
    expect(() => condition.holds(inherited)).toThrow();
    const borrowed: JsonObject = Object.create({ total: 99, approximate: false, jql: 'x' });
    const beside = new Map([...results(5, 1), ['count', borrowed]]);
    expect(() => compileCondition('count.total > 1', scope).holds(beside)).toThrow();
  });

  test.each([
    'count.constructor == "x"',
    'count.__proto__ == count.__proto__',
    'count["total"] > 1',
    '[1,2].exists(x, x > 1)',
    'count.total / 0 > 1',
    '{"a": 1}.a == 1',
    'timestamp("2020-01-01T00:00:00Z") < timestamp("2021-01-01T00:00:00Z")',
    `${'!'.repeat(400)}true`,
    `${'('.repeat(60)}true${')'.repeat(60)}`,
  ])('refuse %s', (source) => {
    expect(() => compileCondition(source, scope)).toThrow();
  });

  test('are compiled again when a step of the same name is another tool', () => {
    const source = 'count.total > 1';
    const limits = new Map<string, Manifest>([['count', slaThreshold]]);
    expect(compileCondition(source, scope).steps).toEqual(['count']);
    expect(() => compileCondition(source, limits)).toThrow();
    expect(() => compileCondition(source, new Map())).toThrow();
    for (let n = 0; n < 300; n += 1) compileCondition(`count.total > ${n + 2}`, scope);
    expect(compileCondition(source, scope).holds(results(2, 0))).toBe(true);
  });

  test('read as plain words on a card', () => {
    const plan = planSchema.parse(slaPlan());
    const words = vocabularyOf(plan.steps, testCatalogue().manifests);
    expect(conditionWords('count.total > 20', words)).toBe('there are more than 20 open P1 tickets in OPS');
    expect(conditionWords('count.total > sla.max_open && !(count.approximate)', words)).toBe(
      'open P1 tickets in OPS > the SLA limit for P1 in OPS and count.approximate is false',
    );
    expect(plan.steps.map((step) => stepSentence(step, words))).toEqual([
      'Count open P1 tickets in OPS',
      'Look up the SLA limit for P1 in OPS',
      'Page the on-call of ops: “OPS has ‹open P1 tickets in OPS› open P1 tickets; the SLA allows ‹the SLA limit for P1 in OPS›”',
    ]);
  });

  test.each([
    ['count.total > 0', 'there are open P1 tickets in OPS'],
    ['count.total >= 1', 'there are open P1 tickets in OPS'],
    ['count.total != 0', 'there are open P1 tickets in OPS'],
    ['count.total == 0', 'there are no open P1 tickets in OPS'],
    ['count.total < 1', 'there are no open P1 tickets in OPS'],
    ['count.total > 1', 'there are at least 2 open P1 tickets in OPS'],
    ['count.total <= 1', 'there are fewer than 2 open P1 tickets in OPS'],
    ['count.total >= 5', 'there are at least 5 open P1 tickets in OPS'],
    ['count.total <= 5', 'there are no more than 5 open P1 tickets in OPS'],
    ['count.total == 5', 'there are exactly 5 open P1 tickets in OPS'],
    ['count.total == 1', 'the number of open P1 tickets in OPS is 1'],
    ['count.total != 5', 'the number of open P1 tickets in OPS is not 5'],
    ['count.total >= 0', 'open P1 tickets in OPS ≥ 0'],
    ['found.total > 20', 'there are more than 20 open P1 tickets in OPS'],
    ['sla.max_open > 20', 'the SLA limit for P1 in OPS is more than 20'],
    ['rota.count == 0', 'nobody is on call for ops'],
    ['rota.count > 0', 'somebody is on call for ops'],
    ['late.total == 0', 'there are no P1 tickets in OPS over their SLA'],
    ['ticket.done', 'OPS-101 is done'],
    ['ticket.done == true', 'OPS-101 is done'],
    ['ticket.done == false', 'OPS-101 is not done'],
    ['!ticket.done', 'OPS-101 is not done'],
    ['ticket.assigned != true', 'nobody is assigned to OPS-101'],
    ['!(ticket.done && rota.count > 0)', 'OPS-101 is not done or nobody is on call for ops'],
  ])('read the way people say them: %s', (source, said) => {
    expect(conditionWords(source, spoken)).toBe(said);
  });

  test('show the value only if their words leave it open', () => {
    const found = new Map<string, JsonObject>([
      ['count', { total: 18 }],
      ['rota', { count: 0 }],
      ['ticket', { done: false, assigned: true }],
    ]);
    const known = { ...spoken, results: found };
    expect(conditionWords('count.total <= 20', known)).toBe(
      'there are no more than 20 open P1 tickets in OPS (18)',
    );
    expect(conditionWords('rota.count == 0 && !ticket.done', known)).toBe(
      'nobody is on call for ops and OPS-101 is not done',
    );
    expect(conditionWords('ticket.assigned == false', known)).toBe('nobody is assigned to OPS-101 (true)');
    expect(conditionValues('count.total > 20 && ticket.done', known)).toBe('18 > 20 and OPS-101 is not done');
  });

  test('read differently if they differ: brackets and quotation marks are kept', () => {
    const plan = planSchema.parse(slaPlan());
    const words = vocabularyOf(plan.steps, testCatalogue().manifests);
    const pairs = [
      ['(count.total + sla.max_open) * 2 > 10', 'count.total + sla.max_open * 2 > 10'],
      ['count.total - (sla.max_open - 1) > 0', 'count.total - sla.max_open - 1 > 0'],
      ['-(count.total + 1) > -9', '-count.total + 1 > -9'],
      ['page.state == "a\\" or \\"b"', 'page.state == "a" || "b" == ""'],
      ['(count.approximate && true) == false', 'count.approximate && true == false'],
    ] as const;
    for (const [one, other] of pairs) {
      for (const source of [one, other]) expect(() => compileCondition(source, words.scope)).not.toThrow();
      expect(conditionWords(one, words)).not.toBe(conditionWords(other, words));
    }
    expect(conditionWords('(count.total + 1) * 2 > 10', words)).toBe(
      '((open P1 tickets in OPS + 1) × 2) > 10',
    );
    expect(conditionWords(pairs[3][0], words)).toContain('"a\\" or \\"b"');
  });
});

describe('a title', () => {
  test.each([
    ['pagerduty.resolve incident=checkout', 'Resolve the open incident of checkout'],
    ['pagerduty.ack incident=4312', 'Acknowledge incident 4312'],
    ['pagerduty.ack incident=thread', 'Acknowledge the incident of this thread'],
    ['jira.search project=OPS order=oldest limit=1', 'List the oldest ticket in OPS'],
    ['jira.search project=OPS order=updated limit=5', 'List the 5 most recently updated tickets in OPS'],
    ['jira.search project=OPS limit=5', 'List the first 5 tickets in OPS'],
    ['jira.search project=OPS order=newest', 'List tickets in OPS, newest first'],
    ['jira.search project=OPS since=monday', 'List tickets in OPS created since Monday'],
    ['pagerduty.incidents service=ops limit=5', 'List the 5 newest PagerDuty incidents of ops'],
    [
      'list = jira.search project=OPS priority=P1 status=open\nslack.post channel=#ops text="{list.lines}"',
      'Post the list of open P1 tickets in OPS to #ops',
    ],
    [
      'n = jira.count project=OPS\nslack.post channel=#ops text="Tickets in OPS: {n.total}"',
      'Post the number of tickets in OPS to #ops',
    ],
    ['n = jira.count project=OPS\nslack.post channel=#ops text="now {n.total}"', 'Post to #ops'],
    ['slack.post channel=#ops text="‹the list›"', 'Post to #ops'],
    [
      'jira.count project=OPS priority=P1\npagerduty.page service=ops text="look"',
      'Count P1 tickets in OPS, page the on-call of ops',
    ],
  ])('says what is done, in the order in which it is done: %s', (notation, title) => {
    expect(planTitle(parse(notation, manifests).plan?.steps ?? [], manifests)).toBe(title);
  });
});
