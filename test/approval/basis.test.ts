import { describe, expect, it, test } from 'vitest';
import { basisOf, changedSince, type Rules } from '../../src/approval/basis.ts';
import { type PlanDraft, planSchema } from '../../src/core/plan.ts';
import type { QueryTemplate } from '../../src/core/queries/template.ts';
import type { Sealed } from '../../src/core/revision.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { slaPlan } from '../support/plans.ts';
import { rule } from '../support/rules.ts';
import { sealedOf } from '../support/runs.ts';

const catalogue = testCatalogue();
const ana = { kind: 'user', id: 'U0ANA' } as const;
const eva = { kind: 'user', id: 'U0EVA' } as const;
const pages = rule({ name: 'pages', tools: ['pagerduty.page'], services: ['ops'], approvers: [ana] });
const rest = rule({ name: 'rule 2', approvers: [eva] });
const rules: Rules = { catalogue, policy: { ...testPolicy, rules: [pages, rest] } };

/** The plan as sealed under `rules`. */
function sealed(steps?: PlanDraft['steps'], under: Rules = rules, targets: Sealed['targets'] = []): Sealed {
  const plan = planSchema.parse(slaPlan(steps));
  return sealedOf('basis', plan, { targets, ...basisOf({ plan, targets }, under) });
}

const names = (change: Parameters<typeof testCatalogue>[0]): Rules => ({
  ...rules,
  catalogue: testCatalogue(change),
});
const policy = (change: Partial<Rules['policy']>): Rules => ({
  ...rules,
  policy: { ...rules.policy, ...change },
});
const ruled = (...all: Rules['policy']['rules']): Rules => policy({ rules: all });
const { services, projects, channels, people, defaults, manifests } = catalogue;
const hours = { from: 0, to: 60, days: [1], timezone: 'UTC' };
const { caps } = testPolicy;

describe('a plan that pages ops about OPS outlives', () => {
  const harmless: [string, Rules][] = [
    [
      'a new channel',
      names({ channels: [...channels, { name: 'new', id: 'C0NEW', clearance: 'internal' }] }),
    ],
    ['a new service', names({ services: [...services, { name: 'new', pagerdutyId: 'PSNEW01' }] })],
    ['another id of a service that it does not name', names({ services: services.map(notOps) })],
    ['a new project', names({ projects: [...projects, { key: 'NEW', aliases: [] }] })],
    ['another alias', names({ projects: projects.map((one) => ({ ...one, aliases: ['o'] })) })],
    ['a new person', names({ people: [...people, { handle: 'dora', id: 'U0DORA' }] })],
    ['other defaults of what goals leave out', names({ defaults: { ...defaults, channel: 'general' } })],
    [
      'one tool less',
      names({ manifests: new Map([...manifests].filter(([name]) => name !== 'slack.post')) }),
    ],
    ['a rule about another tool', ruled(rule({ tools: ['slack.post'], approvers: [eva] }), pages, rest)],
    ['a denial of another service', ruled(rule({ services: ['payments-api'], deny: 'frozen' }), pages, rest)],
    ['a rule behind the one that decides', ruled(pages, rule({ approvers: [] }))],
    ['another name of its rule', ruled({ ...pages, name: 'wake-ups' }, rest)],
    ['one more tool in its rule', ruled({ ...pages, tools: ['pagerduty.page', 'slack.post'] }, rest)],
    ['other limits by the hour', policy({ caps: { ...caps, pagesPerHour: 1, questionsPerHour: 1 } })],
    ['another life of new cards', policy({ expiresMinutes: 1 })],
  ];
  it.each(harmless)('%s', (_name, now) => {
    expect(changedSince(sealed(), now)).toEqual([]);
  });
});

function notOps(service: (typeof services)[number]): (typeof services)[number] {
  return service.name === 'ops' ? service : { ...service, pagerdutyId: 'PSELSE1' };
}

describe('a plan that pages ops about OPS is voided, with the reason, by', () => {
  const who = 'who may approve it';
  const concerns: [string, Rules, string[]][] = [
    [
      'another id of its service',
      names({ services: services.map((one) => ({ ...one, pagerdutyId: 'X' })) }),
      ['service ops'],
    ],
    [
      'another routing key',
      names({ services: services.map((one) => ({ ...one, routing: 'OTHER' })) }),
      ['service ops'],
    ],
    ['the end of its service', names({ services: [] }), ['service ops']],
    [
      'another service limit',
      names({ projects: projects.map((one) => ({ ...one, agreed: 'x' })) }),
      ['project OPS'],
    ],
    ['other priorities in Jira', names({ priorities: { P1: 'Lowest' } }), ['the names of priorities']],
    ['another time zone', names({ defaults: { ...defaults, timezone: 'Europe/Madrid' } }), ['the time zone']],
    ['a denial of its service', ruled(pages, rest, rule({ services: ['ops'], deny: 'frozen' })), [who]],
    ['other approvers', ruled({ ...pages, approvers: [eva] }, rest), [who]],
    ['an earlier rule that fits', ruled(rule({ approvers: [eva] }), pages, rest), [who]],
    ['an earlier rule that fits at some hours', ruled(rule({ approvers: [eva], hours }), pages, rest), [who]],
    ['the end of its rule', ruled(rest), [who]],
    ['one more approval needed', ruled({ ...pages, needed: 2 }, rest), [who]],
    ['other people who may break glass', policy({ breakGlass: [eva] }), [who]],
    ['reads that ask', policy({ reads: 'ask' }), [who]],
    ['a smaller limit of steps than it has', policy({ caps: { ...caps, steps: 2 } }), [who]],
    ['no writes at all', policy({ caps: { ...caps, writes: 0 } }), [who]],
  ];
  it.each(concerns)('%s', (_name, now, changed) => {
    expect(changedSince(sealed(), now)).toEqual(changed);
  });
});

test('the end of a tool of a plan voids it', () => {
  const left = [...manifests].filter(([name]) => name !== 'jira.count');
  expect(changedSince(sealed(), names({ manifests: new Map(left) }))).toContain('the tool jira.count');
});

test('a target that a result decides rests on all that it may be', () => {
  const steps = [
    { id: 'page', tool: 'pagerduty.page', why: 'x', args: { service: { ref: 'duty.service' }, text: 'x' } },
  ];
  const now = names({ services: [...services, { name: 'new', pagerdutyId: 'PSNEW01' }] });
  expect(changedSince(sealed(steps), now)).toEqual(['the list of services']);
});

test('the service of an incident counts as named', () => {
  const steps = [{ id: 'ack', tool: 'pagerduty.ack', why: 'x', args: { incident: '1' } }];
  const target = {
    step: 'ack',
    arg: 'incident',
    kind: 'incident',
    value: '1',
    label: '1',
    identity: 'Q1',
  } as const;
  const plan = sealed(steps, rules, [{ ...target, service: 'payments-api' }]);
  expect(changedSince(plan, names({ services: services.map(notOps) }))).toEqual(['service payments-api']);
});

test('a read of every project rests on the list of them, and on no entry', () => {
  const steps = [{ id: 'count', tool: 'jira.count', why: 'x', args: { priority: 'P1' } }];
  const other = names({ projects: projects.map((one) => ({ ...one, agreed: 'x' })) });
  expect(changedSince(sealed(steps), other)).toEqual([]);
  const more = names({ projects: [...projects, { key: 'NEW', aliases: [] }] });
  expect(changedSince(sealed(steps), more)).toEqual(['the list of projects']);
});

test('a vetted query voids the plans that name it, and no other', () => {
  const query = (name: string, text: string): QueryTemplate => {
    return {
      name,
      language: 'sql',
      source: 'shop',
      says: [name],
      services: [],
      parameters: {},
      window: 'PT1H',
      text,
    };
  };
  const steps = [{ id: 'rows', tool: 'sql.query', why: 'x', args: { named: 'orders' } }];
  const under = names({ queries: [query('orders', 'select 1'), query('users', 'select 2')] });
  const plan = sealed(steps, under);
  expect(
    changedSince(plan, names({ queries: [query('orders', 'select 1'), query('new', 'select 3')] })),
  ).toEqual([]);
  const changed = names({ queries: [query('orders', 'select 4')] });
  expect(changedSince(plan, changed)).toEqual(['the query orders']);
});

test('a plan that was sealed over all settings at once has to be made again', () => {
  expect(changedSince({ ...sealed(), catalogue: 'c' }, rules)).toEqual(['the version of Countersign']);
});
