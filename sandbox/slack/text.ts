import { type Fields, isFields, listAt, stringAt } from './fields.ts';

/** Live tokens between < and >: mentions, broadcasts, dates and links. Anything else is text. */
const token =
  /<(?:@[UW][A-Z0-9]+(?:\|[^<>]*)?|#[CD][A-Z0-9]+(?:\|[^<>]*)?|!(?:here|channel|everyone|group|subteam\^S[A-Z0-9]+|date\^[^<>]+)(?:\|[^<>]*)?|(?:https?:\/\/|mailto:|tel:)[^<>\s|]+(?:\|[^<>]*)?)>/g;
const bareUrl = /\bhttps?:\/\/[^\s<>|]*[^\s<>|.,;:!?'")\]}]/g;
const entity = /&(?!(?:amp|lt|gt);)/g;

/** Text in Slack's stored form: stray &, < and > escaped, bare addresses turned into links unless `verbatim`. */
export function storedText(raw: string, options: { verbatim?: boolean } = {}): string {
  let stored = '';
  let last = 0;
  for (const match of raw.matchAll(token)) {
    stored +=
      inertText(raw.slice(last, match.index), options.verbatim === true) +
      match[0].replaceAll(entity, '&amp;');
    last = match.index + match[0].length;
  }
  return stored + inertText(raw.slice(last), options.verbatim === true);
}

function inertText(raw: string, verbatim: boolean): string {
  return verbatim ? escaped(raw) : escaped(raw).replaceAll(bareUrl, (address) => `<${address}>`);
}

/** Slack escapes these three and leaves existing entities. */
export function escaped(raw: string): string {
  return raw.replaceAll(entity, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function unescaped(stored: string): string {
  return stored.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** With link_names or parse=full, plain @handle, @group and #channel become live; people also type @Handle. */
export function linkNames(raw: string, names: ReadonlyMap<string, string>): string {
  return raw.replaceAll(/(^|[\s(])([@#][a-z0-9][a-z0-9._-]*)/gi, (whole, before: string, name: string) => {
    const live = names.get(name.toLowerCase());
    return live === undefined ? whole : `${before}${live}`;
  });
}

/** The text of a slash command: escaped, with live names and links only if the app asked for them. */
export function commandText(raw: string, names: ReadonlyMap<string, string> | undefined): string {
  return names === undefined ? escaped(raw) : storedText(linkNames(raw, names));
}

/** Plain text typed by a person: handles become mentions and everything else is escaped. */
export function typedText(raw: string, names: ReadonlyMap<string, string>): string {
  return storedText(linkNames(raw, names));
}

/** User ids, group ids and broadcasts notified by a message, from its text and its blocks. */
export function mentionsIn(text: string, blocks: readonly Fields[]): string[] {
  const found = new Set<string>();
  if (blocks.length === 0) scanText(text, found);
  for (const block of blocks) scanBlock(block, found);
  return [...found];
}

function scanText(text: string, found: Set<string>): void {
  for (const match of text.matchAll(/<@([UW][A-Z0-9]+)|<!(here|channel|everyone)|<!subteam\^(S[A-Z0-9]+)/g)) {
    found.add(match[1] ?? match[2] ?? match[3] ?? '');
  }
}

function scanBlock(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const one of value) scanBlock(one, found);
    return;
  }
  if (!isFields(value)) return;
  const text = stringAt(value, 'text');
  if (text !== undefined && (value.type === 'mrkdwn' || value.type === 'markdown')) scanText(text, found);
  const live = { user: value.user_id, usergroup: value.usergroup_id, broadcast: value.range };
  for (const [type, id] of Object.entries(live)) {
    if (value.type === type && typeof id === 'string') found.add(id);
  }
  for (const child of Object.values(value)) scanBlock(child, found);
}

/** The blocks as Slack returns them: with ids, stored mrkdwn and explicit defaults. */
export function storedBlocks(blocks: readonly Fields[], nextId: () => string): Fields[] {
  return blocks.map((block) => {
    const stored = storedValue(block, nextId);
    if (!isFields(stored)) return block;
    return { ...stored, block_id: stringAt(stored, 'block_id') || nextId() };
  });
}

const withoutActionId = new Set(['image', 'plain_text', 'mrkdwn']);
const actionParents = new Set(['actions', 'section', 'input']);

function storedValue(value: unknown, nextId: () => string): unknown {
  if (Array.isArray(value)) return value.map((one) => storedValue(one, nextId));
  if (!isFields(value)) return value;
  if (value.type === 'mrkdwn' && typeof value.text === 'string') {
    const verbatim = value.verbatim === true;
    return { ...value, text: storedText(value.text, { verbatim }), verbatim };
  }
  if (value.type === 'plain_text' && typeof value.text === 'string') {
    return { ...value, text: escaped(value.text), emoji: value.emoji ?? true };
  }
  const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, storedValue(one, nextId)]));
  if (typeof value.type === 'string' && actionParents.has(value.type)) fillActionIds(copy, nextId);
  return copy;
}

function fillActionIds(block: Fields, nextId: () => string): void {
  const single = [block.accessory, block.element].filter(isFields);
  for (const element of [...single, ...listAt(block, 'elements'), ...listAt(block, 'actions')]) {
    const known = stringAt(element, 'action_id');
    if (!withoutActionId.has(String(element.type)) && (known === undefined || known === '')) {
      element.action_id = nextId();
    }
  }
}
