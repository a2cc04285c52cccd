import { isTime } from '../manifests/group-words.ts';
import { thousands } from '../src/core/numbers.ts';
import type { QueryAnswer, QueryReader } from '../src/core/queries/answer.ts';
import { type BoundQuery, QueryError } from '../src/core/queries/bind.ts';
import { grouped } from './grouped.ts';
import { masked } from './mask-card-numbers.ts';
import { maxRows, totalOf } from './query-result.ts';

/** Maximum rows that are read to group them. */
const maxGrouped = 5_000;
/** Maximum spans of time, each of which is a query of its own, and how many are asked at once. */
const maxSpans = 31;
const atOnce = 4;

interface Source {
  readonly reader: Pick<QueryReader, 'run'>;
  readonly zone: string;
  readonly signal: AbortSignal;
}

/** The answer to a query, and, where it is grouped, the groups that stand in place of its rows. */
export async function askGrouped(query: BoundQuery, { reader, zone, signal }: Source) {
  const { by } = query;
  const ofRows = by !== '' && !isTime(by);
  const answer = await reader.run(query, ofRows ? maxGrouped : maxRows, signal);
  if (by === '') return { answer, groups: {} };
  const countIn = async (span: BoundQuery) => totalOf(await reader.run(span, maxRows, signal), span);
  const counted = ofRows ? groupsIn(answer, query) : await inSpans(query, zone, countIn);
  const how = { by, zone, what: 'entries' };
  const { groups: rows, group_columns: columns, group_total: all } = grouped(counted, how);
  return { answer, groups: { columns, rows, row_total: all, row_total_least: false } };
}

/** Never the groups of a part of the rows. */
function groupsIn({ columns, rows, total, exact }: QueryAnswer, { by, template }: BoundQuery) {
  if (!exact || total > rows.length) {
    const many = `More than ${thousands(maxGrouped)} rows cannot be grouped. Narrow the time.`;
    throw new QueryError('query_group', many);
  }
  const [at, count] = [columns.indexOf(by), columns.indexOf(template?.count ?? '')];
  if (at < 0) throw new QueryError('query_group', `The answer has no column ${by} to group by.`);
  return rows.map((row) => ({ of: masked(row[at] ?? ''), count: count < 0 ? 1 : Number(row[count]) || 0 }));
}

async function inSpans(query: BoundQuery, zone: string, countIn: (span: BoundQuery) => Promise<number>) {
  const spans = spansOf(query, zone);
  const counted: { of: Date; count: number }[] = [];
  for (let at = 0; at < spans.length; at += atOnce) {
    const some = spans.slice(at, at + atOnce);
    counted.push(
      ...(await Promise.all(some.map(async (one) => ({ of: one.from, count: await countIn(one) })))),
    );
  }
  return counted;
}

/** The hours, days or weeks of the asked time. The first begins, and the last ends, with it. */
function spansOf(query: BoundQuery, zone: string): BoundQuery[] {
  const spans: BoundQuery[] = [];
  for (let from = query.from; from < query.to; ) {
    if (spans.length === maxSpans) {
      const many = `There are more than ${maxSpans} ${query.by}s in that time. Narrow it.`;
      throw new QueryError('query_group', many);
    }
    const next = new Date(Math.min(nextSpan(from, query.by, zone).getTime(), query.to.getTime()));
    spans.push({ ...query, from, to: next });
    from = next;
  }
  return spans;
}

function nextSpan(from: Date, by: string, zone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone);
  const next =
    by === 'hour'
      ? local.round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 })
      : local.startOfDay().add({ days: by === 'week' ? 8 - local.dayOfWeek : 1 });
  return new Date(next.epochMilliseconds);
}
