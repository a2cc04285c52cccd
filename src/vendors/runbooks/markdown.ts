import { parse } from 'yaml';
import { visibleText } from '../../core/clean-text.ts';

export interface Section {
  /** Empty for the text before the first heading. */
  readonly heading: string;
  /** Fragment of its address, as GitHub and GitLab make it; empty for the beginning. */
  readonly anchor: string;
  readonly text: string;
}

export interface Runbook {
  readonly title: string;
  /** Services, codes and tags from the front matter. */
  readonly marks: readonly string[];
  readonly sections: readonly Section[];
}

const maxSections = 300;
const maxFrontMatter = 8_000;
/** Maximum characters of a line considered for a heading; the rest is text. */
const maxHeading = 1_000;
const maxMarks = 100;

/** A Markdown file in sections. Never fails, whatever the content: invalid front matter is skipped. */
export function readMarkdown(source: string, name: string): Runbook {
  const { front, body } = splitFrontMatter(visibleText(source));
  const sections = sectionsOf(body);
  const first = sections.find(({ heading }) => heading !== '')?.heading;
  const title = typeof front.title === 'string' ? front.title : (first ?? name);
  const marks = ['service', 'services', 'code', 'codes', 'error', 'errors', 'tags', 'labels']
    .flatMap((key) => front[key] ?? [])
    .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []))
    .slice(0, maxMarks);
  return { title, marks, sections };
}

function splitFrontMatter(source: string): { front: Record<string, unknown>; body: string } {
  const end = source.startsWith('---\n') ? source.indexOf('\n---', 3) : -1;
  if (end < 0 || end > maxFrontMatter) return { front: {}, body: source };
  const body = source.slice(end + 4).replace(/^[^\n]*\n?/, '');
  try {
    // Without aliases a few lines cannot expand to gigabytes.
    const front: unknown = parse(source.slice(4, end), { maxAliasCount: 0, logLevel: 'silent' });
    const isMap = typeof front === 'object' && front !== null && !Array.isArray(front);
    return { front: isMap ? { ...front } : {}, body };
  } catch {
    return { front: {}, body };
  }
}

function sectionsOf(body: string): Section[] {
  const sections: { heading: string; anchor: string; lines: string[] }[] = [
    { heading: '', anchor: '', lines: [] },
  ];
  const taken = new Map<string, number>();
  let fence = '';
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line.slice(0, maxHeading))?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    const heading = fence === '' ? headingOf(line) : null;
    if (heading !== null && sections.length < maxSections) {
      sections.push({ heading, anchor: anchorOf(heading, taken), lines: [] });
    } else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, anchor, lines }) => ({ heading, anchor, text: lines.join('\n').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '');
}

function headingOf(line: string): string | null {
  const found = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec(line.slice(0, maxHeading))?.[1];
  return found === undefined ? null : withoutCloser(found.trimEnd());
}

/** Removes the number signs that may close a heading after a space. */
function withoutCloser(heading: string): string {
  let end = heading.length;
  while (heading[end - 1] === '#') end -= 1;
  const isCloser = end < heading.length && /[ \t]/.test(heading[end - 1] ?? '');
  return isCloser ? heading.slice(0, end).trimEnd() : heading;
}

/** Like GitHub: lower case, no punctuation, dashes for spaces, and a number for repeated ones. */
function anchorOf(heading: string, taken: Map<string, number>): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const times = taken.get(plain) ?? 0;
  taken.set(plain, times + 1);
  return times === 0 ? plain : `${plain}-${times}`;
}
