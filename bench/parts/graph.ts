import type { JournalEntry } from '../../sandbox/journal.ts';
import type { PartResult } from '../measure.ts';
import { median } from '../numbers.ts';
import { approve, givenCards, journalEnd, keyOf, reported, seen, wideGoal } from '../talk.ts';
import type { Workspace } from '../workspace.ts';

const readMs = 100;
const reads = 8;

/** A count asks for ids alone. What is like an earlier page is looked up meanwhile, with more fields. */
const isCount = ({ vendor, body }: JournalEntry): boolean =>
  vendor === 'jira' && JSON.stringify(body).includes('"fields":["id"]');

/** Eight reads of 100 ms each, then a post: from the first request to the post, compared with its critical path. */
export async function graph(workspace: Workspace, { runs }: { runs: number }): Promise<PartResult> {
  const cards = await givenCards(workspace, wideGoal, runs);
  const fault = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'delay', delayMs: readMs });
  const spans: number[] = [];
  let complete = true;
  for (const ts of cards) {
    const after = journalEnd(workspace);
    approve(workspace, ts);
    const [first] = await seen(workspace, after, isCount);
    const [post] = await seen(workspace, after, (entry) => /^cs-run-.*-post$/.test(keyOf(entry)));
    await reported(workspace, after);
    const asked = workspace.sandbox.journal.list({ after }).filter(isCount);
    complete &&= asked.length === reads;
    spans.push((post?.clockMs ?? Number.NaN) - (first?.clockMs ?? Number.NaN));
  }
  workspace.sandbox.faults.remove(fault);
  const over = spans.map((span) => ((span - readMs) / readMs) * 100);
  return {
    measures: [
      {
        id: 'graph.span',
        what: `${reads} reads of ${readMs} ms, first read to the post`,
        unit: 'ms',
        value: median(spans),
        runs: spans,
      },
      {
        id: 'graph.over',
        what: 'the same, over its critical path',
        unit: '%',
        value: median(over),
        runs: over,
      },
    ],
    checks: [{ what: `${reads} reads in each of ${runs} runs`, ok: complete }],
  };
}
