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
const block = /^(paragraph|heading|codeBlock|blockquote|listItem|tableRow|panel|expand|rule|mediaSingle)$/;

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
  const inner = parts.map((child) => wordsOf(child, depth + 1, room)).join('');
  if (typeof type === 'string' && block.test(type)) return `${inner}${within(room, '\n')}`;
  return inner === '' ? within(room, attributeText(attrs)) : inner;
}

/** As much of a text as fits. */
function within(room: Room, text: string): string {
  const kept = head(text, Math.max(0, room.characters));
  room.characters -= kept.length;
  return kept;
}

/** Mentions and statuses have their words in `text`, emoji in `shortName`, cards in `url`. */
function attributeText(attrs: unknown): string {
  if (typeof attrs !== 'object' || attrs === null) return '';
  const { text, shortName, url }: { text?: unknown; shortName?: unknown; url?: unknown } = attrs;
  return [text, shortName, url].find((value) => typeof value === 'string') ?? '';
}
