import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { buildAlertRules } from '../../src/config/build-alerts.ts';
import type { Known } from '../../src/config/complaint.ts';
import { checkOperatorConfig } from '../../src/config/operator.ts';
import { ruleFor } from '../../src/core/alert.ts';

const known: Known = {
  tools: new Map([['pagerduty.page', 'write']]),
  variables: new Map([
    ['ALERTS_TOKEN', 'a-token-that-is-long-enough'],
    ['SHORT', 'short'],
    ['PORT', '3000'],
  ]),
  checksEnvironment: true,
  playbooks: new Set(['alert-evidence']),
};
const base = {
  channels: { ops: { id: 'C0OPS' } },
  services: { checkout: { pagerduty: 'PABC123' } },
};
const am = { kind: 'alertmanager', bearer: 'ALERTS_TOKEN' };

function check(alerts: object, more: Partial<Known> = {}) {
  const { config, problems } = checkOperatorConfig(stringify({ ...base, alerts }), { ...known, ...more });
  return { config, said: problems.map(({ path, message }) => `${path}: ${message}`) };
}

test('a door needs one secret that is set and long enough, and a port', () => {
  expect(check({ doors: { am } }).said).toEqual([]);
  const doors = {
    none: { kind: 'alertmanager' },
    two: { ...am, basic: 'ALERTS_TOKEN' },
    sns: { kind: 'sns' },
    json: { ...am, kind: 'json' },
  };
  expect(check({ doors }).said).toEqual([
    'alerts.doors.none: must have exactly one of bearer, basic and hmac',
    'alerts.doors.two: must have exactly one of bearer, basic and hmac',
    'alerts.doors.sns: must have topics, and no secret: SNS signs',
    'alerts.doors.json: must have fields exactly when it is of kind json',
  ]);
  const set = { missing: { ...am, bearer: 'MISSING' }, short: { ...am, bearer: 'SHORT' }, pagerduty: am };
  expect(check({ doors: set }).said).toEqual([
    'alerts.doors.missing.bearer: needs MISSING in the environment',
    'alerts.doors.short.bearer: needs SHORT to be at least 16 characters long',
    'alerts.doors.pagerduty: is the name of the door for PagerDuty’s webhooks',
  ]);
  const basic = { doors: { am: { kind: 'grafana', basic: 'ALERTS_TOKEN' } } };
  expect(check(basic).said).toEqual(['alerts.doors.am.basic: needs ALERTS_TOKEN to be user:password']);
  const withoutPort = new Map([...known.variables].filter(([name]) => name !== 'PORT'));
  expect(check({ doors: { am } }, { variables: withoutPort }).said).toEqual([
    'alerts.doors.am: needs PORT in the environment: alerts are delivered to it',
  ]);
  expect(check({ doors: { am } }, { variables: new Map(), isExecutor: true }).said).toEqual([]);
});

test('a rule names only things that exist', () => {
  const rules = [
    { name: 'a', channel: 'nowhere', service: 'nobody', doors: ['none'], reads: { playbook: 'no-such' } },
    { name: 'a', channel: 'ops', propose: [{ playbook: 'no-such' }] },
    { name: 'b' },
    { name: 'c', channel: 'ops', quiet: { from: '22:00', to: '22:00', timezone: 'Mars' } },
  ];
  expect(check({ doors: { am }, rules: [rules[2]] }).said).toEqual([
    'alerts.rules.0: must have a channel, or ignore: true',
  ]);
  expect(
    check({ doors: { am }, rules: [rules[0], rules[1], rules[3]], unmatched: 'nowhere' }).said.sort(),
  ).toEqual([
    'alerts.rules.0.channel: is not under channels',
    'alerts.rules.0.doors.0: is not under doors',
    'alerts.rules.0.reads.playbook: is not a known playbook of this installation',
    'alerts.rules.0.service: is not under services',
    'alerts.rules.1.name: is used twice',
    'alerts.rules.1.propose.0.playbook: is not a known playbook of this installation',
    'alerts.rules.2.quiet.timezone: is not a time zone such as Europe/Berlin',
    'alerts.rules.2.quiet: must not begin when it ends',
    'alerts.unmatched: is not under channels',
  ]);
});

test('the first rule whose labels all fit applies, by value, list or beginning', () => {
  const rules = [
    { name: 'exact', channel: 'ops', match: { env: 'prod', severity: ['critical', 'page'] } },
    { name: 'prefix', channel: 'ops', match: { alertname: { prefix: 'High' } } },
    { name: 'pagerduty', channel: 'ops', doors: ['pagerduty'] },
  ];
  const { config } = check({ doors: { am }, rules });
  if (config === null) throw new Error('it is valid');
  const built = buildAlertRules(config).rules;
  const name = (labels: Record<string, string>, door = 'am') =>
    ruleFor({ labels }, door, built)?.name ?? null;
  expect(name({ env: 'prod', severity: 'page', alertname: 'HighLoad' })).toBe('exact');
  expect(name({ env: 'prod', severity: 'warning', alertname: 'HighLoad' })).toBe('prefix');
  expect(name({ env: 'prod' })).toBeNull();
  expect(name({ alertname: 'high' })).toBeNull();
  expect(name({ constructor: 'x' })).toBeNull();
  expect(name({}, 'pagerduty')).toBe('pagerduty');
  // A rule without doors is not about PagerDuty's incidents.
  expect(name({ alertname: 'HighLoad' }, 'pagerduty')).toBe('pagerduty');
});
