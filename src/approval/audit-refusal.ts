import { namedByValue, readCardRef } from '../blocks/card-ref.ts';
import type { Who } from '../core/person.ts';
import * as refusals from '../store/refusals.ts';
import * as revisions from '../store/revisions.ts';
import type { ApprovalContext } from './context.ts';
import type { Refusal } from './refusal-words.ts';

/** The intent of a click, or of a message to the bot. */
export type ClickAction =
  | 'approve'
  | 'reject'
  | 'open'
  | 'stop'
  | 'rate'
  | 'revoke'
  | 'ask'
  | 'end_watch'
  | 'remove'
  | 'stop_all'
  | 'resume'
  | 'break_glass';

export type Clicked = Who & {
  readonly teamId: string;
  readonly value: string;
  /** The subject if it is not a revision: something stored, or a fixed word. */
  readonly about?: string;
};

/** Passes an answer on, after auditing a refusal. */
export async function auditRefusal<
  Answer extends { readonly ok: true } | { readonly ok: false; refusal: Refusal },
>(
  action: ClickAction,
  click: Clicked,
  context: Pick<ApprovalContext, 'db' | 'now'>,
  answer: Answer,
): Promise<Answer> {
  if (answer.ok) return answer;
  const { teamId, userId, home } = click;
  const { code } = answer.refusal;
  await refusals.record(context.db, {
    ...{ teamId, userId, at: context.now() },
    kind: code === 'bytes_changed' ? 'tampering' : 'refusal',
    subject: await subjectOf(click, code, context),
    reason: answer.refusal.code === 'not_allowed' ? answer.refusal.verdict.why : code,
    facts: {
      action,
      home,
      // The digest in the click; the log has the proposed one.
      ...(code === 'tampered' ? { clicked: readCardRef(click.value)?.digest ?? null } : {}),
    },
  });
  return answer;
}

/** Names only what is stored: a forger could name a new request with every click. */
async function subjectOf(
  { teamId, value, about }: Clicked,
  code: Refusal['code'],
  { db }: Pick<ApprovalContext, 'db'>,
): Promise<string> {
  if (about !== undefined) return about;
  const named = code === 'not_found' ? null : namedByValue(value);
  if (named === null) return 'button';
  const { requestId, number } = named;
  const isStored = code !== 'not_ours' || (await revisions.get(db, teamId, requestId, number)) !== null;
  return isStored ? `revision:${requestId}/${number}` : 'button';
}
