import type { Message } from '../blocks/message.ts';
import { auditHeadPosted } from './words.ts';

export interface AuditHeadPort {
  /** True when a message with this key was already queued. */
  isPosted(key: string): Promise<boolean>;
  /** The end of the log, as a line that `audit verify --witness` reads; null while it is empty. */
  head(): Promise<{ readonly count: number; readonly line: string } | null>;
  post(key: string, message: Message): Promise<void>;
  readonly now: () => Date;
}

/** Posts the end of the audit log once a day across all processes: what people have seen cannot be rewritten. */
export async function postHead({ isPosted, head, post, now }: AuditHeadPort): Promise<void> {
  // The key alone prevents a second post; this check keeps the first from being replaced while it waits.
  const key = `audit:head:${now().toISOString().slice(0, 10)}`;
  if (await isPosted(key)) return;
  const found = await head();
  if (found !== null) await post(key, auditHeadPosted(found.count, found.line));
}
