import type { Guidance } from '../../core/catalogue.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { plain } from './draft.ts';
import { personWords } from './person-words.ts';

const maxTerms = 12;
const maxTexts = 6;
const maxText = 600;

/** The operator's words for things in the request, and their guidance about what it names; nothing else of it. */
export function adviceLines(input: PlanningInput): string[] {
  const { glossary = [], guidance = [], services } = input.catalogue;
  const { text, earlier } = personWords(input);
  const low = text.toLowerCase();
  const terms = glossary.filter(({ term }) => says(low, term)).slice(0, maxTerms);
  const isNamed = (name: string): boolean =>
    says(low, name) ||
    ['service', 'project', 'channel'].some((kind) => earlier.has(`${kind}:${name.toLowerCase()}`));
  const isMeant = ({ about }: Guidance): boolean =>
    about === null ||
    about.some(
      (name) => isNamed(name) || isNamed(services.find((one) => one.name === name)?.project ?? name),
    );
  const texts = guidance.filter(isMeant).slice(0, maxTexts);
  return [
    ...terms.map(({ term, meaning }) => `“${plain(term, 60)}” here means: ${plain(meaning, 300)}`),
    ...texts.map(({ about, text }) => {
      const whom = about === null ? '' : ` about ${about.slice(0, 5).join(', ')}`;
      return `Guidance${whom}: ${plain(text, maxText)}`;
    }),
  ];
}

/** As words of their own: "stops" does not say `ops`. */
function says(low: string, wanted: string): boolean {
  const name = wanted.toLowerCase();
  for (let at = low.indexOf(name); at >= 0; at = low.indexOf(name, at + 1)) {
    const [before, after] = [low[at - 1] ?? ' ', low[at + name.length] ?? ' '];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}
