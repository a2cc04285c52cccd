import { cut, head, visibleText } from '../core/clean-text.ts';
import { planLimits } from '../core/plan.ts';
import { messageGoal, type Request, type Via } from '../core/request.ts';

/** A raw request as it arrives from a surface. */
export interface Incoming {
  readonly teamId: string;
  readonly text: string;
  readonly via: Via;
  readonly requester: string;
  readonly channel: string;
  readonly threadTs: string | null;
  readonly quoted: string | null;
}

export type Refusal = 'empty' | 'too_long';

export type Accepted =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly why: Refusal };

/**
 * The text the person meant: control and direction characters removed, line ends as \n, Slack's escapes and references
 * resolved (`<#C1|ops>` is #ops, `<@U1|ana>` is @ana, `<https://x|x>` is its address).
 */
export function cleanText(text: string): string {
  return visibleText(text)
    .replace(/<#[CG][A-Z0-9]+\|([^<>]*)>/g, '#$1')
    .replace(/<@[UW][A-Z0-9]+\|([^<>]*)>/g, '@$1')
    .replace(/<(https?:[^|<>]*)(\|[^<>]*)?>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}

/** Maximum characters of a text including escapes: Slack's own message limit. */
const maxRaw = 40_000;

/** Turns an arrival into a request with an id, or says why not. Stores and sends nothing. */
export function acceptRequest(
  incoming: Incoming,
  about: {
    readonly id: string;
    readonly now: Date;
  },
): Accepted {
  if (incoming.text.length > maxRaw) return { ok: false, why: 'too_long' };
  const goal = cleanText(incoming.text);
  if (goal === '' && !incoming.quoted?.trim()) return { ok: false, why: 'empty' };
  if (goal.length > planLimits.goal) return { ok: false, why: 'too_long' };
  const { teamId, via, requester, channel, threadTs } = incoming;
  const quoted =
    incoming.quoted === null ? null : cut(cleanText(head(incoming.quoted, maxRaw)), planLimits.text);
  const request: Request = {
    teamId,
    id: about.id,
    goal: goal === '' ? messageGoal : goal,
    via,
    requester,
    channel,
    threadTs,
    quoted,
    createdAt: about.now,
  };
  return { ok: true, request };
}
