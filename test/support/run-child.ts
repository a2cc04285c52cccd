/** A process of its own that runs plans, for tests that kill it. Settings come as arguments, orders over IPC. */

import { z } from 'zod';
import { changedSince } from '../../src/approval/basis.ts';
import type { Readers, Writers } from '../../src/core/ports.ts';
import { lookMs } from '../../src/process/clock.ts';
import { every } from '../../src/process/repeat.ts';
import { createCodePool } from '../../src/run/code/pool.ts';
import type { WorkDeps } from '../../src/run/context.ts';
import { createRunner } from '../../src/run/runner.ts';
import { openDatabase } from '../../src/store/database.ts';
import { allTools } from '../../tools/all.ts';
import { anIncident } from './fake-pagerduty.ts';
import { roomyPolicy, runCatalogue } from './runs.ts';
import { partly, vendorsWith } from './vendors.ts';

const [databaseUrl = '', vendorUrl = ''] = process.argv.slice(2);
const orderSchema = z.object({ start: z.tuple([z.string(), z.string()]) });
const log = {
  info() {},
  error() {},
  warn: (facts: object, message: string) => console.error(message, facts),
};

async function ask(
  method: string,
  path: string,
): Promise<{ total?: number | undefined; found?: boolean | undefined }> {
  const response = await fetch(`${vendorUrl}${path}`, { method });
  return z
    .object({ total: z.number().optional(), found: z.boolean().optional() })
    .parse(await response.json());
}

const write = (key: string) => ask('POST', `/write?key=${key}`);
const found = async (key: string) => (await ask('GET', `/write?key=${key}`)).found === true;

const readers = vendorsWith<Readers>({
  jira: partly<Readers['jira']>({
    count: async () => ({
      total: (await ask('GET', '/read')).total ?? -1,
      approximate: false,
      jql: 'x',
      url: '',
    }),
  }),
  pagerduty: partly<Readers['pagerduty']>({
    oncall: async () => [],
    silence: async () => null,
    pageByKey: async (_service, key) =>
      (await found(key)) ? { incident: anIncident, mark: key, noted: false } : null,
  }),
  slack: partly<Readers['slack']>({
    postByKey: async (_channel, key) =>
      (await found(key)) ? { channel: 'C0OPS', ts: '1', link: 'x' } : null,
  }),
  sla: { threshold: () => ({ maxOpen: 20, resolveWithin: null }), resolution: () => null },
});

const writers = vendorsWith<Writers>({
  pagerduty: partly<Writers['pagerduty']>({
    async page({ dedupKey }) {
      await write(dedupKey);
      return { dedupKey };
    },
  }),
  slack: partly<Writers['slack']>({
    async post({ key }) {
      await write(key);
      return { channel: 'C0OPS', ts: '1', link: 'x' };
    },
  }),
});

const db = await openDatabase({ url: databaseUrl, log });
const work: WorkDeps = {
  judge: null,
  db,
  tools: allTools,
  code: createCodePool({ size: 1 }),
  readers,
  writers,
  catalogue: runCatalogue,
  policy: roomyPolicy,
  changedSince: (sealed) => changedSince(sealed, { catalogue: runCatalogue, policy: roomyPolicy }),
  threadLink: async () => null,
  messagesFor: async () => [],
  emit: async () => {},
  now: () => new Date(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 10)),
  random: Math.random,
  log,
};
const runner = await createRunner({
  db,
  databaseUrl,
  log,
  workOf: () => work,
  onLost: () => process.exit(70),
  // Ten times as fast as in earnest: looks after a restart would otherwise take five seconds each.
  whileOpen: (round) => every(lookMs, round, log),
});
process.on('message', (message) => {
  const [teamId, runId] = orderSchema.parse(message).start;
  void runner.run({ teamId, runId });
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
