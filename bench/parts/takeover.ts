import type { JournalEntry } from '../../sandbox/journal.ts';
import type { Fleet } from '../chaos/fleet.ts';
import type { Member } from '../chaos/member.ts';
import type { PartResult } from '../measure.ts';
import { median } from '../numbers.ts';
import { approve, type Goal, givenCards, journalEnd, reported, seen, type Workspace } from '../talk.ts';

/** Active runs at each kill: one half in a read, the other in a write. */
const atOnce = 6;
const count = '/rest/api/3/search';
const comment = '/rest/api/3/issue/';

const commentGoal: Goal = (nth) => {
  const write = `jira.comment key=OPS-${1 + (nth % 5)} text="run ${nth}."`;
  return nth % 2 === 0
    ? write
    : `open = jira.count project=OPS priority=P1 status=open; when open.total > 0: ${write}`;
};

const isComment = ({ vendor, method, path }: JournalEntry) =>
  vendor === 'jira' && method === 'POST' && path.startsWith(comment);
const isHeld = (entry: JournalEntry) => isComment(entry) || entry.path.startsWith(count);

/** Whether a write's run was killed during a read; the others may already have been on their way to the vendor. */
const isKilledInRead = ({ body }: JournalEntry) =>
  Number(/run (\d+)\./.exec(JSON.stringify(body))?.[1] ?? 0) % 2 === 1;

/**
 * Kills each process in turn with SIGKILL: from the kill until another process has made the write of the killed run. A
 * write that may have reached the vendor is looked up until its attempt would have timed out, and only then made again.
 */
export async function takeover(fleet: Fleet, workspace: Workspace, kills: number): Promise<PartResult> {
  const [reads, writes]: [number[], number[]] = [[], []];
  const commentsBefore = comments(fleet);
  for (let nth = 0; nth < kills; nth += 1) {
    for (const member of fleet.members) await member.ready();
    const [first, second] = nth % 2 === 0 ? fleet.members : fleet.members.toReversed();
    if (first === undefined || second === undefined) throw new TypeError('it takes two');
    for (const { isRead, ms } of await killed(fleet, workspace, { dies: first, stays: second }))
      (isRead ? reads : writes).push(ms);
  }
  const made = comments(fleet) - commentsBefore;
  const what = `from kill -9 to the write of a run that was in a read`;
  const inDoubt = `the same of a run whose write may have reached Jira, longest`;
  const total = reads.length + writes.length;
  return {
    measures: [
      { id: 'takeover.p50', what: `${what}, p50`, unit: 'ms', value: median(reads) },
      { id: 'takeover.max', what: `${what}, longest`, unit: 'ms', value: Math.max(...reads), budget: 3_000 },
      { id: 'takeover.doubt', what: inDoubt, unit: 'ms', value: Math.max(...writes) },
    ],
    checks: [
      {
        what: `${kills} kills: ${total} runs went on, ${made} writes`,
        ok: total === kills * atOnce && made === total,
      },
    ],
  };
}

async function killed(
  { sandbox: { slack, faults } }: Fleet,
  workspace: Workspace,
  { dies, stays }: Record<'dies' | 'stays', Member>,
): Promise<{ isRead: boolean; ms: number }[]> {
  slack.requestUrl = dies.requestUrl;
  const cards = await givenCards(workspace, commentGoal, atOnce);
  const before = journalEnd(workspace);
  faults.add({ vendor: 'jira', match: { path: count }, kind: 'hang' });
  faults.add({ vendor: 'jira', match: { method: 'POST', path: comment }, kind: 'hang' });
  for (const ts of cards) approve(workspace, ts);
  await seen(workspace, before, isHeld, atOnce);
  const after = journalEnd(workspace);
  dies.signal('SIGKILL');
  const from = performance.now();
  faults.clear();
  slack.requestUrl = stays.requestUrl;
  const written = await seen(workspace, after, isComment, atOnce);
  await reported(workspace, after, atOnce);
  return written.map((entry) => ({ isRead: isKilledInRead(entry), ms: entry.clockMs - from }));
}

function comments({ sandbox }: Fleet): number {
  return sandbox.jira.store.issues().reduce((sum, issue) => sum + issue.comments.length, 0);
}
