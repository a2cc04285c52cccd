import { fitBlocks } from './fit.ts';
import type { Block, Message } from './message.ts';
import { noticeBlock } from './note.ts';
import { italic, line, rich } from './rich.ts';

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
