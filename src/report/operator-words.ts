import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, time } from '../blocks/rich.ts';

/** What the operator's channel is told when a tool is not what was pinned any more. `message` is ours. */
export function toolSwitchedOff(message: string): Message {
  return note([message]);
}

/** What a channel is told when the bot itself was cut off. */
export function eventsHeldBack(since: Date): Message {
  return note([
    bold('I may have missed messages.'),
    ' Slack held events back from ',
    time(since.toISOString()),
    ' because too many arrived at once. If I did not answer a mention or a reply, please send it again.',
  ]);
}
