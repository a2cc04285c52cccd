import { type NameContext, wordBefore } from './names-services.ts';
import type { Token, TokenKind } from './token.ts';

/** Names that "every project" stands for, at most. */
const mostNames = 10;

/** "P1 count for every project": the projects or services of this workspace, one after the other. */
export function withAllNames(tokens: readonly Token[], { catalogue }: NameContext): readonly Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      /^(every|each|all|any)(?: of)?(?: the| our)?$/i.test(token.raw) &&
      /^(projects?|services?)$/i.test(tokens[index + 1]?.raw ?? ''),
  );
  const joined = tokens.findIndex((token) =>
    /^(?:every|each|any|all(?: of)?(?: the| our)?) (?:projects?|services?)$/i.test(token.raw),
  );
  const place = at >= 0 ? at : joined;
  const like = at >= 0 ? tokens[at + 1] : tokens[joined];
  const writes = tokens.some((token) =>
    /^(page|notify|close|resolve|ack|comment|move|create)$/.test(token.word),
  );
  const decides = tokens.slice(0, Math.max(place, 0)).some((token) => /^(if|unless)$/.test(token.word));
  if (catalogue.open || place < 0 || !like || (writes && !decides)) return tokens;
  const kind: TokenKind = /projects?$/i.test(like.raw) ? 'project' : 'service';
  const rest = tokens.slice(at >= 0 ? place + 2 : place + 1);
  const without = /^(?:except|but|without|excluding)/i.test(rest[0]?.raw ?? '')
    ? rest[1]?.raw.toLowerCase()
    : undefined;
  const known =
    kind === 'project'
      ? catalogue.projects.map(({ key }) => key)
      : catalogue.services.map(({ name }) => name);
  const names = known.filter((name) => name.toLowerCase() !== without);
  if (names.length === 0 || names.length > mostNames) return tokens;
  const any = /^any/i.test(tokens[place]?.raw ?? '');
  const said = decides ? (any ? 'or' : 'and') : ',';
  const comma: Token = { ...like, kind: decides ? 'word' : 'mark', word: said, raw: said };
  const listed = names.flatMap((name, index) => [
    ...(index > 0 ? [comma] : []),
    { ...like, kind, word: name },
  ]);
  const each: Token[] = decides
    ? [{ ...like, kind: 'word', word: any ? 'either' : 'both', raw: any ? 'either' : 'each' }]
    : [];
  return [
    ...tokens.slice(0, place),
    ...each,
    ...listed,
    ...(without && names.length < known.length ? rest.slice(2) : rest),
  ];
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

/** "payments alerts", "web shop": names of this workspace that are written as several words. */
export function withJoinedNames(tokens: readonly Token[], { catalogue }: NameContext): readonly Token[] {
  if (catalogue.open) return tokens;
  const names = [
    ...catalogue.channels.map(({ name }) => name),
    ...catalogue.services.map(({ name }) => name),
    ...catalogue.projects.flatMap(({ aliases }) => aliases),
  ].filter((name) => /[-_ ]/.test(name));
  const spoken = new Map(names.map((name) => [name.toLowerCase().replace(/[-_]/g, ' '), name]));
  const out: Token[] = [];
  for (const token of tokens) {
    out.push(token);
    for (const length of [3, 2]) {
      const words = out.slice(-length);
      const [first] = words;
      const name = spoken.get(words.map((word) => word.raw.toLowerCase()).join(' '));
      if (!first || name === undefined || words.some((word) => word.kind !== 'word')) continue;
      out.splice(-length, length, { ...first, word: name, raw: name, end: token.end });
      break;
    }
  }
  return out;
}
