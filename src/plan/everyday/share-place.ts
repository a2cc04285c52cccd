import type { Heard } from './heard.ts';
import type { Token } from './tokens.ts';
import { comparing } from './vetted.ts';

/** Words between the part and the whole, and before a whole that is said first. */
const joins =
  /(?:,? (?:as|in) (?:an? |the )?(?:share|percentage|percent|proportion|fraction|%) of| divided by|,? als (?:prozentualer )?anteil (?:an|von|der|aller)|,? in prozent (?:von|der|aller)| en (?:proportion|pourcentage|%) (?:de|des|du)| como (?:porcentaje|proporción|percentagem|porcentagem|proporção) (?:de|del|dos|das|do|da)) /iu;
const wholeFirst = /(?:what|which) (?:share|percentage|percent|proportion|fraction|%) of /iu;
const verbs = /^(?:are|is|were|was)$/u;
/** “… exceed 5 % of requests” */
const bound = / (?<number>\d{1,6}(?:\.\d{1,4})?) ?(?:%|percent|per cent) of /iu;

/** Where a share stands in a request, as places of tokens. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** The words of the part, and other ways to say it. */
  readonly parts: readonly (readonly Token[])[];
  readonly whole: readonly Token[];
  /** The comparison that stands between the two, and stays in the request. */
  readonly compared: readonly Token[];
}

/** Words before a condition, and at its end. */
const opening =
  /^(?:if|when|whenever|once|whether|then|and|falls|wenn|sobald|si|cuando|quando|se|me|us|watch|monitor|check|track|post|share|send|report)$/u;
const ending =
  /^(?:is|are|goes|go|gets|get|rises|rise|exceeds?|reaches|reach|if|when|and|then|every|>=?|<=?|tell|page)$/u;
const openers: ReadonlySet<Token['kind']> = new Set(['mark', 'channel', 'person']);
const recurring = /^(?:every|each|alle|jede[nr]?|chaque|cada)$/u;
/** Text that is passed on begins behind these. */
const passing = /^(?::|that|saying|dass|que)$/u;

/** “if …”, “tell #ops …”, “every 10 minutes …”: the part begins behind it. */
const isOpening = ({ low, kind }: Token, at: number, tokens: readonly Token[]): boolean =>
  opening.test(low) || openers.has(kind) || recurring.test(tokens[at - 1]?.low ?? '');

/** Null where no share is asked for. */
export function placeIn({ text, tokens }: Heard): Place | null {
  if (tokens.some(({ section, kind }) => section !== 0 || kind.startsWith('quot'))) return null;
  const at = (place: number): number => tokens.findIndex(({ start }) => start >= place);
  const first = wholeFirst.exec(text);
  if (first !== null) {
    const begin = at(first.index + first[0].length);
    return { from: at(first.index), compared: [], ...wholeAndPart(begin, tokens) };
  }
  const join = joins.exec(text) ?? bound.exec(text);
  if (join === null) return null;
  const [middle, begin] = [at(join.index), at(join.index + join[0].length)];
  if (tokens.slice(0, middle).some(({ low }) => passing.test(low))) return null;
  const isBound = join.groups?.number !== undefined;
  // “… is above 5 % of requests”: the comparison begins behind the part.
  const end = isBound ? startOfComparison(tokens.slice(0, middle)) : middle;
  const compared = tokens.slice(end, isBound ? begin - 1 : end);
  const from = 1 + tokens.slice(0, end).findLastIndex(isOpening);
  // “more than 5 % of orders are failed orders”
  if (from === end) return { from, compared, ...wholeAndPart(begin, tokens) };
  const to = endAfter(begin, tokens);
  const isCompared = !isBound || compared.some(({ low }) => comparing.test(low));
  return isCompared
    ? { from, to, compared, parts: [tokens.slice(from, end)], whole: tokens.slice(begin, to) }
    : null;
}

/** “orders are failed orders”, “orders failed”: the whole, and the part behind it. */
function wholeAndPart(begin: number, tokens: readonly Token[]): Pick<Place, 'to' | 'parts' | 'whole'> {
  const verb = tokens.findIndex(({ low }, nth) => nth > begin && verbs.test(low));
  const to = endAfter(verb < 0 ? begin : verb + 1, tokens);
  const split = verb < 0 ? to - 1 : verb;
  const [whole, said] = [tokens.slice(begin, split), tokens.slice(verb < 0 ? split : split + 1, to)];
  return { to, whole, parts: [said, [...said, ...whole]] };
}

const comparison =
  /^(?:is|are|goes|go|gets|get|rises|rise|reaches|reach|makes?|tops?|more|less|fewer|at|up|to)$/u;

/** The place of the words that compare, at the end of these. */
const startOfComparison = (tokens: readonly Token[]): number =>
  1 + tokens.findLastIndex(({ low }) => !comparing.test(low) && !comparison.test(low));

function endAfter(begin: number, tokens: readonly Token[]): number {
  const end = tokens.findIndex(
    ({ low, kind }, nth) => nth > begin && (openers.has(kind) || ending.test(low) || comparing.test(low)),
  );
  if (end < 0) return tokens.length;
  // “to #ops”
  return tokens[end]?.kind !== 'mark' && /^(?:to|in)$/u.test(tokens[end - 1]?.low ?? '') ? end - 1 : end;
}
