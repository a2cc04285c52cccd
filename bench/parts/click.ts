import type { JournalEntry } from '../../sandbox/journal.ts';
import type { Measure, PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import {
  approve,
  followed,
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

/** From the click on Approve to the run's first vendor request, and to the page, one after the other; and the CPU cost. */
export async function click(workspace: Workspace, { count }: { count: number }): Promise<PartResult> {
  const { measures, checks } = await clicks(workspace, { count });
  return { measures: [...measures, ...(await cpuOfRuns(workspace, Math.ceil(count / 4)))], checks };
}

/** The same without the CPU cost, for which each page has to be followed to its end. */
export async function clicks(workspace: Workspace, { count }: { count: number }): Promise<PartResult> {
  const cards = await givenCards(workspace, pageGoal, count);
  const pagesBefore = workspace.sandbox.pagerduty.store.incidents().length;
  const [first, paged]: [number[], number[]] = [[], []];
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
    ],
    checks: [{ what: `${count} approvals, ${pages} pages`, ok: pages === count }],
  };
}

/**
 * Milliseconds of CPU for each run and its report, and then for following its page. Waits for each, so that neither
 * counts towards the other: the bot checks a page within a second, and its background work in that second counts as
 * following.
 */
async function cpuOfRuns(workspace: Workspace, count: number): Promise<Measure[]> {
  const used = async () => (await workspace.cpu()) ?? Number.NaN;
  let [run, follow] = [0, 0];
  for (const ts of await givenCards(workspace, pageGoal, count)) {
    const after = journalEnd(workspace);
    const before = await used();
    approve(workspace, ts);
    await reported(workspace, after);
    const told = await used();
    resolvePages(workspace);
    await followed(workspace, after);
    run += told - before;
    follow += (await used()) - told;
  }
  return [
    {
      id: 'run.cpu',
      what: 'CPU for each run and its report, bot and Postgres',
      unit: 'ms',
      value: run / count,
    },
    {
      id: 'follow.cpu',
      what: 'CPU to follow its page until it is resolved, and of the wait for that',
      unit: 'ms',
      value: follow / count,
    },
  ];
}
