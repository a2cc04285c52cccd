import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../../test/support/port.ts';
import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import { atPace } from '../pace.ts';
import { command, isCard, journalEnd, pageGoal, seen } from '../talk.ts';
import { Workspace } from '../workspace.ts';

/** Of each agent in the flood. */
const perHour = 10;
const flooding = Array.from({ length: 10 }, (_one, nth) => `flood-${nth}`);
const pace = { perSecond: 200, seconds: 3 };
/** Commands of people at the same time. */
const peoplePace = { perSecond: 5, seconds: 3 };
/** An agent cannot have more waiting. */
const maxCards = 100;

const answerSchema = z.object({
  result: z.object({
    structuredContent: z.looseObject({ id: z.string().optional(), code: z.string().optional() }),
  }),
});

/** From an agent's proposal to its card at Slack; then ten agents that propose far more than they may. */
export async function agents({ cards }: { cards: number }): Promise<PartResult> {
  const about = {
    owner: 'U0ANA',
    channels: ['ops'],
    tools: ['pagerduty.*', 'jira.*', 'sla.*'],
    reads: 'run',
  };
  const entry = (name: string, of: object) => [
    name,
    { ...about, token_sha256: hashOf(name), waiting: maxCards, ...of },
  ];
  const all = [
    entry('steady', { per_hour: 1_000 }),
    ...flooding.map((name) => entry(name, { per_hour: perHour })),
  ];
  const port = await freePort();
  const workspace = await Workspace.create({ agents: Object.fromEntries(all) }, { PORT: String(port) });
  try {
    await workspace.startBot();
    await isOpen(port);
    const propose = proposer(port);
    const count = Math.min(cards, maxCards - 10);
    await oneByOne(workspace, 10, propose);
    const times = await oneByOne(workspace, count, propose);
    const after = journalEnd(workspace);
    let nth = 0;
    const [waits, taken] = await Promise.all([
      atPace(peoplePace, () => command(workspace, pageGoal)),
      flood(() => propose(flooding[nth++ % flooding.length] ?? '')),
    ]);
    await seen(workspace, after, isCard, taken + waits.length);
    const flooded = `beside ${pace.perSecond} proposals/s of ${flooding.length} agents`;
    return {
      measures: [
        {
          id: 'agents.p50',
          what: 'proposal to posted card, p50',
          unit: 'ms',
          value: quantile(times, 0.5),
          budget: 150,
        },
        { id: 'agents.p99', what: 'proposal to posted card, p99', unit: 'ms', value: quantile(times, 0.99) },
        {
          id: 'agents.ack',
          what: `/plan acknowledged, p99, ${flooded}`,
          unit: 'ms',
          value: quantile(waits, 0.99),
          budget: 100,
        },
      ],
      checks: [
        {
          what: `${flooding.length * perHour} of the flood are taken`,
          ok: taken === flooding.length * perHour,
        },
      ],
    };
  } finally {
    await workspace.close();
  }
}

type Propose = (agent: string) => Promise<{ readonly code?: string | undefined }>;

async function oneByOne(workspace: Workspace, count: number, propose: Propose): Promise<number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const after = journalEnd(workspace);
    const from = performance.now();
    const [[posted]] = await Promise.all([seen(workspace, after, isCard), propose('steady')]);
    times.push((posted?.clockMs ?? Number.NaN) - from);
  }
  return times;
}

/** Resolves with the number of proposals that were taken. */
async function flood(propose: () => ReturnType<Propose>): Promise<number> {
  let taken = 0;
  await atPace(pace, async () => {
    const { code } = await propose();
    if (code === undefined) taken += 1;
  });
  return taken;
}

/** The door for agents opens a moment after the connection to Slack. */
async function isOpen(port: number): Promise<void> {
  const tried = await fetch(`http://127.0.0.1:${port}/mcp`).catch(() => null);
  if (tried !== null) return;
  await pause(20);
  await isOpen(port);
}

let proposed = 0;

function proposer(port: number): Propose {
  return async (agent) => {
    proposed += 1;
    const plan = `count = jira.count project=OPS priority=P1 status=open; sla = sla.threshold project=OPS priority=P1; when count.total > sla.max_open: pagerduty.page service=ops text="proposal ${proposed}"`;
    const params = { name: 'propose', arguments: { key: `bench-${proposed}`, plan } };
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${tokenOf(agent)}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: proposed, method: 'tools/call', params }),
    });
    if (!response.ok) console.error(response.status);
    return answerSchema.parse(await response.json()).result.structuredContent;
  };
}

function tokenOf(agent: string): string {
  return `the-token-of-${agent}-in-the-bench`;
}

function hashOf(agent: string): string {
  return createHash('sha256').update(tokenOf(agent)).digest('hex');
}
