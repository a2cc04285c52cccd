import { namedByValue, readCardRef } from '../blocks/card-ref.ts';
import type { JsonObject } from '../core/json.ts';
import type { Who } from '../core/person.ts';
import type { Revisions } from './ports.ts';
import type { Refusal } from './refusal-words.ts';

/** The intent of a click, or of a message to the bot. */
export type ClickAction =
  | 'approve'
  | 'reject'
  | 'open'
  | 'stop'
  | 'revoke'
  | 'ask'
  | 'end_watch'
  | 'remove'
  | 'stop_all'
  | 'resume'
  | 'break_glass';

/** A refused click, as recorded in the audit log. */
export interface RefusedClick {
  readonly teamId: string;
  readonly at: Date;
  readonly userId: string;
  /** `tampering`: the stored plan itself was changed, whoever clicked. */
  readonly kind: 'refusal' | 'tampering';
  /** `revision:<request>/<number>`, another subject, or `button` if the value names nothing that is stored. */
  readonly subject: string;
  readonly reason: string;
  readonly facts: JsonObject;
}

export interface Noting {
  readonly revisions: Pick<Revisions, 'exists'>;
  readonly now: () => Date;
  /** Records it in the audit log; repetitions are recorded once. */
  readonly refused: (click: RefusedClick) => Promise<void>;
}

export type Clicked = Who & {
  readonly teamId: string;
  readonly value: string;
  /** The subject if it is not a revision: something stored, or a fixed word. */
  readonly about?: string;
};

/** Passes an answer on, after auditing a refusal. */
export async function noted<Answer extends { readonly ok: true } | { readonly ok: false; refusal: Refusal }>(
  action: ClickAction,
  click: Clicked,
  deps: Noting,
  answer: Answer,
): Promise<Answer> {
  if (answer.ok) return answer;
  const { teamId, userId, home } = click;
  const { code } = answer.refusal;
  await deps.refused({
    ...{ teamId, userId, at: deps.now() },
    kind: code === 'bytes_changed' ? 'tampering' : 'refusal',
    subject: await subjectOf(click, code, deps),
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
  { revisions }: Noting,
): Promise<string> {
  if (about !== undefined) return about;
  const named = code === 'not_found' ? null : namedByValue(value);
  if (named === null) return 'button';
  const { requestId, number } = named;
  const isStored = code !== 'not_ours' || (await revisions.exists(teamId, requestId, number));
  return isStored ? `revision:${requestId}/${number}` : 'button';
}
