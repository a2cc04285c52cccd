import { setTimeout as pause } from 'node:timers/promises';
import type { JournalEntry } from '../../sandbox/journal.ts';
import { alertmanager } from '../../test/support/alerts.ts';
import { freePort } from '../../test/support/port.ts';
import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import { atPace } from '../pace.ts';
import { command, journalEnd, keyOf, pageGoal, seen } from '../talk.ts';
import { Workspace } from '../workspace.ts';

const token = 'a-token-of-monitoring-in-the-bench';
const services = ['ops', 'payments-api', 'checkout'] as const;
/** Slack takes about one message a second for each channel. */
const channels = ['general', 'ops', 'payments-alerts', 'incidents'] as const;
const areas = 60;
const slow = ['slack', 'jira', 'pagerduty-rest', 'azure', 'splunk', 'confluence'] as const;

/** Alerts of a load, of which some begin a problem and the others are further ones of it. */
const steady = { perSecond: 20, problemsPerSecond: channels.length, vendorMs: 200 };
const storm = { deliveries: 100, alerts: 10, problems: 50, seconds: 10 };
const patienceMs = 60_000;

/** From alerts to their messages, in a steady stream and in a storm; and from a question to its causes. */
export async function alerts({ seconds, runs }: { seconds: number; runs: number }): Promise<PartResult> {
  const port = await freePort();
  const workspace = await Workspace.create(settings(), { PORT: String(port), ALERTS_TOKEN: token });
  try {
    await workspace.startBot();
    const deliver = delivering(port);
    await isOpen(deliver);
    delay(workspace, steady.vendorMs);
    const first = await firstWords(workspace, deliver, Math.min(seconds, 10));
    const all = await stormOf(workspace, deliver);
    delay(workspace, 500);
    const asked = await investigations(workspace, runs);
    return { measures: [...first, ...all.measures, ...asked], checks: all.checks };
  } finally {
    await workspace.close();
  }
}

/** A problem is a rule and a service: here an area is a rule. */
function settings(): object {
  const rules = Array.from({ length: areas }, (_one, nth) => ({
    name: `area-${nth}`,
    match: { area: String(nth) },
    service: { label: 'service' },
    channel: channels[nth % channels.length],
    reads: { playbook: 'alert-evidence' },
  }));
  const reads = [
    ...['P1', 'P2', 'P3', 'P4'].map((priority) => `jira.count project=WEB priority=${priority} status=open`),
    ...[1, 2, 3, 4].map((nth) => `logs.kql service=checkout named=entries about=word${nth} window=PT1H`),
    ...[1, 2, 3, 4].map((nth) => `logs.spl service=checkout named=entries about=word${nth} window=PT1H`),
  ];
  const causes = reads.map((read, nth) => ({
    ...{ id: `cause-${nth}`, sentence: `It is number ${nth}.`, services: ['checkout'] },
    check: `found = ${read}\nsupported when found.total > 0`,
  }));
  const doors = { monitoring: { kind: 'alertmanager', bearer: 'ALERTS_TOKEN' } };
  return { alerts: { doors, rules }, causes, errors: undefined };
}

type Deliver = (of: { problem: number; titles: readonly string[] }) => Promise<void>;

function delivering(port: number): Deliver {
  return async ({ problem, titles }) => {
    const about = { area: String(problem % areas), service: services[Math.floor(problem / areas)] ?? '' };
    const response = await fetch(`http://127.0.0.1:${port}/alerts/monitoring`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: alertmanager(titles.map((alertname) => ({ labels: { ...about, alertname } }))),
    });
    if (!response.ok) throw new Error(`the door answered ${response.status}`);
  };
}

/** The door opens a moment after the connection to Slack. Nothing is delivered. */
async function isOpen(deliver: Deliver): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const failed = await deliver({ problem: 0, titles: [] }).then(
      () => false,
      () => true,
    );
    if (!failed) return;
    await pause(20);
  }
  throw new Error('the door for alerts does not open');
}

function delay({ sandbox }: Workspace, delayMs: number): void {
  sandbox.faults.clear();
  for (const vendor of slow) sandbox.faults.add({ vendor, kind: 'delay', delayMs });
}

const isFirst = (entry: JournalEntry): boolean =>
  entry.path === '/api/chat.postMessage' && /^alert:[^:]+:first/.test(keyOf(entry));

async function firstWords(
  workspace: Workspace,
  deliver: Deliver,
  seconds: number,
): Promise<PartResult['measures']> {
  const after = journalEnd(workspace);
  const { perSecond, problemsPerSecond, vendorMs } = steady;
  const each = perSecond / problemsPerSecond;
  const sent = new Map<string, number>();
  let nth = 0;
  await atPace({ perSecond, seconds }, async () => {
    const problem = Math.floor(nth / each);
    // The first message may be about a later alert that overtook the first.
    const title = `Steady-${problem}-`;
    if (!sent.has(title)) sent.set(title, performance.now());
    nth += 1;
    await deliver({ problem, titles: [`${title}${nth}`] });
  });
  const posted = await seen(workspace, after, isFirst, sent.size);
  const times = posted.map((entry) => {
    const said = JSON.stringify(entry.body);
    const [, from = Number.NaN] = [...sent].find(([title]) => said.includes(title)) ?? [];
    return entry.clockMs - from;
  });
  const what = `first words of an alert at ${perSecond}/s, ${problemsPerSecond} new problems a second, vendors at ${vendorMs} ms`;
  return [
    { id: 'alerts.first.p50', what: `${what}, p50`, unit: 'ms', value: quantile(times, 0.5) },
    { id: 'alerts.first.p99', what: `${what}, p99`, unit: 'ms', value: quantile(times, 0.99), budget: 2_000 },
  ];
}

async function stormOf(workspace: Workspace, deliver: Deliver): Promise<PartResult> {
  const after = journalEnd(workspace);
  const { deliveries, alerts: each, problems, seconds } = storm;
  // Apart from those of the stream.
  const begin = 2 * areas - Math.max(0, problems - areas);
  const from = performance.now();
  let nth = 0;
  const [waits] = await Promise.all([
    atPace({ perSecond: 1, seconds }, () => command(workspace, pageGoal)),
    atPace({ perSecond: deliveries / seconds, seconds }, async () => {
      const delivery = nth++;
      const titles = Array.from({ length: each }, (_one, of) => `Storm-${delivery}-${of}`);
      await deliver({ problem: begin + (delivery % problems), titles });
    }),
  ]);
  const posted = await seen(workspace, after, isFirst, problems);
  const last = Math.max(...posted.map(({ clockMs }) => clockMs));
  const whole = `${(deliveries * each) / problems} firing`;
  const complete = await eventually(() => messagesWith(workspace, whole) === problems);
  const extra = workspace.sandbox.journal.list({ after }).filter(isFirst).length - problems;
  const what = `${deliveries * each} alerts about ${problems} problems in ${seconds} s`;
  return {
    measures: [
      {
        id: 'alerts.storm',
        what: `${what}: until the last message`,
        unit: 's',
        value: (last - from) / 1_000,
      },
      {
        id: 'alerts.ack',
        what: `/plan acknowledged meanwhile, p99`,
        unit: 'ms',
        value: quantile(waits, 0.99),
        budget: 100,
      },
    ],
    checks: [
      { what: `${what} are ${problems} messages`, ok: extra === 0 },
      { what: `each of them names all of its alerts`, ok: complete },
    ],
  };
}

function messagesWith({ sandbox }: Workspace, words: string): number {
  const all = sandbox.slack.state().channels.flatMap(({ messages }) => messages);
  return all.filter(({ blocks }) => JSON.stringify(blocks).includes(words)).length;
}

async function eventually(holds: () => boolean): Promise<boolean> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(100))
    if (holds()) return true;
  return false;
}

async function investigations(workspace: Workspace, runs: number): Promise<PartResult['measures']> {
  const times: number[] = [];
  for (let nth = 0; nth < runs; nth += 1) {
    const after = journalEnd(workspace);
    const from = performance.now();
    const isAnswer = (entry: JournalEntry) =>
      entry.path === '/api/chat.postMessage' && JSON.stringify(entry.body).includes('Investigate checkout');
    const [[answer]] = await Promise.all([
      seen(workspace, after, isAnswer),
      command(workspace, () => 'investigate checkout'),
    ]);
    times.push(((answer?.clockMs ?? Number.NaN) - from) / 1_000);
  }
  const what = 'an investigation of 12 checks, vendors at 500 ms';
  return [
    { id: 'alerts.why.p50', what: `${what}, p50`, unit: 's', value: quantile(times, 0.5) },
    {
      id: 'alerts.why.max',
      what: `${what}, slowest of ${runs}`,
      unit: 's',
      value: Math.max(...times),
      budget: 5,
    },
  ];
}
