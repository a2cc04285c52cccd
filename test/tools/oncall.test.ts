import { afterEach, expect, test } from 'vitest';
import { Faults } from '../../sandbox/faults.ts';
import { Journal } from '../../sandbox/journal.ts';
import { startPagerDuty } from '../../sandbox/pagerduty/server.ts';
import { world } from '../../sandbox/world.ts';
import { VendorError } from '../../src/core/errors.ts';
import type { Readers } from '../../src/core/ports.ts';
import { createPagerDutyReader } from '../../src/vendors/pagerduty/connect.ts';
import { pagerdutyOncall } from '../../tools/read/pagerduty.oncall.ts';
import { partly, vendorsWith } from '../support/vendors.ts';

const now = () => new Date('2026-03-10T12:00:00Z');
const certain = { retryable: false, mayHaveHappened: false };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Args = Parameters<typeof pagerdutyOncall.run>[0];

/** Asks the local PagerDuty, where ops is handed over at 18:00 UTC between Ana and Chiara. */
async function start() {
  const vendor = await startPagerDuty({ world, now, faults: new Faults(), journal: new Journal(now) });
  closers.push(() => vendor.close());
  const services = new Map(world.pagerduty.services.map(({ name, id }) => [name, { id, routingKey: null }]));
  const access = { apiUrl: vendor.restUrl, token: world.pagerduty.apiToken, now, services };
  const slack: Partial<Readers['slack']> = {
    async handleOf(email) {
      if (email.startsWith('chiara'))
        throw new VendorError('slack_missing_scope', 'It lacks a scope.', certain);
      return email.startsWith('ana') ? '@ana' : null;
    },
  };
  const readers = vendorsWith<Readers>({
    pagerduty: createPagerDutyReader(access),
    slack: partly(slack),
  });
  const context = { readers, now, asker: 'U0BEN', signal: new AbortController().signal };
  const ask = async (args: Args) => pagerdutyOncall.run(args, context);
  return {
    ask,
    said: async (args: Args) => {
      const result = pagerdutyOncall.manifest.result.parse(await ask(args));
      return pagerdutyOncall.manifest.outcome?.(result, args as Record<string, string>, []);
    },
  };
}

test.each<[Args, string]>([
  [{ service: 'ops' }, 'Ana Ruiz is on call for ops until 10 Mar 18:00 UTC (now 13:00 in Europe/Madrid)'],
  [{ service: 'ops', at: 'next' }, 'Chiara Conti will be on call for ops from 18:00 UTC to 11 Mar 18:00 UTC'],
  [{ service: 'ops', at: 'last night' }, 'Ana Ruiz was on call for ops from 9 Mar 22:00 UTC to 06:00 UTC'],
  [{ service: 'ops', at: 'yesterday 03:00' }, 'Chiara Conti was on call for ops at 9 Mar 03:00 UTC'],
  [
    { service: 'ops', at: 'tomorrow' },
    'Chiara Conti, then Ana Ruiz will be on call for ops from 11 Mar 00:00 UTC to 12 Mar 00:00 UTC',
  ],
  [
    { schedule: 'checkout rota' },
    'Chiara Conti is on call in the schedule checkout rota until 10 Mar 18:00 UTC (now 13:00 in Europe/Rome)',
  ],
  [
    { service: 'payments-api', level: 2 },
    'Chiara Conti is on call for payments-api at level 2 (now 13:00 in Europe/Rome)',
  ],
  [{ service: 'ops', level: 3 }, 'nobody is on call for ops at level 3'],
])('%j: %s', async (args, expected) => {
  const { said } = await start();
  expect(await said(args)).toBe(expected);
});

test.each<[string, string]>([
  ['now', 'Ana Ruiz and Ben Okafor are on call for ops until 10 Mar 14:00 UTC'],
  ['yesterday 12:00', 'Ana Ruiz and Ben Okafor were on call for ops at 9 Mar 12:00 UTC'],
  ['tomorrow 12:00', 'Ana Ruiz and Ben Okafor will be on call for ops at 11 Mar 12:00 UTC'],
])('two people at one level are on call together, %s', async (at, expected) => {
  const shift = (name: string, level: number, until: string | null) => ({
    ...{ id: name, name, email: '', timeZone: 'Europe/Madrid', level, since: null, until },
  });
  const shifts = [
    shift('Ana Ruiz', 1, '2026-03-10T18:00:00Z'),
    shift('Ben Okafor', 1, '2026-03-10T14:00:00Z'),
    shift('Chiara Conti', 2, null),
  ];
  const readers = vendorsWith<Readers>({
    pagerduty: partly<Readers['pagerduty']>({ shifts: async () => ({ shifts, timeZone: 'UTC' }) }),
    slack: partly<Readers['slack']>({ handleOf: async () => null }),
  });
  const context = { readers, now, asker: 'U0BEN', signal: new AbortController().signal };
  const args = { service: 'ops', at };
  const result = pagerdutyOncall.manifest.result.parse(await pagerdutyOncall.run(args, context));
  expect(pagerdutyOncall.manifest.outcome?.(result, args, [])).toBe(expected);
});

test('the first person is named by their Slack handle, and told without it where that cannot be had', async () => {
  const { ask } = await start();
  expect(await ask({ service: 'ops' })).toMatchObject({ name: 'Ana Ruiz', user: '@ana' });
  expect(await ask({ service: 'payments-api' })).not.toHaveProperty('user');
  const unasked = await ask({ schedule: 'checkout rota' });
  expect(unasked).toMatchObject({ name: 'Chiara Conti' });
  expect(unasked).not.toHaveProperty('user');
});

test('every level is listed with its shift, and the clock of each person', async () => {
  const { ask } = await start();
  const { count, email, rows, lines } = await ask({ service: 'payments-api' });
  expect({ count, email }).toEqual({ count: 2, email: 'ben@acme.example' });
  expect(lines).toBe(
    '1. Ben Okafor until 18:00 UTC (12:00 in Europe/London)\n2. Chiara Conti (13:00 in Europe/Rome)',
  );
  expect(rows).toMatchObject([
    { level: 1, until: '2026-03-10T18:00:00Z' },
    { level: 2, until: '' },
  ]);
});

test.each<[Args, string, RegExp]>([
  [{}, 'service_missing', /names neither/],
  [{ service: 'ops', schedule: 'ops rota' }, 'one_rota', /not both/],
  [{ service: 'nowhere' }, 'unknown_service', /No service nowhere is configured/],
  [{ schedule: 'moonbase' }, 'unknown_schedule', /no schedule called moonbase/],
  [{ schedule: 'rota' }, 'many_schedules', /ops rota, payments-api rota, checkout rota/],
  [{ service: 'ops', at: 'whenever' }, 'bad_time', /“whenever” is not a time that I know/],
])('%j is refused, and what is wrong is named', async (args, code, message) => {
  const { ask } = await start();
  await expect(ask(args)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});
