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

/** An apostrophe as phones type it: “don’t” is the word that everything here knows as "don't". */
const apostrophe = /(?<=\p{L})’(?=\p{L})/gu;
/** A reference or link between < and >, with its label. */
const markup = /<([@#!]|(?:https?:|mailto:|tel:))([^<>|]*)(?:\|([^<>]*))?>/g;

/**
 * The text the person meant: control and direction characters removed, line ends as \n, apostrophes plain, Slack's
 * escapes and references resolved (`<#C1|ops>` is #ops, `<!subteam^S1|sre>` is @sre, `<https://x.test/a|this>` is this
 * with its address).
 */
export function cleanText(text: string): string {
  return visibleText(text)
    .replace(markup, (_whole, sign: string, of: string, label = '') => plainOf(sign, of, label))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(apostrophe, "'")
    .trim();
}

function plainOf(sign: string, of: string, label: string): string {
  if (sign === '@' || sign === '#') return `${sign}${label || of}`;
  if (sign === '!') {
    // `<!date^1392734382^{date}|18 Feb>` is what Slack would show.
    const isDate = of.startsWith('date^');
    return isDate ? label : `@${(label || of.replace('subteam^', '')).replace(/^@/, '')}`;
  }
  if (!sign.startsWith('http')) return label || of;
  const address = `${sign}${of}`;
  const isSame = label === '' || label === address;
  // Slack makes a link of a name such as acme.example.
  const isTyped = [of.slice(2), of.slice(2).replace(/\/$/, '')].includes(label);
  return isSame ? address : isTyped ? label : `${label} (${address})`;
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
