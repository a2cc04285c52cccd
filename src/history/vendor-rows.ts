import { bold, code, type Span, time } from '../blocks/rich.ts';
import { cut } from '../core/clean-text.ts';
import type { Json } from '../core/json.ts';
import type { LogLine } from './story-port.ts';

/** Each intended write, with its number of attempts and the vendor's outcome. */
export function vendorRows(log: readonly LogLine[]): Span[][] {
  const sent = Map.groupBy(
    log.filter(({ kind }) => kind === 'write.intended'),
    intentOf,
  );
  return log.flatMap((of): Span[][] => {
    if (of.kind !== 'write.intended') return endedRow(of);
    const same = sent.get(intentOf(of)) ?? [];
    return same[0] === of ? [intendedRow(of, same.length)] : [];
  });
}

function intentOf({ data }: LogLine): string {
  const { tool, step, key, adds } = factsIn(data);
  return JSON.stringify([tool, step, key, adds]);
}

function intendedRow({ data, at }: LogLine, count: number): Span[] {
  const { tool, step, key, adds } = factsIn(data);
  const often = count === 1 ? [', '] : [` ${count} times, first `];
  return [
    `${String(tool)} (${String(step)}) was about to be ${adds === true ? 'completed' : 'sent'}`,
    ...often,
    time(at, '{time_secs}'),
    ', key ',
    code(String(key)),
  ];
}

function endedRow({ kind, data, at }: LogLine): Span[][] {
  const ended = /^write\.(made|completed|failed|unknown)$/.exec(kind)?.[1];
  if (ended === undefined) return [];
  const words =
    { made: 'made', completed: 'completed', failed: 'FAILED', unknown: 'UNKNOWN' }[ended] ?? ended;
  const answer = code(cut(JSON.stringify(factsIn(data).evidence ?? null), 600));
  return [[bold(words), ', ', time(at, '{time_secs}'), ', answer ', answer]];
}

/** The data of a log line by name. */
export function factsIn(data: Json): { readonly [key: string]: Json | undefined } {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
}
