import { head, visibleText } from '../../core/clean-text.ts';

/** Plain text as a document: one paragraph per line, without mentions, links or macros. */
export function documentOf(text: string) {
  const lines = visibleText(text).split('\n');
  const content = lines.map((line) => ({
    type: 'paragraph',
    content: line === '' ? [] : [{ type: 'text', text: line }],
  }));
  return { type: 'doc', version: 1, content } as const;
}

/** A document nests lists and tables a few levels deep; anything deeper is left out. */
const maxDepth = 30;
/** Maximum characters kept of a document (Jira's own limit), and maximum parts visited. */
const maxText = 33_000;
const maxParts = 20_000;
const block =
  /^(paragraph|heading|codeBlock|blockquote|listItem|tableRow|panel|expand|nestedExpand|rule|mediaSingle|(block)?[tT]askItem|decisionItem|blockCard|embedCard)$/;

interface Room {
  characters: number;
  parts: number;
}

/** The text of a document, one line per block. Links and mentions become their text. */
export function textOf(document: unknown): string {
  return visibleText(wordsOf(document, 0, { characters: maxText, parts: maxParts }))
    .replace(/\n{2,}/g, '\n')
    .trim();
}

function wordsOf(node: unknown, depth: number, room: Room): string {
  room.parts -= 1;
  if (typeof node !== 'object' || node === null || depth > maxDepth || room.parts < 0) return '';
  const {
    type,
    text,
    attrs,
    content,
  }: { type?: unknown; text?: unknown; attrs?: unknown; content?: unknown } = node;
  if (typeof text === 'string') return within(room, text);
  if (type === 'hardBreak') return within(room, '\n');
  const parts = Array.isArray(content) ? content.slice(0, maxParts) : [];
  const own = within(room, attributeText(type, isRecord(attrs) ? attrs : {}));
  const inner = parts.map((child) => wordsOf(child, depth + 1, room)).join('');
  const end = typeof type === 'string' && block.test(type) ? within(room, '\n') : '';
  return `${own}${inner}${end}`;
}

/** As much of a text as fits. */
function within(room: Room, text: string): string {
  const kept = head(text, Math.max(0, room.characters));
  room.characters -= kept.length;
  return kept;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Text in attributes: words of mentions and statuses, emoji, addresses of cards, dates, titles and states. */
function attributeText(type: unknown, attrs: Readonly<Record<string, unknown>>): string {
  const { text, shortName, url, data, title, state, timestamp } = attrs;
  switch (type) {
    case 'taskItem':
    case 'blockTaskItem':
      return state === 'DONE' ? '[x] ' : '[ ] ';
    case 'decisionItem':
      return state === 'UNDECIDED' ? 'Undecided: ' : 'Decision: ';
    case 'expand':
    case 'nestedExpand':
      return typeof title === 'string' && title !== '' ? `${title}\n` : '';
    case 'date':
      return dayOf(timestamp);
    default: {
      const inCard = isRecord(data) ? data.url : undefined;
      return [text, shortName, url, inCard].find((value) => typeof value === 'string') ?? '';
    }
  }
}

/** A day, in milliseconds since 1970 as text; Jira means the day in UTC. */
function dayOf(timestamp: unknown): string {
  const at = new Date(typeof timestamp === 'string' && timestamp !== '' ? Number(timestamp) : Number.NaN);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
}
