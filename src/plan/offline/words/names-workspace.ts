import { named } from './names-codes.ts';
import { type NameContext, same, wordBefore } from './names-services.ts';
import type { Token, TokenKind } from './token.ts';

/** Names that "every project" stands for, at most. */
const mostNames = 10;

/** "P1 count for every project": the projects or services of this workspace, one after the other. */
export function withAllNames(tokens: readonly Token[], { catalogue }: NameContext): readonly Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      /^(every|each|all)(?: of)?(?: the| our)?$/i.test(token.raw) &&
      /^(projects?|services?)$/i.test(tokens[index + 1]?.raw ?? ''),
  );
  const joined = tokens.findIndex((token) =>
    /^(?:every|each|all(?: of)?(?: the| our)?) (?:projects?|services?)$/i.test(token.raw),
  );
  const place = at >= 0 ? at : joined;
  const like = at >= 0 ? tokens[at + 1] : tokens[joined];
  const writes = tokens.some((token) =>
    /^(page|notify|close|resolve|ack|comment|move|create)$/.test(token.word),
  );
  if (catalogue.open || place < 0 || !like || writes) return tokens;
  const kind: TokenKind = /projects?$/i.test(like.raw) ? 'project' : 'service';
  const names =
    kind === 'project'
      ? catalogue.projects.map(({ key }) => key)
      : catalogue.services.map(({ name }) => name);
  if (names.length === 0 || names.length > mostNames) return tokens;
  const comma: Token = { ...like, kind: 'mark', word: ',', raw: ',' };
  const listed = names.flatMap((name, index) => [
    ...(index > 0 ? [comma] : []),
    { ...like, kind, word: name },
  ]);
  return [...tokens.slice(0, place), ...listed, ...tokens.slice(at >= 0 ? place + 2 : place + 1)];
}

/** "if checkout has P1s", "P1s of checkout": the tickets of a service are those of its project. */
export function hasTickets(index: number, tokens: readonly Token[]): boolean {
  const tickets = (part: readonly Token[]): boolean =>
    part.some((other) => other.kind === 'priority' || /^(ticket|bug|story|task)$/.test(other.word)) &&
    !part.some((other) => /^(incident|error|page)$/.test(other.word) || other.kind === 'mark');
  const has = /^(has|have|had)$/.test(tokens[index + 1]?.word ?? '');
  const of =
    /^(of|in|for)$/.test(wordBefore(tokens, index)) || /\b(of|in|for)$/i.test(tokens[index - 1]?.raw ?? '');
  return (
    (has && tickets(tokens.slice(index + 2, index + 7))) ||
    (of && tickets(tokens.slice(Math.max(0, index - 4), index)))
  );
}

/** "post to general", "send ben a dm": a channel or a person of this workspace without its sign. */
export function receiverOf(
  name: string,
  token: Token,
  index: number,
  tokens: readonly Token[],
  context: NameContext,
): Token | null {
  const { catalogue, vocabulary } = context;
  const direct = tokens[index - 1]?.word === 'to' && tokens[index - 2]?.word === 'post';
  if (catalogue.open || (vocabulary.has(token.word) && !direct)) return null;
  const before = wordBefore(tokens, index);
  const tells = tokens
    .slice(Math.max(0, index - 6), index)
    .some((other) => /^(post|tell|notify|add|let)$/.test(other.word));
  // "Tickets in OPS" are those of a project, whatever the channels are called.
  const channel = catalogue.channels.find((entry) => entry.name === name);
  if (channel && tells && /^(to|in|into|on)$/.test(before))
    return named(token, 'channel', `#${channel.name}`);
  const person = catalogue.people.find((entry) => same(entry.handle, name));
  const told = /^(post|tell|let|ask)$/.test(before) || (tells && before === 'to') || /^assign/.test(before);
  return person && told ? named(token, 'user', `@${person.handle}`) : null;
}
