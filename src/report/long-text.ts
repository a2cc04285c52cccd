import type { RichTextBlockElement } from '@slack/types';
import type { ShownResult } from '../blocks/links.ts';
import { italic, preformatted, proseLine, type Span } from '../blocks/rich.ts';
import { cutWords } from '../core/clean-text.ts';
import { own } from '../core/own-property.ts';

const maxCharacters = 2_600;
/** Minimum characters of a text when space is short. */
const minCharacters = 120;
/** JSON characters around a text. */
const frameRoom = 160;

/** Sentences as a paragraph and `lines` verbatim, as many whole lines as fit into `room` characters of JSON. */
export function longText(
  { manifest, result }: ShownResult,
  room = Number.POSITIVE_INFINITY,
): {
  rows: Span[][];
  elements: RichTextBlockElement[];
} {
  const { prose } = manifest.shows ?? {};
  const text = own(result, prose ?? 'lines');
  const isSaid = prose === undefined && hasEmptyTables(manifest, result);
  if (isSaid || typeof text !== 'string' || text === '') return { rows: [], elements: [] };
  const max = charactersIn(room, text);
  if (prose !== undefined) return { rows: [], elements: [proseLine(cutWords(text, max))] };
  const all = text.split('\n');
  const kept = firstLines(all, max);
  const isCut = own(result, 'truncated') === true;
  if (kept.length === all.length && !isCut) return { rows: [], elements: [preformatted(text)] };
  const shown = preformatted(cutWords(kept.join('\n'), max));
  return {
    rows: [[italic(`${kept.length} of ${isCut ? 'more than ' : ''}${all.length} lines shown`)]],
    elements: [shown],
  };
}

/** Tables without rows: the outcome already says that there are none, or gives the single number. */
function hasEmptyTables({ shows }: ShownResult['manifest'], result: ShownResult['result']): boolean {
  const rows = (shows?.tables ?? []).map((table) => own(result, table.rows)).filter(Array.isArray);
  return rows.length > 0 && rows.every(({ length }) => length === 0);
}

/** Characters of a text that fit; quotes and line breaks take two each. */
function charactersIn(room: number, text: string): number {
  const each = JSON.stringify(text).length / text.length;
  return Math.max(minCharacters, Math.min(maxCharacters, Math.floor((room - frameRoom) / each)));
}

/** As many whole lines as fit, but at least one. */
function firstLines(all: readonly string[], max: number): readonly string[] {
  let length = -1;
  const over = all.findIndex((one) => {
    length += one.length + 1;
    return length > max;
  });
  return over === -1 ? all : all.slice(0, Math.max(1, over));
}
