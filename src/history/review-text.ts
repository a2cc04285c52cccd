import { plainText } from '../blocks/plain-text.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { ReviewDeps } from './review.ts';
import { type Review, sectionsOf } from './review-words.ts';

/** A review as it is published: plain text, with names in place of mentions. */

/** How a review is written: on a page it has no title of its own, and its headings are marked. */
interface Form {
  readonly page: boolean;
  /** Maximum characters. */
  readonly room: number;
  /** The whole review if left out. */
  readonly which?: 'timeline' | 'review';
}

export function reviewTitle({ life: { number, title } }: Review, which: 'timeline' | 'review'): string {
  return cut(`${which === 'review' ? 'Review' : 'Timeline'} of #${number} ${oneLine(title)}`, 150);
}

/** The review as plain text; lines of the timeline that do not fit are counted. */
export function reviewText(
  review: Review,
  nameOf: (id: string) => string,
  { page, room, which = 'review' }: Form,
): string {
  const { url } = review.life;
  const name = page ? [] : [reviewTitle(review, which)];
  const head = [...name, ...(url === '' ? [] : [url])];
  const sections = sectionsOf(review, which).map(({ title: heading, rows }) => ({
    heading,
    rows: rows.map((row) => `- ${plainText(row, nameOf)}`),
  }));
  const whole = (dropped: number) =>
    [
      ...head,
      ...sections.flatMap(({ heading, rows }) => {
        const kept = heading === 'Timeline' && dropped > 0 ? shortened(rows, dropped) : rows;
        return ['', `${page ? '## ' : ''}${heading}`, ...kept.map(withoutSameDay)];
      }),
    ].join('\n');
  let dropped = 0;
  while (whole(dropped).length > room && dropped < 500) dropped += 1;
  return cut(whole(dropped), room);
}

/** "- 2026-03-10 14:21:07 UTC …" without the day where the line before it has the same. */
function withoutSameDay(row: string, at: number, rows: readonly string[]): string {
  const day = dayOf(row);
  return day !== undefined && day === dayOf(rows[at - 1] ?? '') ? row.replace(`${day} `, '') : row;
}

const dayOf = (row: string): string | undefined => /^- (\d{4}-\d{2}-\d{2}) \d/.exec(row)?.[1];

/** Without lines in the middle: the beginning and the end say most. */
function shortened(rows: readonly string[], dropped: number): string[] {
  const half = Math.max(1, Math.floor((rows.length - dropped) / 2));
  const left = rows.length - 2 * half;
  return left <= 0
    ? [...rows]
    : [...rows.slice(0, half), `- … ${left} more lines`, ...rows.slice(rows.length - half)];
}

/** Slack ids of everybody named in it. */
function peopleIn(review: Review): string[] {
  const ids = sectionsOf(review, 'review').flatMap(({ rows }) =>
    rows.flat().flatMap((span) => (typeof span !== 'string' && span.type === 'user' ? [span.user_id] : [])),
  );
  return [...new Set(ids)];
}

/** Names of everybody in it; the Slack id of a person whose name cannot be read. */
export async function namesFor(
  review: Review,
  { nameOf }: Pick<ReviewDeps, 'nameOf'>,
): Promise<(id: string) => string> {
  const known = await Promise.all(
    peopleIn(review).map(async (id): Promise<[string, string]> => [id, (await nameOf(id)) ?? id]),
  );
  const names = new Map(known);
  return (id) => names.get(id) ?? id;
}
