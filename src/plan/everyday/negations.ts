import type { Manifest } from '../../core/manifest.ts';
import type { Plan, Step } from '../../core/plan.ts';
import { emptyWords } from './empty-words.ts';
import type { Token } from './tokens.ts';

/** A "not" that the plan ignores turns it into its opposite, however sure the network is. */

const denying =
  /^(?:not|no|don't|dont|doesn't|doesnt|didn't|do-not|never|nobody|none|zero|without|w\/o|unless|except|isn't|isnt|aren't|arent|wasn't|haven't|hasn't|hasnt|won't|wont|neither|nor|instead|skip|avoid|minus|kein|keine|keinen|keiner|nicht|ohne|niemand|niemanden|nie|außer|sans|pas|personne|aucun|aucune|jamais|sauf|sin|ningún|ninguna|nadie|nunca|salvo|excepto|sem|não|nenhum|nenhuma|ninguém|exceto)$/u;
/** The ones among them that leave something out of what is looked for. */
const excluding = /^(?:except|without|w\/o|minus|ohne|außer|sans|sauf|sin|salvo|excepto|sem|exceto)$/u;
/** Words after which a "no" or "not" is only idiom. */
const idle =
  /^(?:worries|worry|rush|hurry|idea|problem|prob|sure|urgent|urgently|clue|offence|biggie|longer|stress|only|just|yet)$/u;
/** A condition or filter that says that something is not so. */
const negative = /(?:==\s*(?:0|false)|!=|<|"(?:\w+_not|not_updated_for)")/u;
/** “nobody acked” is a state, and no order not to. */
const nobody = /^(?:nobody|niemand|niemanden|personne|nadie|ninguém)$/u;
const untaken = /"(?:unassigned|triggered)"/u;
const without = /"(?:unassigned|open|triggered|low)"/u;

export const denies = ({ kind, low }: Token): boolean =>
  (kind === 'word' || kind === 'number') && denying.test(low);

/** Words that make an order wait, or depend on something. */
const binding =
  /^(?:if|when|whenever|once|until|till|before|after|only|falls|wenn|sobald|bis|bevor|nachdem|nur|si|quand|dès|avant|après|seulement|cuando|hasta|antes|después|solo|sólo|se|quando|até|depois|só)$/u;
export const holdsBack = (token: Token): boolean => denies(token) || binding.test(token.low);

interface Saying {
  readonly tokens: readonly Token[];
  readonly at: number;
}

/** A change, as its words are compared with the plan before it. */
export interface Difference {
  /** The words name something that the plan had and has no longer. */
  isGone(token: Token): boolean;
  /** The words name something that the plan has now. */
  isThere(token: Token): boolean;
  /** A step, a value or a condition is gone. */
  readonly takesAway: boolean;
}

/**
 * Denials that no step carries: neither a condition, nor a filter, nor that an order is left out. The condition of a plan
 * that is changed is none of a “don’t”; there, a “not” also denies what the plan had before.
 */
export function lostDenials(
  plan: Plan,
  spoken: readonly Token[],
  tools: ReadonlyMap<string, Manifest>,
  difference: Difference | null,
): Token[] {
  const said = JSON.stringify([plan.steps.map(({ args, when }) => [args, when ?? '']), plan.success]);
  const isWrite = ({ tool }: Step): boolean => tools.get(tool)?.effect === 'write';
  return spoken.filter((token, at) => {
    if (!denies(token)) return false;
    const next = spoken[at + 1];
    if (idle.test(next?.low ?? '') || (token.low === 'no' && isNamedIn(said, next))) return false;
    if (nobody.test(token.low) && spoken[at - 1] !== undefined && !untaken.test(said) && !negative.test(said))
      return !plan.steps.some(isWrite);
    const denied = deniedTools({ tokens: spoken, at }, tools);
    const isBound = difference === null || spoken.some(({ low }) => /^(?:unless|if|when|except)$/u.test(low));
    if (denied.length > 0)
      return plan.steps.some((step) => denied.includes(step.tool) && !(isBound && step.when !== undefined));
    if (difference !== null && takesBack({ tokens: spoken, at }, difference)) return false;
    if (negative.test(said) || without.test(said)) return false;
    return plan.steps.some(isWrite) || !/^(?:instead|skip|avoid)$/u.test(token.low);
  });
}

const named: ReadonlySet<Token['kind']> = new Set([
  ...(['issue', 'incident', 'channel', 'person', 'hyphened', 'capitals'] as const),
]);

/** “no MOB-42” is Portuguese for “on MOB-42”; elsewhere it corrects the name before it. */
const isNamedIn = (said: string, token: Token | undefined): boolean =>
  token !== undefined &&
  named.has(token.kind) &&
  said.toLowerCase().includes(token.low.replace(/^[#@]/u, ''));

/** Each “except” of which a step looks for just what it leaves out. */
export function soughtAfterAll({ steps }: Plan, tokens: readonly Token[]): Token[] {
  const filters = ['type', 'priority', 'label', 'assignee', 'reporter', 'status'];
  const sought = new Set(
    steps.flatMap(({ args }) => filters.map((arg) => stem(String(args[arg] ?? '-').toLowerCase()))),
  );
  return tokens.filter(({ low: word }, at) => {
    if (!excluding.test(word)) return false;
    const left = clauseAfter({ tokens, at }).filter(({ low }) => !emptyWords.has(low));
    return left
      .slice(0, 3)
      .flatMap(({ low, names, values }) => [low, ...Object.values(names), values.priority ?? low])
      .some((name) => sought.has(stem(name.toLowerCase())));
  });
}

/** Whether a denial in a change is about what the plan no longer has: “P2, not P1”. */
function takesBack(saying: Saying, { isGone, isThere, takesAway }: Difference): boolean {
  const denied = clauseAfter(saying);
  if (denied.some(isGone)) return true;
  return takesAway && !denied.some(isThere);
}

/** The words after a negation, up to the end of its clause. */
function clauseAfter({ tokens, at }: Saying): readonly Token[] {
  const clause = tokens.slice(at + 1, at + 7);
  const end = clause.findIndex(
    ({ kind, low }) =>
      (kind === 'mark' && /^[,;.:?!—–-]$/u.test(low)) ||
      /^(?:and|but|just|only|if|then|und|et|y|e)$/u.test(low),
  );
  return end < 0 ? clause : clause.slice(0, end);
}

/** The writes mentioned after a negation. */
function deniedTools(saying: Saying, tools: ReadonlyMap<string, Manifest>): string[] {
  const words = new Set(clauseAfter(saying).map(({ low }) => stem(low)));
  return [...tools.values()]
    .filter(({ effect, asked }) => effect === 'write' && asked?.verbs.some((verb) => words.has(stem(verb))))
    .map(({ name }) => name);
}

/** A word in its plain form, more or less: both sides of a comparison go through it. */
export const stem = (word: string): string =>
  word
    .toLowerCase()
    .replace(/ies$/u, 'y')
    .replace(/(?:ing|ed|s)$/u, '')
    .replace(/e$/u, '');

/** The words of phrases in their plain form. */
export const stemsOf = (phrases: readonly string[]): Set<string> =>
  new Set(phrases.flatMap((phrase) => phrase.match(/[\p{L}\p{N}-]+/gu) ?? []).map(stem));
