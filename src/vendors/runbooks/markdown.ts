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
/** Lines of one heading. */
const maxHeadingLines = 10;

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

type Front = Readonly<Record<string, unknown>>;

/** YAML between `---`, or TOML between `+++`. */
function splitFrontMatter(source: string): { front: Front; body: string } {
  const fence = source.startsWith('+++\n') ? '+++' : '---';
  const end = source.startsWith(`${fence}\n`) ? source.indexOf(`\n${fence}`, 3) : -1;
  if (end < 0 || end > maxFrontMatter) return { front: {}, body: source };
  const body = source.slice(end + 4).replace(/^[^\n]*\n?/, '');
  const text = source.slice(4, end);
  const front = fence === '+++' ? tomlIn(text) : yamlIn(text);
  const isMap = typeof front === 'object' && front !== null && !Array.isArray(front);
  return { front: isMap ? { ...front } : {}, body };
}

/** Undefined for what is no YAML. Without aliases a few lines cannot expand to gigabytes. */
function yamlIn(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

/** Keys of all tables together. Strings and lists of strings, all that is read of it, are written as in YAML. */
function tomlIn(text: string): Front {
  const front: Record<string, unknown> = {};
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name = '', begun = ''] = /^[ \t]*["']?([\w-]{1,100})["']?[ \t]*=(.*)$/.exec(line) ?? [];
    if (name === '') continue;
    let value = begun.trim();
    while (value.startsWith('[') && !value.includes(']') && lines.length > 0) value += `\n${lines.shift()}`;
    front[name] ??= yamlIn(value);
  }
  return front;
}

function sectionsOf(body: string): Section[] {
  const sections: { heading: string; anchor: string; lines: string[] }[] = [
    { heading: '', anchor: '', lines: [] },
  ];
  const taken = new Map<string, number>();
  let fence = '';
  const lines = body.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line.slice(0, maxHeading))?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    const before = sections.at(-1)?.lines ?? [];
    const found =
      fence === '' && mark === '' && sections.length < maxSections ? headingAt(lines, at, before) : null;
    if (found === null) before.push(line);
    else {
      before.length -= found.above;
      at += found.below;
      sections.push({ heading: found.heading, anchor: anchorOf(found.heading, taken), lines: [] });
    }
  }
  return sections
    .map(({ heading, anchor, lines: own }) => ({ heading, anchor, text: own.join('\n').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '');
}

interface Heading {
  readonly heading: string;
  /** Lines of it before this one, and after it. */
  readonly above: number;
  readonly below: number;
}

/** `# Heading`, a paragraph that is underlined, or `<h1>Heading</h1>`. */
function headingAt(lines: readonly string[], at: number, before: readonly string[]): Heading | null {
  const line = (lines[at] ?? '').slice(0, maxHeading);
  const hashed = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec(line)?.[1];
  if (hashed !== undefined) return { heading: withoutCloser(hashed.trimEnd()), above: 0, below: 0 };
  if (/^ {0,3}(?:=+|-+)$/.test(line.trimEnd())) return underlined(before);
  return /^ {0,3}<h[1-6][\s>]/i.test(line) ? htmlHeading(lines.slice(at, at + maxHeadingLines)) : null;
}

/** The paragraph right above; nothing where a list, quote, table or other block stands there. */
function underlined(before: readonly string[]): Heading | null {
  let above = 0;
  while (above < maxHeadingLines && isParagraph(before.at(-1 - above) ?? '')) above += 1;
  if (above === 0) return null;
  const start = before[before.length - above - 1]?.trim() ?? '';
  const heading = before.slice(-above).join(' ').trim().replaceAll(/\s+/g, ' ');
  return start !== '' || heading.length > maxHeading ? null : { heading, above, below: 0 };
}

/** An ordinary line of text. */
function isParagraph(line: string): boolean {
  return (
    /^ {0,3}[^\s]/.test(line) &&
    !/^\s*(?:[#>|<]|[-*+]\s|\d+[.)]\s|`{3}|~{3}|[-*_=]{2,}\s*$)/.test(line.slice(0, maxHeading))
  );
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ' },
};

function htmlHeading(lines: readonly string[]): Heading | null {
  const last = lines.findIndex((line) => /<\/h[1-6]>/i.test(line));
  const html = lines.slice(0, last + 1).join(' ');
  if (last < 0 || html.length > maxHeading) return null;
  const bare = html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&[#\w]{2,6};/g, (entity) => entities[entity] ?? entity);
  const heading = bare.replaceAll(/\s+/g, ' ').trim();
  return heading === '' ? null : { heading, above: 0, below: last };
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
