import type { Catalogue } from '../../core/catalogue.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import { emptyWords } from './empty-words.ts';
import type { Heard } from './heard.ts';
import { stem, stemsOf } from './negations.ts';
import type { Token } from './tokens.ts';

/**
 * The words of a request with which nobody asks for what its plan does: “broke” of “who broke checkout”, planned as who
 * is on call. Empty if one word asks for it, stands in the plan, or only a name or a number was said.
 */
export function notAskedWith(
  { steps }: Plan,
  tokens: readonly Token[],
  manifests: ReadonlyMap<string, Manifest>,
): string[] {
  const [step, ...others] = steps;
  const tool = manifests.get(step?.tool ?? '');
  if (step === undefined || others.length > 0 || tool?.effect !== 'read' || step.args.named !== undefined)
    return [];
  const carried = JSON.stringify(step.args).toLowerCase();
  const isFor = ({ low, raw }: Token): boolean =>
    carried.includes(JSON.stringify(raw).slice(1, -1).toLowerCase()) || wordsFor(tool).has(stem(low));
  const unnamed = tokens.filter(({ names }) => Object.keys(names).length === 0);
  const said = unnamed.filter(isTelling);
  return unnamed.some((token) => isThing(token) || (isTelling(token) && isFor(token)))
    ? []
    : said.map(({ raw }) => raw);
}

/** Whether a plan is one write that no word of the request asks for, with a text that nobody said. */
export function isUnaskedWrite(
  { steps }: Plan,
  { text, tokens }: Heard,
  manifests: ReadonlyMap<string, Manifest>,
): boolean {
  const [step, ...others] = steps;
  const tool = manifests.get(step?.tool ?? '');
  if (step === undefined || others.length > 0 || tool?.effect !== 'write') return false;
  const dictated = Object.values(step.args).find((value) => typeof value === 'string' && /\s/u.test(value));
  const isMade = dictated !== undefined && !text.toLowerCase().includes(String(dictated).toLowerCase());
  return isMade && !tokens.filter(isTelling).some(({ low }) => wordsFor(tool).has(stem(low)));
}

/**
 * The words of a request by which nothing here is asked for, where others are: “put” and “previous” of “put it back to
 * the previous version”, in which a tool knows “version”. Null where none is known.
 */
export function unknownBeside(
  tokens: readonly Token[],
  { manifests, queries = [] }: Pick<Catalogue, 'manifests' | 'queries'>,
): string[] | null {
  const declared = [...manifests.values()].flatMap(({ asked }) => [
    ...(asked?.verbs ?? []),
    ...(asked?.nouns ?? []),
  ]);
  const known = stemsOf([...declared, ...queries.flatMap(({ says }) => says)]);
  const said = tokens.filter(isTelling);
  const isKnown = ({ low }: Token): boolean => known.has(stem(low));
  return said.some(isKnown) ? said.filter((token) => !isKnown(token)).map(({ raw }) => raw) : null;
}

/** Its form says what is asked about: a ticket, an incident, a priority, a code, or words to pass on. */
const isThing = ({ kind }: Token): boolean =>
  !/^(?:word|hyphened|mark|number|clock|time|duration)$/u.test(kind);

const isTelling = ({ kind, low, names }: Token): boolean =>
  (kind === 'word' || kind === 'hyphened') && Object.keys(names).length === 0 && !emptyWords.has(low);

const made = new WeakMap<Manifest, ReadonlySet<string>>();

/** The words by which people ask for a tool. */
function wordsFor(tool: Manifest | undefined): ReadonlySet<string> {
  if (tool === undefined) return new Set();
  const { keywords, asked } = tool;
  const phrases = [...keywords, ...(asked?.verbs ?? []), ...(asked?.nouns ?? []), ...(asked?.examples ?? [])];
  const words = made.get(tool) ?? stemsOf(phrases);
  made.set(tool, words);
  return words;
}
