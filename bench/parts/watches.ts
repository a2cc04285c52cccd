import { setTimeout as pause } from 'node:timers/promises';
import { allManifests } from '../../manifests/all.ts';
import { parse } from '../../src/notation/parse.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { startFleet } from '../chaos/fleet.ts';
import type { PartResult } from '../measure.ts';

/** Milliseconds for each answer of Jira. */
const vendorMs = 200;
/** Milliseconds before it counts: the first checks include compiling. */
const warmMs = 30_000;

/** Watches that are checked every minute by two processes while Jira takes its time: how many are, and how late. */
export async function watches({
  watched,
  seconds,
}: {
  watched: number;
  seconds: number;
}): Promise<PartResult> {
  const fleet = await startFleet('replicas');
  const { url } = fleet.postgres;
  try {
    fleet.sandbox.faults.add({ vendor: 'jira', kind: 'delay', delayMs: vendorMs });
    await fill(url, watched);
    await pause(warmMs);
    const from = new Date();
    await pause(seconds * 1_000);
    const [row] = await rowsOf(
      url,
      `select count(*)::int as looked, coalesce(percentile_cont(0.99) within group (order by late), 0) as p99 from (
         select extract(epoch from looked_at - substring(look_key from length(id) + 8)::timestamptz) as late
         from watches where looked_at >= $1) as checks`,
      [from],
    );
    const perMinute = (Number(row?.looked) / seconds) * 60;
    const what = `${watched} watches a minute, two processes, Jira at ${vendorMs} ms`;
    return {
      measures: [
        { id: 'watches.rate', what: `checks a minute, ${what}`, unit: '/min', value: perMinute },
        {
          id: 'watches.late',
          what: 'a check after it was due, p99',
          unit: 's',
          value: Number(row?.p99),
          budget: 10,
        },
      ],
      checks: [{ what: `every watch is checked each minute`, ok: perMinute >= watched * 0.95 }],
    };
  } finally {
    await fleet.close();
  }
}

/** Due one after the other within the next minute. */
async function fill(url: string, watched: number): Promise<void> {
  const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
  const notation =
    'count = jira.count project=OPS priority=P1; when count.total > 9000: slack.post channel=#ops text="many"';
  const { plan } = parse(notation, manifests);
  await rowsOf(
    url,
    `insert into watches (team_id, id, owner, goal, plan, planner, every, worse, channel, alarm, created_at, next_at)
     select 'T0SANDBOX', 'w-' || n, 'U0BEN', 'watch', $1::jsonb, 'offline', '{"minutes": 1}', '{"by": 20, "unit": "percent"}',
       'C0OPS', '{"on": null, "failures": 0}', now(), now() + n * interval '60 seconds' / $2
     from generate_series(1, $2::int) as n`,
    [JSON.stringify(plan), watched],
  );
}
