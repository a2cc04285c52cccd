import type { RichTextBlockElement } from '@slack/types';
import type { ShownResult } from '../blocks/links.ts';
import { italic, line, preformatted, type Span } from '../blocks/rich.ts';
import { cutWords } from '../core/inert.ts';
import { own } from '../core/own.ts';

const maxCharacters = 2_600;
/** What is shown of a text where there is hardly any room. */
const leastCharacters = 120;
/** JSON around a text. */
const frameRoom = 160;

/** Sentences as a paragraph, and `lines` as they stand, as many whole lines as fit into `room` characters of JSON. */
export function longText(
  { manifest, result }: ShownResult,
  room = Number.POSITIVE_INFINITY,
): {
  rows: Span[][];
  elements: RichTextBlockElement[];
} {
  const { prose } = manifest.shows ?? {};
  const text = own(result, prose ?? 'lines');
  const isSaid = prose === undefined && hasEmptyTable(manifest, result);
  if (isSaid || typeof text !== 'string' || text === '') return { rows: [], elements: [] };
  const most = charactersIn(room, text);
  if (prose !== undefined) return { rows: [], elements: [line(cutWords(text, most))] };
  const all = text.split('\n');
  const kept = firstLines(all, most);
  const isCut = own(result, 'truncated') === true;
  if (kept.length === all.length && !isCut) return { rows: [], elements: [preformatted(text)] };
  const shown = preformatted(cutWords(kept.join('\n'), most));
  return {
    rows: [[italic(`${kept.length} of ${isCut ? 'more than ' : ''}${all.length} lines shown`)]],
    elements: [shown],
  };
}

/** A table without rows: that there are none, or the one number that there is, is said by the outcome. */
function hasEmptyTable({ shows }: ShownResult['manifest'], result: ShownResult['result']): boolean {
  const rows = shows?.table && own(result, shows.table.rows);
  return Array.isArray(rows) && rows.length === 0;
}

/** Characters of a text for which there is room; quotes and line breaks take two each. */
function charactersIn(room: number, text: string): number {
  const each = JSON.stringify(text).length / text.length;
  return Math.max(leastCharacters, Math.min(maxCharacters, Math.floor((room - frameRoom) / each)));
}

/** As many whole lines as fit, and at least one. */
function firstLines(all: readonly string[], max: number): readonly string[] {
  let length = -1;
  const over = all.findIndex((one) => {
    length += one.length + 1;
    return length > max;
  });
  return over === -1 ? all : all.slice(0, Math.max(1, over));
}
