import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { bold, bullets, line, rich, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { thousands } from '../core/numbers.ts';
import type { HandoverDeps } from './handover.ts';
import { everybody } from './plans.ts';
import type { Comparison } from './second-planner.ts';
import { type Counted, type Plans, type Spread, type Statistics, statistics } from './statistics.ts';

/** All wording of the statistics. */

/** A figure with what it is made of. */
interface Row {
  readonly label: string;
  readonly value: string;
  readonly details: readonly string[];
}

/** Maximum details of a figure. */
const maxDetails = 8;

function rowsOf({
  requests,
  plans,
  edits,
  reasons,
  complaints,
  steps,
  totals,
  to,
  second,
  ...by
}: Statistics): Row[] {
  const failed = steps.filter((one) => one.failed > 0);
  const sum = (name: 'ran' | 'failed'): number => steps.reduce((all, one) => all + one[name], 0);
  const of = (count: number): string => share(count, plans.planned);
  const { runs, writes, usd, tokens } = totals;
  return [
    row('Requests', `${thousands(requests)}, ${thousands(plans.planned)} with a plan of their own`),
    row('Right without an edit', of(plans.right)),
    row('Success without help', of(plans.unaided)),
    row('After a question', of(plans.questioned)),
    row('Edited', of(plans.edited), times(edits)),
    row('Rejected', of(plans.rejected), times(reasons)),
    row('Expired', of(plans.expired)),
    row('Rated as helpful', share(plans.helpful, plans.helpful + plans.unhelpful), times(complaints)),
    row(
      'Steps that failed',
      share(sum('failed'), sum('ran')),
      failed.map(
        ({ tool, failed: count, ran, code }) =>
          `${tool}: ${count} of ${ran}${code === null ? '' : ` (${code})`}`,
      ),
    ),
    row(
      'Writes per run',
      runs === 0 ? 'no runs' : `${decimal(writes / runs)} (${thousands(writes)} in ${thousands(runs)} runs)`,
    ),
    row('To first evidence', spreadWords(to.evidence)),
    row('To decision', spreadWords(to.decision)),
    row('To result', spreadWords(to.result)),
    row(
      'Cost',
      `${money(usd)}, ${thousands(tokens)} tokens${requests === 0 ? '' : `, ${money(usd / requests)} per request`}`,
    ),
    ...second.map(secondRow),
    row('By planner', '', groups(by.byPlanner)),
    ...(Object.keys(by.byTeam).length === 0 ? [] : [row('By team', '', groups(by.byTeam))]),
    row('By channel', '', groups(by.byChannel)),
  ];
}

function row(label: string, value: string, details: readonly string[] = []): Row {
  const rest = details.length - maxDetails;
  return {
    label,
    value,
    details: rest > 0 ? [...details.slice(0, maxDetails), `and ${rest} more`] : details,
  };
}

/** The second planner's plans beside those that people saw and what they made of them. */
function secondRow(of: Comparison): Row {
  const { planned, same, sameSteps, taken, nearer, further, onlyShown, onlySecond } = of;
  return row(`${of.planner} beside ${of.shown}`, `${thousands(of.compared)} requests planned twice`, [
    `the same plan: ${share(same, planned)}; the same steps: ${share(sameSteps, planned)}`,
    `${onlySecond} planned only by ${of.planner}, ${onlyShown} only by ${of.shown}`,
    `of ${taken} plans that people took, ${of.planner} was nearer to ${nearer} and further from ${further}`,
    ...times(of.differences),
  ]);
}

function share(count: number, all: number): string {
  return all === 0 ? '0' : `${thousands(count)} of ${thousands(all)} (${Math.round((100 * count) / all)} %)`;
}

function times(counts: readonly Counted[]): string[] {
  return counts.map(
    ({ what, times: count }) => `${count}× ${what === '' ? 'no reason' : cut(oneLine(what), 100)}`,
  );
}

function groups(by: Readonly<Record<string, Plans>>): string[] {
  return Object.entries(by).map(
    ([name, { planned, right, edited, rejected, unhelpful, usd }]) =>
      `${name}: ${thousands(planned)} planned, ${right} right, ${edited} edited, ${rejected} rejected${unhelpful === 0 ? '' : `, ${unhelpful} not helpful`}${usd === 0 ? '' : `, ${money(usd)}`}`,
  );
}

function spreadWords(spread: Spread | null): string {
  return spread === null
    ? 'none yet'
    : `${seconds(spread.median)} in the median, 95 % within ${seconds(spread.p95)}`;
}

function seconds(count: number): string {
  if (count < 10) return `${decimal(count)} s`;
  if (count < 120) return `${Math.round(count)} s`;
  return count < 7_200 ? `${Math.round(count / 60)} min` : `${decimal(count / 3_600)} h`;
}

function decimal(number: number): string {
  return (Math.round(number * 10) / 10).toString();
}

function money(usd: number): string {
  return usd === 0 ? '$0' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** For a terminal. */
export function statisticsLines(statistics: Statistics): string[] {
  const rows = rowsOf(statistics);
  const width = Math.max(...rows.map(({ label }) => label.length));
  return [
    `Since ${statistics.since.toISOString().slice(0, 10)}`,
    '',
    ...rows.flatMap(({ label, value, details }) => [
      `${label.padEnd(width)}  ${value}`.trimEnd(),
      ...details.map((detail) => `  ${detail}`),
    ]),
  ];
}

function statisticsMessage(statistics: Statistics): Message {
  const rows = rowsOf(statistics);
  const { plans, since } = statistics;
  const [head, ...rest] = [
    line(bold('Report, since '), time(since.toISOString())),
    ...rows.flatMap(({ label, value, details }) => [
      bullets([line(bold(value === '' ? label : `${label}: `), value)]),
      ...(details.length === 0
        ? []
        : [
            bullets(
              details.map((detail) => line(detail)),
              1,
            ),
          ]),
    ]),
  ];
  const summary = `Report: ${share(plans.right, plans.planned)} right without an edit`;
  return { text: fallbackText(summary), blocks: [rich([...(head === undefined ? [] : [head]), ...rest])] };
}

/**
 * Posts the statistics of the last days to a channel, once per key. All plans count; people's words and the names of
 * channels are only those that readers of the channel may see.
 */
export async function postReport(
  channel: string,
  days: number,
  key: string,
  deps: Pick<HandoverDeps, 'db' | 'teamId' | 'reporting' | 'maySee' | 'catalogue' | 'now'>,
): Promise<void> {
  const { db, teamId, reporting, maySee, catalogue, now } = deps;
  const since = new Date(now().getTime() - days * 86_400_000);
  const names = new Map(catalogue.channels.map(({ id, name }) => [id, `#${name}`]));
  const found = await statistics(db, {
    ...{ teamIds: [teamId], since },
    async placeOf(of) {
      if (of !== channel && !(await maySee(everybody, of))) return null;
      return { channel: names.get(of) ?? 'other channels', team: null };
    },
  });
  const place = { kind: 'channel', channel, threadTs: null } as const;
  await reporting.send(teamId, place, `report:${key}`, statisticsMessage(found));
}
