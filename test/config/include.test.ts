import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rulingsOf } from '../../src/approval/rules.ts';
import { buildPolicy } from '../../src/config/build-catalogue.ts';
import { checkOperatorConfig } from '../../src/config/operator.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { cli } from '../support/cli.ts';
import { planOf } from '../support/runs.ts';

const env = { SLACK_BOT_TOKEN: 'xoxb-a-token', SLACK_APP_TOKEN: 'xapp-a-token' };

/** `config check` of these files; the first is the operator's. */
async function check(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'include-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { out, code } = await cli(['config', 'check', join(folder, 'countersign.yml')], { env });
  return { code, out: out.replaceAll(`${folder}/`, '') };
}

const fine = expect.stringMatching(/^countersign.yml is fine; /m);
const main =
  'include: [teams/*.yml]\ndefaults: { service: payments-api }\nservices: { ops: { pagerduty: PSOPS01 } }\n';
const payments = [
  'teams:',
  '  payments: { services: [payments-api], projects: [PAY], channels: [pay] }',
  'services: { payments-api: { pagerduty: PSPAY01, project: PAY } }',
  'projects: { PAY: { service: payments-api } }',
  'channels: { pay: { id: C0PAY } }',
  'rules:',
  '  - { teams: [payments], approvers: [S0PAY] }',
].join('\n');

describe('files that countersign.yml includes', () => {
  test('are read as one with it, each team a file', async () => {
    const search = 'rules: [{ approvers: [S0ALL] }]\nservices: { search: { pagerduty: PSSEA01 } }';
    const files = { 'countersign.yml': main, 'teams/payments.yml': payments, 'teams/search.yml': search };
    expect(await check(files)).toEqual({ code: 0, out: fine });
  });

  test('have their problems named by file and line', async () => {
    const { code, out } = await check({
      'countersign.yml': `${main}rules: [{ approvers: [] }]`,
      'teams/a.yml': 'rules:\n  - { approvers: [U0ANA] }\n  - { services: [gone], approvers: [] }\n',
      'teams/b.yml': 'services:\n  payments-api: { pagerduty: nothing }\n',
    });
    expect(code).toBe(1);
    expect(out).toContain('teams/b.yml:2 services.payments-api.pagerduty: must be a PagerDuty service id');
    const again = await check({
      'countersign.yml': `${main}rules: [{ approvers: [] }]`,
      'teams/a.yml': `rules:\n  - { services: [gone], approvers: [] }\n${payments.replace(/rules:.*/s, '')}`,
    });
    expect(again.out).toContain('teams/a.yml:2 rules.0.services.0: is not under services');
  });

  test('may not repeat a name, hold what is for all, or be missing', async () => {
    const twice = { 'countersign.yml': main, 'teams/a.yml': 'services: { ops: { pagerduty: PSELSE1 } }' };
    expect((await check(twice)).out).toContain(
      'teams/a.yml:1 services.ops: is already in the file that includes it',
    );
    const both = { 'countersign.yml': main, 'teams/a.yml': payments, 'teams/b.yml': payments };
    expect((await check(both)).out).toContain(
      'teams/b.yml:3 services.payments-api: is already in teams/a.yml',
    );
    const caps = { 'countersign.yml': main, 'teams/a.yml': 'caps: { pages_per_hour: 1000 }' };
    expect((await check(caps)).out).toContain(
      'teams/a.yml:1 caps: is not for an included file, which may have',
    );
    expect((await check({ 'countersign.yml': main })).out).toContain(
      'countersign.yml:1 include.0: no file matches teams/*.yml',
    );
    const advice =
      'glossary: { SEPA run: the payouts }\nguidance:\n  - { teams: [payments], text: Name it. }\n  - { services: [shop], text: No. }';
    const { out: said } = await check({
      'countersign.yml': main,
      'teams/a.yml': payments,
      'teams/b.yml': advice,
    });
    expect(said).toContain('teams/b.yml:4 guidance.1.services.0: is not under services');
    expect(said.match(/guidance|glossary/g)).toHaveLength(1);
    const broken = { 'countersign.yml': main, 'teams/a.yml': 'services: [\n' };
    expect((await check(broken)).out).toContain('teams/a.yml:2 ');
  });

  test('leave out the hidden copies of a mounted ConfigMap', async () => {
    const files = { 'teams/a.yml': payments, 'teams/..data/a.yml': payments };
    const every = main.replace('teams/*.yml', 'teams/**/*.yml');
    expect((await check({ 'countersign.yml': every, ...files })).out).toEqual(fine);
  });
});

describe('a rule about a team', () => {
  const known = { tools: new Map(), variables: new Map(), playbooks: new Set<string>() };
  const read = (text: string) => checkOperatorConfig(text, known);

  test('is about its services, projects and channels, and about nothing else', () => {
    const { config, problems } = read(payments);
    expect(problems).toEqual([]);
    const policy = buildPolicy(config ?? expect.fail());
    const rulings = (tool: string, args: Record<string, string>) =>
      rulingsOf(
        { plan: planOf([{ id: 'a', tool, why: 'x', args }]), targets: [] },
        testCatalogue().manifests,
        policy,
        new Date(0),
      ).map(({ ruling }) => ruling.kind);
    expect(rulings('pagerduty.page', { service: 'payments-api', text: 'x' })).toEqual(['approve']);
    expect(rulings('jira.comment', { key: 'PAY-1', text: 'x' })).toEqual(['approve']);
    expect(rulings('slack.post', { channel: '#pay', text: 'x' })).toEqual(['approve']);
    expect(rulings('pagerduty.page', { service: 'ops', text: 'x' })).toEqual(['none']);
    expect(rulings('slack.post', { channel: '#ops', text: 'x' })).toEqual(['none']);
  });

  test('names teams that exist, and nothing beside them', () => {
    const wrong = [
      ['rules: [{ teams: [nobody], approvers: [] }]', 'is not under teams'],
      [
        `${payments.replace('teams: [payments], ', 'teams: [payments], services: [payments-api], ')}`,
        'give either these or teams',
      ],
      ['teams: { a: { services: [gone] } }', 'is not under services'],
      [
        'services: { s: { pagerduty: PSONE01 } }\nteams: { a: { services: [s] }, b: { services: [s] } }',
        'is already that of the team a',
      ],
    ];
    for (const [text = '', says = ''] of wrong) {
      expect(
        read(text)
          .problems.map(({ message }) => message)
          .join('\n'),
      ).toContain(says);
    }
  });
});
