import { setTimeout as pause } from 'node:timers/promises';
import type { JournalEntry } from '../sandbox/journal.ts';
import type { Sandbox } from '../sandbox/start.ts';

/** Access to the bot, in one process or several. */
export interface Workspace {
  readonly sandbox: Sandbox;
  /** The end of its log, for errors. */
  readonly log: string;
  /** Milliseconds of CPU time used so far; null if unknown. */
  cpu(): Promise<number | null>;
}

type Shown = ReturnType<Sandbox['slack']['state']>['channels'][number]['messages'][number];

/** A goal that is planned for sure. Equal ones join what is under way, so each has a number. */
export type Goal = (nth: number) => string;

/** Two reads and a page: the plan in the README. Breached in the seeded Jira. */
export const pageGoal: Goal = (nth) =>
  `Check open P1 tickets in OPS against the SLA and page ops with the text "run ${nth}" if breached`;

/** Eight parallel reads, then one post. */
export const wideGoal: Goal = (nth) =>
  [
    ...['OPS', 'PAY'].flatMap((project) =>
      ['P1', 'P2', 'P3', 'P4'].map(
        (priority) => `jira.count project=${project} priority=${priority} status=open`,
      ),
    ),
    `slack.post channel=#ops text="run ${nth}"`,
  ].join('; ');

let asked = 0;

/** A number not used by another goal of this process. */
function nextNumber(): number {
  asked += 1;
  return asked;
}

const people = ['ana', 'ben', 'chiara', 'dev', 'eva'] as const;
const patienceMs = 60_000;

/** Types `/plan`; resolves with the milliseconds until Slack had the acknowledgement. Throws without one. */
export async function command(workspace: Workspace, goal: Goal): Promise<number> {
  const nth = nextNumber();
  const as = people[nth % people.length] ?? 'ana';
  const from = performance.now();
  const outcome = await workspace.sandbox.slack.command({ as, channel: 'ops', text: goal(nth) });
  const took = performance.now() - from;
  if (!outcome.acknowledged) throw new Error(`/plan was not acknowledged: ${outcome.error ?? 'no reason'}`);
  return took;
}

/** Id of the newest request to a vendor. */
export function journalEnd({ sandbox }: Workspace): number {
  return sandbox.journal.list().at(-1)?.id ?? 0;
}

/** The first matching requests after `after`, once there are `count` of them. */
export async function seen(
  workspace: Workspace,
  after: number,
  fits: (entry: JournalEntry) => boolean,
  count = 1,
): Promise<JournalEntry[]> {
  const found: JournalEntry[] = [];
  const end = performance.now() + patienceMs;
  for (let last = after; found.length < count; ) {
    for (const entry of workspace.sandbox.journal.list({ after: last })) {
      last = entry.id;
      if (fits(entry)) found.push(entry);
    }
    if (performance.now() > end)
      throw new Error(`${found.length} of ${count} requests came:\n${workspace.log}`);
    if (found.length < count) await pause(1);
  }
  return found;
}

/** The key in the metadata of a message posted or updated by the bot, or an empty text. */
export function keyOf({ vendor, path, body }: JournalEntry): string {
  if (vendor !== 'slack' || !path.startsWith('/api/chat.')) return '';
  const metadata = typeof body === 'object' && body !== null && 'metadata' in body ? body.metadata : '';
  return (
    /"key":"([^"]+)"/.exec(typeof metadata === 'string' ? metadata : JSON.stringify(metadata))?.[1] ?? ''
  );
}

export function isCard(entry: JournalEntry): boolean {
  return entry.path === '/api/chat.postMessage' && keyOf(entry).startsWith('card:');
}

/** Approves a card as a person who may; resolves with the time of the click on this process's clock. */
export function approve({ sandbox }: Workspace, ts: string): number {
  const from = performance.now();
  void sandbox.slack.clickButton({ as: 'chiara', channel: 'ops', ts, actionId: 'plan.approve' });
  return from;
}

/** Plans `goal` several times and returns the timestamps of the new cards, once all are in the channel. */
export async function givenCards(workspace: Workspace, goal: Goal, count: number): Promise<string[]> {
  const before = new Set(cards(workspace).map(({ ts }) => ts));
  const after = journalEnd(workspace);
  for (let i = 0; i < count; i += 1) {
    await command(workspace, goal);
    await seen(workspace, after, isCard, i + 1);
  }
  for (;;) {
    const fresh = cards(workspace).filter(({ ts }) => !before.has(ts));
    if (fresh.length >= count) return fresh.map(({ ts }) => ts);
    await pause(5);
  }
}

/** Every card in the channel. */
export function cards({ sandbox }: Workspace): Shown[] {
  const channel = sandbox.slack.state().channels.find(({ name }) => name === 'ops');
  return (channel?.messages ?? []).filter((one) =>
    String(one.metadata?.event_payload.key).startsWith('card:'),
  );
}

/** Milliseconds without a message after which a run counts as reported. */
const quietMs = 60;

/** Resolves when the bot has reported everything about a run, or about several. */
export async function reported(workspace: Workspace, after: number, runs = 1): Promise<void> {
  await seen(workspace, after, (entry) => keyOf(entry).startsWith('final:'), runs);
  await quiet(workspace);
}

/** A page checked before it was resolved is checked again only ten seconds later; we do not wait for that. */
const followMs = 2_000;

/** Resolves when the bot has reported that a page was resolved. */
export async function followed(workspace: Workspace, after: number): Promise<void> {
  const end = performance.now() + followMs;
  const isTold = () =>
    workspace.sandbox.journal.list({ after }).some((entry) => keyOf(entry).startsWith('life:'));
  while (!isTold() && performance.now() < end) await pause(5);
  await quiet(workspace);
}

async function quiet(workspace: Workspace): Promise<void> {
  for (let last = 0; last !== journalEnd(workspace); ) {
    last = journalEnd(workspace);
    await pause(quietMs);
  }
}

/** Resolves all pages: another page about the same open problem would only be a note. */
export function resolvePages({ sandbox }: Workspace): void {
  const { store } = sandbox.pagerduty;
  for (const incident of store.incidents()) {
    if (incident.status !== 'resolved') store.setStatus(incident, 'resolved', 'PANA01');
  }
}
