import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { text } from '../../src/core/fields.ts';
import { defineManifest } from '../../src/core/manifest.ts';
import { defineRead, defineWrite, type Tool } from '../../src/core/tool.ts';

/** Milliseconds that tools take. The spread applies only to reads and is the same for the same run. */
export interface Latency {
  readonly readMs: number;
  readonly writeMs: number;
  readonly jitterMs: number;
}

const run = text(60, 'run of the harness');
const value = z.object({ value: z.int() });

const counted = defineManifest({
  name: 'bench.ticket_count',
  effect: 'read',
  system: 'jira',
  summary: 'Counts.',
  args: z.object({ queue: text(60, 'queue'), run }),
  result: value,
  yields: 'internal',
  sentence: ({ queue }) => `Count ${queue}`,
});
const threshold = defineManifest({
  name: 'bench.sla_threshold',
  effect: 'read',
  system: 'sla',
  summary: 'Tells the limit.',
  args: z.object({ queue: text(60, 'queue'), run }),
  result: value,
  yields: 'internal',
  sentence: ({ queue }) => `Limit of ${queue}`,
});
const notify = defineManifest({
  name: 'bench.notify_oncall',
  system: 'pagerduty',
  summary: 'Notifies.',
  args: z.object({ team: text(60, 'team'), run }),
  result: z.object({ said: text(60, 'what was done') }),
  yields: 'internal',
  inDoubt: 'look',
  // The harness's writes take a tenth of a second; an absent one is made again once an attempt would have timed out.
  limits: { timeoutMs: 1_000, attempts: 1 },
  sentence: ({ team }) => `Notify ${team}`,
});

/** The harness's three tools. A write's effect is one line in `effectFile`, half-way through its duration. */
export function harnessTools(latency: Latency, effectFile: string): ReadonlyMap<string, Tool> {
  const read = (id: string) => rest(latency.readMs + Math.round(spread(id) * latency.jitterMs));
  const effects = openSync(effectFile, 'a');
  const done = { said: 'notified' };
  const count = defineRead(counted, async (args) => {
    await read(args.run);
    return { value: 42 };
  });
  const limit = defineRead(threshold, async (args) => {
    await read(args.run);
    return { value: 30 };
  });
  const page = defineWrite(notify, {
    async run(args) {
      await rest(latency.writeMs / 2);
      writeSync(effects, `${args.run}\n`);
      await rest(latency.writeMs / 2);
      return done;
    },
    async find(args) {
      const lines = existsSync(effectFile) ? readFileSync(effectFile, 'utf8').split('\n') : [];
      return lines.includes(args.run) ? done : null;
    },
    resolve: async () => [],
    preview: ({ team }) => `would notify ${team}`,
  });
  return new Map<string, Tool>([
    [counted.name, { effect: 'read', tool: count }],
    [threshold.name, { effect: 'read', tool: limit }],
    [notify.name, { effect: 'write', tool: page }],
  ]);
}

/** Does not wait at all for 0 ms, as in the harness: a timer takes at least a millisecond. */
async function rest(ms: number): Promise<void> {
  if (ms > 0) await pause(ms);
}

/** 0 to 1, the same for the same text: FNV-1a with the finisher of MurmurHash3, as the harness requires. */
function spread(id: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
