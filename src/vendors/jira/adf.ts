import { visibleText } from '../../core/inert.ts';

/** Plain text as a document: a paragraph a line, and nothing in it is a mention, a link or a macro. */
export function documentOf(text: string) {
  const lines = visibleText(text).split('\n');
  const content = lines.map((line) => ({
    type: 'paragraph',
    content: line === '' ? [] : [{ type: 'text', text: line }],
  }));
  return { type: 'doc', version: 1, content } as const;
}

/** A document nests lists and tables a few levels deep; what lies deeper is left out. */
const maxDepth = 30;
const block = /^(paragraph|heading|codeBlock|blockquote|listItem|tableRow|panel|expand|rule|mediaSingle)$/;

/** The words of a document, a line for each of its blocks. Links and mentions come out as their text. */
export function textOf(document: unknown): string {
  return visibleText(wordsOf(document, 0))
    .replace(/\n{2,}/g, '\n')
    .trim();
}

function wordsOf(node: unknown, depth: number): string {
  if (typeof node !== 'object' || node === null || depth > maxDepth) return '';
  const {
    type,
    text,
    attrs,
    content,
  }: { type?: unknown; text?: unknown; attrs?: unknown; content?: unknown } = node;
  if (typeof text === 'string') return text;
  if (type === 'hardBreak') return '\n';
  const inner = Array.isArray(content) ? content.map((child) => wordsOf(child, depth + 1)).join('') : '';
  if (typeof type === 'string' && block.test(type)) return `${inner}\n`;
  return inner === '' ? attributeText(attrs) : inner;
}

/** Mentions and statuses carry their words in `text`, emoji in `shortName`, cards in `url`. */
function attributeText(attrs: unknown): string {
  if (typeof attrs !== 'object' || attrs === null) return '';
  const { text, shortName, url }: { text?: unknown; shortName?: unknown; url?: unknown } = attrs;
  return [text, shortName, url].find((value) => typeof value === 'string') ?? '';
}
