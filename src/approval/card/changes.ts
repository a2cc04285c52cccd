import { cardAddress } from '../../blocks/card-address.ts';
import { sizeOf } from '../../blocks/fit.ts';
import type { Block } from '../../blocks/message.ts';
import { bold, bullets, italic, line, link, person, rich, type Span } from '../../blocks/rich.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import type { Revision } from '../../core/revision.ts';

/** The rejection of an earlier revision, whose reason changed the plan. */
export interface Rejection {
  readonly number: number;
  readonly by: string;
  readonly reason: string;
}

const maxChanges = 12;

/** As many changes as fit; the plan itself is below them in any case. */
export function changesBlock(
  { sealed: { requestId } }: Revision,
  { changes = [], rejected }: { readonly changes?: readonly string[]; readonly rejected?: Rejection | null },
  maxSize: number,
): Block[] {
  const head = line(...(rejected == null ? [bold('Changed:')] : rejectionSpans(requestId, rejected)));
  const blockOf = (count: number): Block => {
    const shown = changes.slice(0, count).map((change) => line(cut(oneLine(change), 300)));
    const rest = changes.length - count;
    const more = rest > 0 ? [line(italic(`and ${rest} more changes`))] : [];
    return rich([head, bullets([...shown, ...more])], 'changes');
  };
  for (let count = Math.min(changes.length, maxChanges); count > 0; count -= 1) {
    const block = blockOf(count);
    if (sizeOf([block]) <= maxSize) return [block];
  }
  return [];
}

function rejectionSpans(requestId: string, { number, by, reason }: Rejection): Span[] {
  const old = link(cardAddress(requestId, number), `revision ${number}`);
  return [
    bold('Changed'),
    ' after ',
    old,
    ' was rejected by ',
    person(by),
    `, “${cut(oneLine(reason), 200)}”:`,
  ];
}
