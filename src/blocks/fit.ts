import { CountersignError } from '../core/errors.ts';
import { limits } from './limits.ts';
import type { Block, Home, Message, Modal } from './message.ts';
import { noticeBlock } from './note.ts';
import { italic, line, rich } from './rich.ts';

/** One limit that is exceeded, at a place like `blocks[3].elements[0].value`. */
export interface Misfit {
  readonly at: string;
  readonly message: string;
}

export class BlocksError extends CountersignError {}

type Fields = Readonly<Record<string, unknown>>;

const textMax: Readonly<Record<string, number>> = {
  header: limits.header,
  section: limits.sectionText,
  button: limits.buttonText,
  input: limits.inputLabel,
};
const listMax: Readonly<Record<string, number>> = {
  'context.elements': limits.contextElements,
  'actions.elements': limits.actionElements,
  'section.fields': limits.sectionFields,
  'static_select.options': limits.options,
  'checkboxes.options': limits.checkboxes,
};
const stringMax: Readonly<Record<string, number>> = {
  action_id: limits.actionId,
  block_id: limits.blockId,
  value: limits.buttonValue,
  initial_value: limits.inputText,
};

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Characters Slack counts for the blocks of one message. */
export function sizeOf(blocks: readonly Block[]): number {
  return JSON.stringify(blocks).length;
}

/** Reasons why Slack would reject these blocks; empty if they fit. */
export function fitBlocks(blocks: readonly Block[], surface: 'message' | 'view'): Misfit[] {
  const found: Misfit[] = [];
  const max = surface === 'message' ? limits.messageBlocks : limits.viewBlocks;
  if (blocks.length > max) found.push(over('blocks', blocks.length, max));
  const room = surface === 'message' ? limits.messageJson : limits.viewJson;
  if (sizeOf(blocks) > room) found.push(over('blocks', sizeOf(blocks), room));
  walk(blocks, 'blocks', '', found);
  found.push(...repeated(blocks));
  return found;
}

function walk(value: unknown, at: string, parent: string, found: Misfit[]): void {
  if (Array.isArray(value)) {
    const max = listMax[`${parent}.${at.slice(at.lastIndexOf('.') + 1)}`];
    if (max !== undefined && value.length > max) found.push(over(at, value.length, max));
    value.forEach((item, index) => {
      walk(item, `${at}[${index}]`, parent, found);
    });
    return;
  }
  if (!isFields(value)) return;
  const type = typeof value.type === 'string' ? value.type : parent;
  if ((type === 'plain_text' || type === 'mrkdwn') && typeof value.text === 'string') {
    if (value.text === '') found.push({ at: `${at}.text`, message: 'is empty' });
    const max = at.endsWith('].text') || at.endsWith('.label') ? (textMax[parent] ?? 3_000) : 3_000;
    if (value.text.length > max) found.push(over(at, value.text.length, max));
  }
  for (const [name, child] of Object.entries(value)) {
    const max = stringMax[name];
    if (typeof child === 'string' && max !== undefined && child.length > max) {
      found.push(over(`${at}.${name}`, child.length, max));
    }
    walk(child, `${at}.${name}`, type, found);
  }
}

function repeated(blocks: readonly Block[]): Misfit[] {
  const ids = blocks.map((block) => block.block_id).filter((id) => id !== undefined);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return twice.map((id) => ({ at: 'blocks', message: `block_id ${id} is used twice` }));
}

function over(at: string, is: number, max: number): Misfit {
  return { at, message: `${is} where ${max} is the most` };
}

function refuse(what: string, misfits: readonly Misfit[]): void {
  const first = misfits[0];
  if (!first) return;
  throw new BlocksError('blocks_do_not_fit', `The ${what} does not fit Slack: ${first.at} ${first.message}`, {
    misfits: misfits.slice(0, 5).map(({ at, message }) => `${at}: ${message}`),
  });
}

/** Throws a BlocksError instead of letting Slack reject the message. */
export function assertMessageFits(message: Message): void {
  const tooLong = message.text.length > limits.messageText;
  const text = tooLong ? [over('text', message.text.length, limits.messageText)] : [];
  refuse('message', [...text, ...fitBlocks(message.blocks, 'message')]);
}

export function assertViewFits(view: Modal | Home): void {
  const misfits = fitBlocks(view.blocks.filter(isKnown), 'view');
  const metadata = view.private_metadata?.length ?? 0;
  if (metadata > limits.privateMetadata) {
    misfits.push(over('private_metadata', metadata, limits.privateMetadata));
  }
  if (view.type === 'modal') {
    for (const part of ['title', 'submit', 'close'] as const) {
      const length = view[part]?.text.length ?? 0;
      if (length > limits.viewTitle) misfits.push(over(part, length, limits.viewTitle));
    }
  }
  refuse('view', misfits);
}

function isKnown(block: { type: string }): block is Block {
  return block.type !== '';
}

/** A message that Slack accepts: itself, or its first blocks and a line that says that more is missing. */
export function shortened(message: Message): Message {
  if (fits(message.blocks)) return message;
  let count = message.blocks.length - 1;
  while (count > 0 && !fits([...message.blocks.slice(0, count), missing])) count -= 1;
  const begins = count === 0 ? [noticeBlock(message)] : message.blocks.slice(0, count);
  return { text: message.text, blocks: [...begins, missing] };
}

const missing = rich([line(italic('The rest is left out: this message was longer than Slack takes.'))]);

function fits(blocks: readonly Block[]): boolean {
  return fitBlocks(blocks, 'message').length === 0;
}
