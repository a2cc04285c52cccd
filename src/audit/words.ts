import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code } from '../blocks/rich.ts';

/** The end of the audit log, for people to keep and for `audit verify --witness` to compare. */
export function auditHeadPosted(count: number, line: string): Message {
  return note(
    [
      bold('Audit log: '),
      `${count} lines so far. Keep this post: it can prove later that no line was changed or cut.`,
    ],
    [code(line)],
  );
}
