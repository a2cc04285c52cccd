import { functionWords } from './lexicon/known.ts';
import { isErrorCode, isSignature, named, tagCode } from './names-codes.ts';
import { isSpelledProject, projectOf } from './names-projects.ts';
import { receiverOf, withListedReceivers } from './names-receivers.ts';
import { bare, isServiceForm, listed, type NameContext, same, servicePlace } from './names-services.ts';
import { hasTickets, withAllNames, withJoinedNames } from './names-workspace.ts';
import type { Token } from './token.ts';

/** Turns words into project and service tokens where their form, their place or the catalogue says so. */
export function tagNames(words: readonly Token[], context: NameContext): Token[] {
  const tokens = withAllNames(withJoinedNames(words, context), context);
  const tagged = withListedReceivers(
    tokens.map((token, index) => tag(token, index, tokens, context)),
    context,
  );
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
  const receiver = receiverOf(token, index, tokens, context);
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
