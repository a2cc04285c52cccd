import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, time } from '../blocks/rich.ts';

/** Tells the operator's channel that a tool no longer matches its pin. `message` is our own text. */
export function toolSwitchedOff(message: string): Message {
  return note([message]);
}

/** Tells a channel that the bot itself was cut off. */
export function eventsHeldBack(since: Date): Message {
  return note([
    bold('I may have missed messages.'),
    ' Slack held events back from ',
    time(since.toISOString()),
    ' because too many arrived at once. If I did not answer a mention or a reply, please send it again.',
  ]);
}

const rowWords = {
  plan: ['plan', 'It cannot be approved or run; ask for it again.'],
  watch: ['watch', 'It does not look any more; end it and make it again.'],
  incident: ['followed incident', 'It is read again from PagerDuty.'],
  arrival: ['message to the bot', 'It stays in the inbox and is not worked on.'],
} as const;

/** Tells operators that a database row was tampered with. */
export function rowDamaged(kind: keyof typeof rowWords, id: string): Message {
  const [noun, then] = rowWords[kind];
  return note(
    [bold('A stored row is damaged: '), `the ${noun} `, code(id), '. ', then],
    ['Everything else goes on. Find out who can write to the database, and compare with a backup.'],
  );
}
