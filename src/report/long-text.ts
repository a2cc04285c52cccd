import type { RichTextBlockElement } from '@slack/types';
import type { ShownResult } from '../blocks/links.ts';
import { italic, line, preformatted, type Span } from '../blocks/rich.ts';
import { cutWords } from '../core/inert.ts';
import { own } from '../core/own.ts';

const maxCharacters = 2_600;

/** Sentences as a paragraph, and `lines` as they stand, as many whole lines as fit. */
export function longText({ manifest, result }: ShownResult): {
  rows: Span[][];
  elements: RichTextBlockElement[];
} {
  const { prose } = manifest.shows ?? {};
  // Where there is a table, it shows the lines; an empty one is said by the outcome.
  const text = own(result, prose ?? (manifest.shows?.table === undefined ? 'lines' : ''));
  if (typeof text !== 'string' || text === '') return { rows: [], elements: [] };
  if (prose !== undefined) return { rows: [], elements: [line(cutWords(text, maxCharacters))] };
  const all = text.split('\n');
  const kept = firstLines(all, maxCharacters);
  if (kept.length === all.length) return { rows: [], elements: [preformatted(text)] };
  const shown = preformatted(cutWords(kept.join('\n'), maxCharacters));
  return { rows: [[italic(`${kept.length} of ${all.length} lines shown`)]], elements: [shown] };
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
