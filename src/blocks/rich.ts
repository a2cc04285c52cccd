import type {
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextSection,
  RichTextStyleable,
} from '@slack/types';
import type { Askable } from '../core/askable.ts';
import { oneLine } from '../core/clean-text.ts';
import { clean, cutNotice, escapeMrkdwn } from './escape.ts';

/** A piece of a line. Plain strings may be data or our own words: rich text parses neither. */
export type Span = RichTextElement | string;
type Style = NonNullable<RichTextStyleable['style']>;

function styled(text: string, style: Style): RichTextElement {
  return { type: 'text', text: clean(text), style };
}

export function bold(text: string): RichTextElement {
  return styled(text, { bold: true });
}

export function italic(text: string): RichTextElement {
  return styled(text, { italic: true });
}

export function code(text: string): RichTextElement {
  return styled(oneLine(text), { code: true });
}

/** A mention of a person. Only for ids from Slack itself, never from text. */
export function person(userId: string): RichTextElement {
  if (!/^[UW][A-Z0-9]{2,}$/.test(userId)) return { type: 'text', text: clean(userId) };
  return { type: 'user', user_id: userId };
}

export function group(groupId: string): RichTextElement {
  if (!/^S[A-Z0-9]{2,}$/.test(groupId)) return { type: 'text', text: clean(groupId) };
  return { type: 'usergroup', usergroup_id: groupId };
}

/** A time shown in each reader's own time zone. `iso` is ISO 8601. */
export function time(iso: string, format = '{date_short_pretty} {time}'): RichTextElement {
  const at = new Date(iso);
  const length = format.includes('secs') ? 19 : 16;
  const fallback = `${at.toISOString().slice(0, length).replace('T', ' ')} UTC`;
  return { type: 'date', timestamp: Math.floor(at.getTime() / 1000), format, fallback };
}

/** A live link. Only for addresses from us or Slack, never from data. */
export function link(url: string, text: string): RichTextElement {
  return { type: 'link', url, text: oneLine(text) };
}

/** Like `link`, for text formatted as code: a query, an id. */
export function codeLink(url: string, text: string): RichTextElement {
  return { type: 'link', url, text: oneLine(text), style: { code: true } };
}

/** Slack rejects empty texts, so they are left out. */
function spans(parts: readonly Span[]): RichTextElement[] {
  return parts
    .map((part): RichTextElement => (typeof part === 'string' ? { type: 'text', text: clean(part) } : part))
    .filter((part) => part.type !== 'text' || part.text !== '');
}

export function line(...parts: Span[]): RichTextSection {
  return { type: 'rich_text_section', elements: spans(parts) };
}

/** Sentences from a source whose readers know Markdown: `words` in back-ticks stand as code, all else as it is. */
export function proseLine(text: string): RichTextSection {
  const parts = text.split(/(?<!`)`([^`\n]{1,200})`(?!`)/);
  return line(...parts.map((part, index) => (index % 2 === 1 ? code(part) : part)));
}

/** Several lines inside one section. */
export function lines(rows: readonly (readonly Span[])[]): RichTextSection {
  return line(...rows.flatMap((row, index) => (index === 0 ? row : ['\n', ...row])));
}

/** `offset`: how many items of the same list stand above. */
export function ordered(items: readonly RichTextSection[], offset = 0): RichTextBlockElement {
  return {
    ...{ type: 'rich_text_list', style: 'ordered', elements: [...items] },
    ...(offset > 0 ? { offset } : {}),
  };
}

export function bullets(items: readonly RichTextSection[], indent = 0): RichTextBlockElement {
  return { type: 'rich_text_list', style: 'bullet', elements: [...items], ...(indent > 0 ? { indent } : {}) };
}

/** Requests that work here, as they are typed; nothing where there are none. */
export function askableList(askable: readonly Askable[]): RichTextBlockElement[] {
  const items = askable.map(({ system, goals }) =>
    line(bold(system), ...goals.flatMap((goal): Span[] => ['\n', code(`/plan ${goal}`)])),
  );
  return items.length === 0 ? [] : [bullets(items)];
}

export function quote(text: string): RichTextBlockElement {
  return { type: 'rich_text_quote', elements: spans([text]) };
}

export function preformatted(text: string): RichTextBlockElement {
  return { type: 'rich_text_preformatted', elements: [{ type: 'text', text: clean(text) || ' ' }] };
}

/** Slack runs sections that follow each other together, so each but the last ends its line. */
export function rich(elements: readonly RichTextBlockElement[], blockId?: string): RichTextBlock {
  const apart = elements.map((element, nth) => {
    const goesOn = elements[nth + 1]?.type === 'rich_text_section';
    return element.type === 'rich_text_section' && goesOn ? line(...element.elements, '\n') : element;
  });
  return { type: 'rich_text', ...(blockId ? { block_id: blockId } : {}), elements: apart };
}

/** Lines as the `text` of a message: in notifications Slack shows the names of people and groups in it. */
export function noticeText(...rows: readonly (readonly Span[])[]): string {
  return cutNotice(
    rows
      .map((row) => row.map(noticeOf).join(''))
      .join(' ')
      .trim(),
  );
}

function noticeOf(span: Span): string {
  if (typeof span === 'string') return inline(span);
  if (span.type === 'text') return inline(span.text);
  if (span.type === 'link') return inline(span.text ?? span.url);
  if (span.type === 'date') return span.fallback ?? '';
  if (span.type === 'user') return `<@${span.user_id}>`;
  return span.type === 'usergroup' ? `<!subteam^${span.usergroup_id}>` : '';
}

/** The dots protect the spaces at both ends. */
function inline(text: string): string {
  return escapeMrkdwn(`.${text}.`).slice(1, -1);
}
