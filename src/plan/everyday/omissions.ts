import type { Manifest } from '../../core/manifest.ts';
import { carriedBy, type Drafted } from './clause.ts';
import { emptyWords, isVagueAmount } from './empty-words.ts';
import type { Heard } from './heard.ts';
import { denies } from './negations.ts';
import type { Token } from './tokens.ts';

const leading = /^(?:in|at|on|for|by|until|from|with|after|before)$/u;

/** Words without a place in a plan, each with the words beside it that no step took either: “false alarm”. */
export function phrasesOf(
  unplaced: readonly Token[],
  draft: Drafted,
  { text, tokens }: Heard,
  manifests: ReadonlyMap<string, Manifest>,
): string[] {
  const isCarried = carriedBy(draft, manifests, false);
  const isFree = (at: number): boolean => {
    const token = tokens[at];
    if (token === undefined || token.kind === 'section' || token.section === 2) return false;
    if (unplaced.includes(token)) return true;
    return token.kind !== 'mark' && !emptyWords.has(token.low) && !denies(token) && !isCarried(token, at);
  };
  const phrases: string[] = [];
  let behind = 0;
  for (const [at, token] of tokens.entries()) {
    if (at < behind || !unplaced.includes(token)) continue;
    if (isVagueAmount(token.low)) {
      phrases.push(token.raw);
      continue;
    }
    let from = at;
    while (isFree(from - 1)) from -= 1;
    if (leading.test(tokens[from - 1]?.low ?? '')) from -= 1;
    behind = at + 1;
    while (isFree(behind)) behind += 1;
    phrases.push(text.slice(tokens[from]?.start, tokens[behind - 1]?.end));
  }
  return phrases;
}
