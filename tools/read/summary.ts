import { cut } from '../../src/core/clean-text.ts';
import { ledgerOf } from '../../src/core/fact-ledger.ts';

const maxLine = 240;

/** The most informative lines of a text, verbatim and in order, with the total; `why`: why this is not a summary. */
export function extractOf(text: string, about: string | null, max: number, why: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const full = lines.filter((line) => line !== '').length;
  const wanted = new Set((about ?? '').toLowerCase().match(/\p{L}{4,}/gu) ?? []);
  const ranked = lines
    .map((line, index) => ({
      line: cut(line, maxLine),
      index,
      worth: worthOf(line, lines[index - 1], wanted),
    }))
    .filter(({ line }) => line !== '')
    .sort((a, b) => b.worth - a.worth || a.index - b.index);
  let room = max;
  const kept = ranked.filter(({ line }) => {
    if (line.length + 1 > room) return false;
    room -= line.length + 1;
    return true;
  });
  const shown = kept.sort((a, b) => a.index - b.index).map(({ line }) => line);
  const title = `Extract, ${why}: ${shown.length} of ${full} lines.`;
  return [title, ...shown].join('\n');
}

/** The first line of a block gives its subject; lines with keys, numbers and names are more informative than others. */
function worthOf(line: string, before: string | undefined, wanted: ReadonlySet<string>): number {
  const opens = before === undefined || before === '' ? 3 : 0;
  const facts = Math.min(4, ledgerOf(line).size);
  const alarms = /\b(error|fail|down|breach|critical|p1|deploy|timeout|exhausted)/i.test(line) ? 2 : 0;
  const asked = (line.toLowerCase().match(/\p{L}{4,}/gu) ?? []).some((word) => wanted.has(word)) ? 3 : 0;
  return opens + facts + alarms + asked;
}

/** Splits a text into parts of at most `max` characters, between paragraphs, else between lines, else anywhere. */
export function partsOf(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const cut = placeToCut(rest, max);
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

function placeToCut(text: string, max: number): number {
  const head = text.slice(0, max);
  for (const between of ['\n\n', '\n', ' ']) {
    const at = head.lastIndexOf(between);
    if (at > max / 2) return at;
  }
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]$/.test(head) ? max - 1 : max;
}
