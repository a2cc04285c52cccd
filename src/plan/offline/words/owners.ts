import type { Token } from './token.ts';

/** "tickets of @bo", "what @bo has", "@bo's bugs": whose they are, not who is told. */
export function isOwner(tokens: readonly Token[], user: Token): boolean {
  const at = tokens.indexOf(user);
  const before = tokens[at - 1]?.word ?? '';
  const raw = tokens[at - 1]?.raw.toLowerCase() ?? '';
  const after = tokens[at + 1]?.raw.toLowerCase() ?? '';
  if (
    /^(has|own|owns|owned|works|holds|have|is working|'s|reported|opened|created|filed)$/.test(after) ||
    /['’]s$/.test(user.raw)
  )
    return true;
  if (raw === 'with' && /^(sit|sits|sitting|lie|lies|stuck|rest|rests)$/i.test(tokens[at - 2]?.raw ?? ''))
    return true;
  if (raw === 'to' && /^belong(s|ing)?$/i.test(tokens[at - 2]?.raw ?? '')) return true;
  if (after === 'is' && tokens[at + 2]?.word === 'assigned') return true;
  if (raw === 'has' && /^(still|got|open|now|currently|left|assigned)$/.test(after)) return true;
  if (/^(does|did)$/.test(raw) || tokens[at + 1]?.word === "'" || /^['’]/.test(after)) return true;
  if (
    /^(assigned|assignee|by)$/.test(before) ||
    /^(of|by)$/.test(raw) ||
    (before === 'to' && /^(assigned|unassigned)$/.test(tokens[at - 2]?.word ?? ''))
  )
    return true;
  return raw === 'from' && /^(ticket|bug|task|story)$/.test(tokens[at - 2]?.word ?? '');
}

/** "except what @bo has", "minus the P5 ones": what is left out, not what is asked for. */
export function isLeftOut(tokens: readonly Token[], thing: Token): boolean {
  const at = tokens.indexOf(thing);
  return tokens
    .slice(Math.max(0, at - 3), at)
    .some((token) => token.word === 'except' || /^(?:but not|excluding|other than)$/i.test(token.raw));
}

const speaking =
  /^(asked|asks|asking|said|says|wrote|writes|mentioned|thinks|thought|requested|complained|complains|noticed|already|told|suggested|suggests|paged|wanted|swears|claims|believes|knows|reported)$/;

/** "@bo asked for …", "#ops already knows": who said something, not who is told. */
export function isSpeaker(tokens: readonly Token[], token: Token): boolean {
  return speaking.test(tokens[tokens.indexOf(token) + 1]?.raw.toLowerCase() ?? '');
}
