import { readVerbs, writeVerbs } from './grammar.ts';
import { acronyms, functionWords } from './lexicon/known.ts';
import {
  bare,
  isServiceForm,
  listed,
  type NameContext,
  same,
  servicePlace,
  wordBefore,
} from './names-services.ts';
import type { Token, TokenKind } from './token.ts';

function named(token: Token, kind: TokenKind, word: string): Token {
  return { ...token, kind, word };
}

/** Names that "every project" stands for, at most. */
const mostNames = 10;

/** "P1 count for every project": the projects or services of this workspace, one after the other. */
function withAllNames(tokens: readonly Token[], { catalogue }: NameContext): readonly Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      /^(every|each|all)(?: of)?(?: the| our)?$/i.test(token.raw) &&
      /^(projects?|services?)$/i.test(tokens[index + 1]?.raw ?? ''),
  );
  const like = tokens[at + 1];
  const writes = tokens.some((token) =>
    /^(page|notify|close|resolve|ack|comment|move|create)$/.test(token.word),
  );
  if (catalogue.open || at < 0 || !like || writes) return tokens;
  const kind: TokenKind = /^project/i.test(like.raw) ? 'project' : 'service';
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
  return [...tokens.slice(0, at), ...listed, ...tokens.slice(at + 2)];
}

/** Turns words into project and service tokens where their form, their place or the catalogue says so. */
export function tagNames(words: readonly Token[], context: NameContext): Token[] {
  const tokens = withAllNames(words, context);
  const tagged = tokens.map((token, index) => tag(token, index, tokens, context));
  const services = new Set(tagged.filter((token) => token.kind === 'service').map((token) => token.word));
  return tagged.map((token, index) => {
    const word = token.kind === 'word' && !functionWords.has(token.word);
    const again = services.has(bare(token.raw)) && !context.vocabulary.has(token.word);
    const plain =
      (!context.vocabulary.has(token.word) && !/\burgency$/.test(token.word)) ||
      /^(search|database|notifications|logs)$/.test(bare(token.raw));
    return word && (again || (plain && listed(index, tagged)))
      ? named(token, 'service', bare(token.raw))
      : token;
  });
}

function tag(token: Token, index: number, tokens: readonly Token[], context: NameContext): Token {
  if (token.kind === 'code' || token.kind === 'id') return tagCode(token, index, tokens);
  if (token.kind === 'key' && isErrorCode(index, tokens)) {
    return named(token, 'code', token.raw);
  }
  if (token.kind === 'number' && isSpelledProject(token, index, tokens))
    return named(token, 'project', token.raw);
  if (token.kind !== 'word') return token;
  if (isSignature(token, index, tokens)) return named(token, 'code', token.raw);
  const name = bare(token.raw);
  const receiver = receiverOf(name, token, index, tokens, context);
  if (receiver) return receiver;
  const project = projectOf(name, token, index, tokens, context);
  const home = context.catalogue.services.find((service) => same(service.name, name))?.project;
  if (home !== undefined && project === null && hasTickets(index, tokens))
    return named(token, 'project', home);
  if (servicePlace(index, tokens, context)) {
    const known = context.catalogue.services.find((service) => same(service.name, name));
    if (known) return named(token, 'service', known.name);
    if (project === null || context.catalogue.open) return named(token, 'service', name);
  }
  if (project !== null) return named(token, 'project', project);
  if (isServiceForm(name, index, tokens, context)) return named(token, 'service', name);
  return token;
}

/** "the error signature NullTenantContext": a name of several words, behind what says that it is an error. */
function isSignature(token: Token, index: number, tokens: readonly Token[]): boolean {
  const humps = /^[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+$/.test(token.raw);
  return humps && /^(error|code|exception|signature|mean|explain)$/.test(wordBefore(tokens, index));
}

/** "if checkout has P1s", "P1s of checkout": the tickets of a service are those of its project. */
function hasTickets(index: number, tokens: readonly Token[]): boolean {
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
function receiverOf(
  name: string,
  token: Token,
  index: number,
  tokens: readonly Token[],
  context: NameContext,
): Token | null {
  const { catalogue, vocabulary } = context;
  if (catalogue.open || (vocabulary.has(token.word) && token.word !== 'general')) return null;
  const before = wordBefore(tokens, index);
  const tells = tokens
    .slice(Math.max(0, index - 6), index)
    .some((other) => /^(post|tell|notify|add|let)$/.test(other.word));
  const channel = catalogue.channels.find((entry) => same(entry.name, name));
  if (channel && tells && /^(to|in|into|on)$/.test(before))
    return named(token, 'channel', `#${channel.name}`);
  const person = catalogue.people.find((entry) => same(entry.handle, name));
  const told = /^(post|tell|let|ask)$/.test(before) || (tells && before === 'to') || /^assign/.test(before);
  return person && told ? named(token, 'user', `@${person.handle}`) : null;
}

/** "open P1 in TEN": a project whose key is a number in words. */
function isSpelledProject(token: Token, index: number, tokens: readonly Token[]): boolean {
  return (
    /^[A-Z]{3,9}$/.test(token.raw) &&
    (/^(in|of|for|project|from|count)$/.test(tokens[index - 1]?.word ?? '') ||
      /^(ticket|bug|story|task|project)$/.test(tokens[index + 1]?.word ?? ''))
  );
}

/** "DB-1042, that's an error code". */
function saysCode(index: number, tokens: readonly Token[]): boolean {
  const after = tokens.slice(index + 1, index + 7);
  const is = after.findIndex((token) => /^(that's|it's|its|is|thats)$/.test(token.word));
  return (
    is >= 0 &&
    is <= 2 &&
    after.slice(is).some((token) => token.word === 'code') &&
    after.every((token) => token.kind !== 'key')
  );
}

/** An error code that looks like an issue key: the words around it say so. */
function isErrorCode(index: number, tokens: readonly Token[]): boolean {
  const before = tokens.slice(Math.max(0, index - 3), index).map((other) => other.word);
  const near = tokens[index - 1]?.word ?? '';
  const after = tokens[index + 1]?.word ?? '';
  const noTicket = tokens.some(
    (other, at) =>
      /^not( a)?$|^do-not$/.test(other.word) &&
      tokens.slice(at + 1, at + 3).some((next) => next.word === 'ticket'),
  );
  return (
    /^(error|code|exception|mean)$/.test(near) ||
    (before.includes('mean') && /^(for|of|the|is|code)$/.test(near)) ||
    after === 'mean' ||
    /^(error|code|exception)$/.test(after) ||
    (/^(is|the|:|=|was|§)$/.test(near) && before.some((word) => /^(error|code)$/.test(word))) ||
    saysCode(index, tokens) ||
    (noTicket && tokens.some((other) => /^(error|code|mean)$/.test(other.word)))
  );
}

function tagCode(token: Token, index: number, tokens: readonly Token[]): Token {
  const before = tokens.slice(Math.max(0, index - 3), index).map((other) => other.word);
  const near = (pattern: RegExp): boolean => before.some((word) => pattern.test(word));
  if (near(/^(incident|ack|note)$/)) return named(token, 'id', token.word);
  const counted = tokens
    .slice(Math.max(0, index - 6), index)
    .some((other) => other.kind === 'priority' || /^(ticket|bug|story|task)$/.test(other.word));
  if (
    token.kind === 'id' &&
    /^[A-Z]{2,9}\d$/.test(token.raw) &&
    counted &&
    /^(in|of|for|from)$/.test(before.at(-1) ?? '')
  )
    return named(token, 'project', token.raw);
  if (token.kind === 'id' && near(/^(error|code|exception|explain|mean)$/))
    return named(token, 'code', token.word);
  return token;
}

/** "sla check web", "for payments": a project of this workspace, in small letters, where tickets or limits are spoken of. */
function isNamedPlainly(
  name: string,
  token: Token,
  index: number,
  tokens: readonly Token[],
  context: NameContext,
): boolean {
  if (context.catalogue.open || context.vocabulary.has(token.word) || functionWords.has(token.word))
    return false;
  const service = context.catalogue.services.some((entry) => same(entry.name, name));
  const about = tokens.some(
    (other) => /^(sla|threshold|ticket|bug|story|task)$/.test(other.word) || other.kind === 'priority',
  );
  const written = /^(to|tell|notify|page|post|on|@)$/.test(wordBefore(tokens, index));
  return !service && about && !written && tokens[index + 1]?.word !== 'on-call';
}

/** "once QA is under 12 open bugs", "the open bug total of AND": an acronym or a small word where tickets are counted. */
function isCountedProject(name: string, index: number, tokens: readonly Token[]): boolean {
  const things = (from: number, to: number): boolean =>
    tokens
      .slice(Math.max(0, from), to)
      .some((other) => other.kind === 'priority' || /^(ticket|bug|story|task)$/.test(other.word));
  const after = tokens.slice(index + 1, index + 4);
  const compared =
    /^(is|has|goes|gets|drops|climbs)$/.test(after[0]?.raw.toLowerCase() ?? '') &&
    after.some((other) => other.kind === 'number') &&
    things(index + 2, index + 8);
  const ends = tokens[index + 1] === undefined || tokens[index + 1]?.kind === 'mark';
  const listed =
    /^(and|,)$/.test(tokens[index - 1]?.word ?? '') &&
    /^[A-Z][A-Z0-9]+$/.test(tokens[index - 2]?.raw ?? '') &&
    /^(of|for|in|from|,)$/i.test(tokens[index - 3]?.raw ?? '');
  const owned =
    (listed || /\b(of|for|in|from)$/i.test(tokens[index - 1]?.raw ?? '')) && things(index - 8, index);
  return name.length > 1 && !/^(SLA|SQL|KQL|PD|DB)$/.test(name) && (compared || (ends && owned));
}

function projectOf(
  name: string,
  token: Token,
  index: number,
  tokens: readonly Token[],
  context: NameContext,
): string | null {
  const { catalogue } = context;
  const before = wordBefore(tokens, index);
  const after = tokens[index + 1]?.word ?? '';
  const upper = /^[A-Z][A-Z0-9_]{1,9}$/.test(name);
  const known = catalogue.projects.find(
    (project) => same(project.key, name) || project.aliases.some((alias) => same(alias, name)),
  );
  const place =
    /^(in|for|from|project|on)$/.test(before) || /^(ticket|bug|story|task|project|epic|has)$/.test(after);
  if (
    known &&
    (place || upper || isNamedPlainly(name, token, index, tokens, context)) &&
    !(context.shouting && context.vocabulary.has(token.word) && !place)
  )
    return known.key;
  const things =
    tokens[index + 1]?.kind === 'priority' ||
    /^(open|ticket|bug|blocked|unassigned)$/.test(tokens[index + 1]?.word ?? '');
  const orders = index === 0 && !things && (writeVerbs.has(token.word) || readVerbs.has(token.word));
  const candidate = upper && !context.shouting && !orders;
  if (candidate && !acronyms.has(name)) return name;
  if (upper && /^(in|project)$/.test(before) && !context.vocabulary.has(token.word)) return name;
  if (upper && context.shouting && !context.vocabulary.has(token.word) && !acronyms.has(name)) return name;
  if (
    candidate &&
    place &&
    (/^(in|project)$/.test(before) ||
      /^(ticket|bug|story|task|epic)$/.test(after) ||
      tokens[index + 1]?.kind === 'priority') &&
    name.length > 2 &&
    !/^(SLA|SLAS|SQL|KQL|SPL|UTC|AWS|USA|API|HTTP|HTTPS|DNS|TLS|SSL|CPU|FYI|ASAP|OOM|ALL|ANY|NEW|THE|NOT|AND|WIP|TODO)$/.test(
      name,
    )
  )
    return name;
  if (candidate && isCountedProject(name, index, tokens)) return name;
  const lower = /^[a-z][a-z0-9]{1,8}$/.test(name) && catalogue.open && !context.vocabulary.has(token.word);
  const beside = (other: Token | undefined): boolean =>
    other?.kind === 'priority' || other?.word === 'open' || other?.word === 'ticket' || other?.word === 'bug';
  const terse =
    tokens.length <= 6 &&
    tokens.some((other) => other.kind === 'priority') &&
    !tokens.some((other) => /^[A-Z]{2,}$/.test(other.raw));
  const end =
    tokens[index + 1] === undefined || tokens[index + 1]?.kind === 'mark' || beside(tokens[index + 1]);
  if (
    lower &&
    terse &&
    end &&
    (beside(tokens[index - 1]) || (index === 0 && beside(tokens[1]))) &&
    !functionWords.has(token.word)
  )
    return name.toUpperCase();
  const ticketsBefore = tokens
    .slice(0, index)
    .some((other) => /^(ticket|bug|story|task|epic)$/.test(other.word) || other.kind === 'priority');
  if (lower && before === 'project') return name.toUpperCase();
  const elsewhere = tokens.some(
    (other) => /^[A-Z]{2,}[A-Z0-9]*$/.test(other.raw) && !acronyms.has(other.raw),
  );
  if (lower && before === 'in' && ticketsBefore && !elsewhere && !functionWords.has(token.word))
    return name.toUpperCase();
  return null;
}
