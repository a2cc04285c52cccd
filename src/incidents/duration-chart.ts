import { duration } from '../blocks/card-frame.ts';
import { chart } from '../blocks/chart.ts';
import type { Block } from '../blocks/message.ts';
import { italic, line, rich } from '../blocks/rich.ts';
import type { Life } from '../core/incident-history.ts';
import { capital } from '../core/step-words.ts';

/** A moment in the history of an incident, starting with the request. */
interface Moment {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** From the request to the end, as far as each is known. Times are ISO 8601. */
export function momentsOf(of: { askedAt: string; approvedAt: string | null; life: Life }): Moment[] {
  const { askedAt, approvedAt, life } = of;
  const first = (kind: string) => life.events.find((event) => event.kind === kind)?.at;
  const last = (kind: string) => life.events.findLast((event) => event.kind === kind)?.at;
  const all: readonly (readonly [string, string | null | undefined])[] = [
    ['asked', askedAt],
    ['approved', approvedAt],
    ['paged', life.openedAt],
    ['acknowledged', first('acknowledged')],
    ['resolved', last('resolved')],
  ];
  let latest = 0;
  return all.flatMap(([name, at]) => {
    if (at == null) return [];
    // PagerDuty reports whole seconds by its own clock: no event may precede its cause.
    latest = Math.max(latest, Date.parse(at));
    return [{ name, at: latest }];
  });
}

/** The duration of each phase, as Slack's own chart and as a line of text; null if nothing followed the page. */
export function timelineOf(
  moments: readonly Moment[],
): { text: string; message: Block[]; fallback: Block[] } | null {
  const [asked, ...rest] = moments;
  if (asked === undefined || rest.length < 3) return null;
  const parts = rest.map(({ name, at }, index) => ({
    name,
    ms: at - (rest[index - 1] ?? asked).at,
    after: at - asked.at,
  }));
  const words = parts.map(
    ({ name, after }) => `${name} ${after < 1_000 ? 'at once' : `after ${duration(after)}`}`,
  );
  const text = `Since the question: ${words.join(', ')}.`;
  const row = rich([line(italic(text))], 'timeline');
  const { unit, ms: size } = unitFor(Math.max(...parts.map(({ ms }) => ms)));
  const values = parts.map(({ ms }) => Math.round((ms / size) * 10) / 10);
  const labels = parts.map(({ name }) => `until ${name}`);
  const title = `${capital(unit)} per stage`;
  const bar = chart('bar', { title, labels, series: [{ name: unit, values }], unit });
  return { text, message: [row, bar], fallback: [row] };
}

/** The unit in which the longest phase is a readable number. */
function unitFor(longestMs: number): { unit: string; ms: number } {
  if (longestMs < 300_000) return { unit: 'seconds', ms: 1_000 };
  return longestMs < 10_800_000 ? { unit: 'minutes', ms: 60_000 } : { unit: 'hours', ms: 3_600_000 };
}
