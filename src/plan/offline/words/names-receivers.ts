import { named } from './names-codes.ts';
import { type NameContext, same, wordBefore } from './names-services.ts';
import type { Token } from './token.ts';

/** A channel of this workspace, however its name is written; capitals alone are a project. */
function channelOf(token: Token, { catalogue }: NameContext): Token | null {
  if (/^[A-Z0-9_]{2,}$/.test(token.raw)) return null;
  const channel = catalogue.channels.find((entry) => same(entry.name, token.raw));
  return channel ? named(token, 'channel', `#${channel.name}`) : null;
}

function personOf(token: Token, { catalogue }: NameContext): Token | null {
  const handle = token.raw.replace(/['’]s$/i, '');
  const person = catalogue.people.find((entry) => same(entry.handle, handle));
  return person ? named(token, 'user', `@${person.handle}`) : null;
}

/** "tell ops who is on call": whom, and not the on-call of ops. */
function isOncall(token: Token | undefined): boolean {
  return token?.word === 'on-call' && !/\bwho/i.test(token.raw);
}

/** "post to general", "tell incidents that …", "send ben a dm": who is told, without its sign. */
export function receiverOf(
  token: Token,
  index: number,
  tokens: readonly Token[],
  context: NameContext,
): Token | null {
  if (context.catalogue.open || isOncall(tokens[index + 1])) return null;
  const before = wordBefore(tokens, index);
  const earlier = tokens.slice(Math.max(0, index - 12), index);
  const tells = earlier.some((other) => /^(post|tell|notify|add|let|summary|list)$/.test(other.word));
  const direct = /^(tell|let|otherwise)$/.test(before) || (before === 'notify' && !isService(token, context));
  const placed = before === 'to' || (tells && /^(in|into|on)$/.test(before) && !isProject(token, context));
  const channel = direct || placed ? channelOf(token, context) : null;
  if (channel) return channel;
  const told =
    /^(post|tell|let|ask|otherwise)$/.test(before) ||
    (tells && /^(to|with)$/.test(before)) ||
    /^assign/.test(before) ||
    (before === 'to' && tokens[index - 2]?.word === 'unassigned');
  const branch = before === 'and' && tokens[index + 1]?.word === 'if' && tells;
  const owns = /['’]s$/i.test(token.raw) || /^(of|by)$/i.test(tokens[index - 1]?.raw ?? '');
  return told || owns || branch ? personOf(token, context) : null;
}

function isService(token: Token, { catalogue }: NameContext): boolean {
  return catalogue.services.some((entry) => same(entry.name, token.raw));
}

function isProject(token: Token, { catalogue }: NameContext): boolean {
  return catalogue.projects.some((entry) => same(entry.key, token.raw));
}

const says = /^(is|are|was|has|have|keeps|returns|looks|seems|went|already|knows|needs|should|on-call)$/;

/** "tell ben and dev", "post to general, ops": everybody in a list is told, not only the first. */
export function withListedReceivers(tokens: readonly Token[], context: NameContext): Token[] {
  const out: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    const joiners = out
      .slice(-2)
      .filter((other) => /^(and|,|&|also)$/.test(other.word) && !isThing(other)).length;
    const first = out.at(-1 - (isThing(out.at(-1)) ? 0 : joiners));
    const follows = first !== undefined && /^(channel|user)$/.test(first.kind);
    const plain =
      /^(word|service|project)$/.test(token.kind) && !says.test(tokens[index + 1]?.raw.toLowerCase() ?? '');
    const more =
      follows && plain && !context.catalogue.open
        ? (personOf(token, context) ?? channelOf(token, context))
        : null;
    out.push(more ?? token);
  }
  return out;
}

function isThing(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'word' && token.kind !== 'mark';
}
