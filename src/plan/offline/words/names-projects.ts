import { readVerbs, writeVerbs } from './grammar.ts';
import { acronyms, functionWords } from './lexicon/known.ts';
import { type NameContext, same, wordBefore } from './names-services.ts';
import type { Token } from './token.ts';

/** "open P1 in TEN": a project whose key is a number in words. */
export function isSpelledProject(token: Token, index: number, tokens: readonly Token[]): boolean {
  return (
    /^[A-Z]{3,9}$/.test(token.raw) &&
    (/^(in|of|for|project|from|count)$/.test(tokens[index - 1]?.word ?? '') ||
      /^(ticket|bug|story|task|project)$/.test(tokens[index + 1]?.word ?? ''))
  );
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
    (other) =>
      /^(sla|threshold|ticket|bug|story|task|breached|at-risk)$/.test(other.word) ||
      other.kind === 'priority',
  );
  const counted =
    tokens[index + 1]?.kind === 'priority' ||
    /^(ticket|bug|sla|threshold|count)$/.test(tokens[index + 1]?.word ?? '');
  const written = !counted && /^(to|tell|notify|page|post|on|@)$/.test(wordBefore(tokens, index));
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
  const asked = /^(does|has)$/i.test(tokens[index - 1]?.raw ?? '') && things(index + 1, index + 7);
  const ends =
    tokens[index + 1] === undefined ||
    tokens[index + 1]?.kind === 'mark' ||
    (tokens[index + 1]?.word === 'and' && /^[A-Z]{2,}$/.test(tokens[index + 2]?.raw ?? ''));
  const listed =
    /^(and|,)$/.test(tokens[index - 1]?.word ?? '') &&
    /^[A-Z][A-Z0-9]+$/.test(tokens[index - 2]?.raw ?? '') &&
    /^(of|for|in|from|,)$/i.test(tokens[index - 3]?.raw ?? '');
  const owned =
    (listed || /\b(of|for|in|from)$/i.test(tokens[index - 1]?.raw ?? '')) && things(index - 8, index);
  return name.length > 1 && !/^(SLA|SQL|KQL|PD|DB)$/.test(name) && (compared || asked || (ends && owned));
}

export function projectOf(
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
    /^(open|ticket|bug|blocked|unassigned|needs|wants)$/.test(tokens[index + 1]?.word ?? '');
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
