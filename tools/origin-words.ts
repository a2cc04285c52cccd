import type { Origin } from '../src/core/tool.ts';

/** A text with a paragraph of its own below it on who is behind it, for vendors that have no field for that. */
export function withOrigin(text: string, { requester, approver }: Origin): string {
  return `${text}\n\nRequested by ${requester}, approved by ${approver}`;
}
