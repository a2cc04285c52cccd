import type { JournalEntry } from '../../sandbox/journal.ts';
import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import {
  approve,
  givenCards,
  journalEnd,
  pageGoal,
  reported,
  resolvePages,
  seen,
  type Workspace,
} from '../talk.ts';

const jira = ({ vendor }: JournalEntry) => vendor === 'jira';
const page = ({ vendor }: JournalEntry) => vendor === 'pagerduty-events';

/** From the click on Approve to the run's first request at a vendor, and to the page, one after the other. */
export async function click(workspace: Workspace, { count }: { count: number }): Promise<PartResult> {
  const cards = await givenCards(workspace, pageGoal, count);
  const pagesBefore = workspace.sandbox.pagerduty.store.incidents().length;
  const [first, paged]: [number[], number[]] = [[], []];
  const cpuBefore = await workspace.cpu();
  for (const ts of cards) {
    const after = journalEnd(workspace);
    const from = approve(workspace, ts);
    const [read] = await seen(workspace, after, jira);
    const [write] = await seen(workspace, after, page);
    first.push((read?.clockMs ?? Number.NaN) - from);
    paged.push((write?.clockMs ?? Number.NaN) - from);
    await reported(workspace, after);
    resolvePages(workspace);
  }
  const cpuMs = ((await workspace.cpu()) ?? Number.NaN) - (cpuBefore ?? Number.NaN);
  const pages = workspace.sandbox.pagerduty.store.incidents().length - pagesBefore;
  return {
    measures: [
      {
        id: 'click.p50',
        what: 'Approve click to first vendor request, p50',
        unit: 'ms',
        value: quantile(first, 0.5),
      },
      {
        id: 'click.p99',
        what: 'Approve click to first vendor request, p99',
        unit: 'ms',
        value: quantile(first, 0.99),
        budget: 50,
      },
      {
        id: 'click.page.p50',
        what: 'Approve click to the page, p50',
        unit: 'ms',
        value: quantile(paged, 0.5),
      },
      {
        id: 'click.page.p99',
        what: 'Approve click to the page, p99',
        unit: 'ms',
        value: quantile(paged, 0.99),
      },
      {
        id: 'run.cpu',
        what: 'CPU for each run and its report, bot and Postgres',
        unit: 'ms',
        value: cpuMs / count,
      },
    ],
    checks: [{ what: `${count} approvals, ${pages} pages`, ok: pages === count }],
  };
}
