import type { Message } from '../blocks/message.ts';
import { auditHeadPosted } from './audit-words.ts';

export interface AuditHeadPort {
  /** True when a message with this key was queued before. */
  isPosted(key: string): Promise<boolean>;
  /** Where the log ends, as a line that `audit verify --witness` reads; null while it is empty. */
  head(): Promise<{ readonly count: number; readonly line: string } | null>;
  post(key: string, message: Message): Promise<void>;
  readonly now: () => Date;
}

/** Posts the end of the audit log, once a day over all processes: what people have seen nobody can rewrite. */
export async function postHead({ isPosted, head, post, now }: AuditHeadPort): Promise<void> {
  // The key makes a second one impossible; this look keeps the first from being replaced while it waits.
  const key = `audit:head:${now().toISOString().slice(0, 10)}`;
  if (await isPosted(key)) return;
  const found = await head();
  if (found !== null) await post(key, auditHeadPosted(found.count, found.line));
}
