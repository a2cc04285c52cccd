import { own } from '../../core/own-property.ts';

/**
 * All words of a message as Slack's own text notation, one part a line. Monitoring writes into blocks and attachments
 * and leaves `text` empty, or repeats the title there; so a body stands before its fallback. Reads anything: what is
 * not as expected has no words.
 */
export function messageWords(message: Readonly<Record<string, unknown>>): string {
  const text = string(message, 'text');
  const blocks = list(message, 'blocks');
  // Typed words come as text and as one block of rich text; the text is what Slack would show.
  const isTyped = text !== '' && blocks.every((block) => string(block, 'type') === 'rich_text');
  const body = isTyped ? '' : lines(blocks.map(blockWords));
  const attachments = list(message, 'attachments').filter((one) => text === '' || !isPreview(one));
  return lines([body || text, ...attachments.map(attachmentWords)]);
}

/** The preview of a link in a message: nobody wrote it there. */
function isPreview(attachment: unknown): boolean {
  const isForwarded = own(record(attachment), 'is_share') || own(record(attachment), 'is_msg_unfurl');
  return string(attachment, 'from_url') !== '' && isForwarded !== true;
}

function attachmentWords(attachment: unknown): string {
  const forwarded = list(attachment, 'message_blocks').flatMap((one) =>
    list(own(record(one), 'message'), 'blocks'),
  );
  const blocks = lines([...list(attachment, 'blocks'), ...forwarded].map(blockWords));
  const fields = list(attachment, 'fields').map((field) =>
    [string(field, 'title'), string(field, 'value')].filter((part) => part !== '').join(': '),
  );
  const body = lines([string(attachment, 'title'), blocks || string(attachment, 'text'), ...fields]);
  return lines([string(attachment, 'pretext'), body]) || string(attachment, 'fallback');
}

function blockWords(block: unknown): string {
  const type = string(block, 'type');
  if (type === 'rich_text') return richWords(block, 0);
  if (type === 'markdown') return string(block, 'text');
  if (type === 'context') return list(block, 'elements').map(textObject).filter(Boolean).join(' ');
  return lines([textObject(own(record(block), 'text')), ...list(block, 'fields').map(textObject)]);
}

/** `mrkdwn` or `plain_text`. */
const textObject = (value: unknown): string => string(value, 'text');

/** Rich text holds sections, and lists hold them once more; nothing goes deeper. */
const maxDepth = 4;

function richWords(element: unknown, depth: number): string {
  if (depth > maxDepth) return '';
  const elements = list(element, 'elements');
  const holdsSections = elements.some((one) => Array.isArray(own(record(one), 'elements')));
  return holdsSections
    ? lines(elements.map((one) => richWords(one, depth + 1)))
    : elements.map(spanWords).join('');
}

function spanWords(span: unknown): string {
  switch (string(span, 'type')) {
    case 'text':
      return escaped(string(span, 'text'));
    case 'link':
      return escaped(string(span, 'url'));
    case 'user':
      return `<@${string(span, 'user_id')}>`;
    case 'usergroup':
      return `<!subteam^${string(span, 'usergroup_id')}>`;
    case 'channel':
      return `<#${string(span, 'channel_id')}>`;
    case 'broadcast':
      return `<!${string(span, 'range')}>`;
    case 'emoji':
      return `:${string(span, 'name')}:`;
    default:
      return string(span, 'fallback');
  }
}

/** Rich text is not escaped; the text of a message is. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function lines(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n');
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function list(of: unknown, key: string): readonly unknown[] {
  const value = own(record(of), key);
  return Array.isArray(value) ? value : [];
}

function string(of: unknown, key: string): string {
  const value = own(record(of), key);
  return typeof value === 'string' ? value : '';
}
