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
  if (/^(does|did)$/.test(raw) || tokens[at + 1]?.word === "'" || /^['’]/.test(after)) return true;
  if (
    /^(assigned|assignee|by)$/.test(before) ||
    /^(of|by)$/.test(raw) ||
    (before === 'to' && /^(assigned|unassigned)$/.test(tokens[at - 2]?.word ?? ''))
  )
    return true;
  return raw === 'from' && /^(ticket|bug|task|story)$/.test(tokens[at - 2]?.word ?? '');
}
