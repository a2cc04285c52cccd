import type { Catalogue } from '../../core/catalogue.ts';
import { oneLine } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { withChecksOf } from '../../core/verify.ts';
import { type Heard, hear } from './heard.ts';
import { nameIndex } from './names.ts';
import { slotsOf, valueAt } from './slots.ts';
import type { Token } from './tokens.ts';

/** A request whose plan was approved. */
export interface Remembered {
  readonly heard: Heard;
  readonly plan: Plan;
}

/** Tokens that differ only in the thing they name. */
const things = new Set<Token['kind']>([
  'quotation',
  'quoted word',
  'channel',
  'person',
  'incident',
  'severity',
  'issue',
  'code',
  'clock',
  'duration',
  'time',
  'number',
  'capitals',
  'hyphened',
]);
const isThing = ({ kind, names }: Token): boolean => things.has(kind) || Object.keys(names).length > 0;
const isPause = ({ kind, low }: Token): boolean => kind === 'mark' && /^[.!?,]$/u.test(low);

const patternOf = (tokens: readonly Token[]): string =>
  tokens
    .flatMap((token) =>
      isPause(token)
        ? []
        : isThing(token)
          ? [Object.keys(token.names).length > 0 ? '§name' : `§${token.kind}`]
          : [token.low],
    )
    .join(' ');

/** Compares requests with a goal: those that say the same but for the things they name. */
export function alikeTo(
  goal: string,
  catalogue: Catalogue,
): { readonly words: readonly string[]; readonly isSame: (other: string) => boolean } {
  const names = nameIndex(catalogue);
  const tokensOf = (text: string) => hear({ goal: text }, names).tokens;
  const tokens = tokensOf(goal);
  const words = tokens.filter((token) => !isThing(token)).map(({ low }) => low);
  return {
    // Letters that a database lowers in every language.
    words: [...new Set(words)].filter((word) => /^[a-z]+$/u.test(word)),
    isSame: (other) => patternOf(tokensOf(other)) === patternOf(tokens),
  };
}

/**
 * The plan a person approved for the same words, with this request's names, numbers and times in place of the old ones.
 * Null if one of the old ones does not appear in that plan.
 */
export function recalled(
  { tokens, text }: Heard,
  remembered: readonly Remembered[],
  tools: ReadonlyMap<string, Manifest>,
): Plan | null {
  const pattern = patternOf(tokens);
  const own = tokens.filter(isThing);
  for (const { heard, plan } of remembered) {
    if (plan.omitted !== undefined || patternOf(heard.tokens) !== pattern) continue;
    const pairs = heard.tokens
      .filter(isThing)
      .map((token, nth) => ({ old: token, fresh: own[nth] as Token, isUsed: false }));
    const fresh = plan.steps.map((step) => ({ ...renewed(step, pairs, tools), why: oneLine(text) }));
    const { steps } = withChecksOf(plan, { ...plan, steps: fresh });
    if (pairs.every(({ isUsed }) => isUsed) && !namesOld(steps, pairs))
      return { ...plan, goal: text, steps, summary: planTitle(steps, tools), inputs: [], assumptions: [] };
  }
  return null;
}

interface Pair {
  readonly old: Token;
  readonly fresh: Token;
  isUsed: boolean;
}

function renewed(step: Step, pairs: readonly Pair[], tools: ReadonlyMap<string, Manifest>): Step {
  const tool = tools.get(step.tool);
  const slots = tool ? slotsOf(tool) : new Map();
  const args = Object.entries(step.args).map(([arg, value]): [string, ArgValue] => {
    const slot = slots.get(arg) ?? 'text';
    if (Array.isArray(value)) return [arg, value.map((part) => reworded(part, pairs))];
    const pair = pairs.find(({ old }) => same(valueIn(slot, arg, old), value));
    const fresh = pair && valueIn(slot, arg, pair.fresh);
    if (pair === undefined || fresh === undefined) return [arg, value];
    pair.isUsed = true;
    return [arg, fresh];
  });
  return {
    ...step,
    args: Object.fromEntries(args),
    ...(step.when === undefined ? {} : { when: newBounds(step.when, pairs) }),
  };
}

const asWords = (names: readonly string[]): RegExp => {
  const escaped = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_-])`, 'giu');
};

/** A piece of a text that was made, with the names of this request. */
function reworded<Piece>(piece: Piece, pairs: readonly Pair[]): Piece | string {
  if (typeof piece !== 'string' || pairs.length === 0) return piece;
  const now = new Map(pairs.map(({ old, fresh }) => [old.low, fresh.raw]));
  return piece.replaceAll(
    asWords(pairs.map(({ old }) => old.raw)),
    (name) => now.get(name.toLowerCase()) ?? name,
  );
}

/** Something of the plan before would be done to what this request does not name. */
function namesOld(steps: readonly Step[], pairs: readonly Pair[]): boolean {
  const said = JSON.stringify(steps.map(({ args, when, verify }) => [args, when, verify]));
  const fresh = new Set(pairs.map((pair) => pair.fresh.low));
  return pairs.some(({ old }) => !fresh.has(old.low) && asWords([old.raw]).test(said));
}

const valueIn = (
  slot: Parameters<typeof valueAt>[0],
  arg: string,
  token: Token,
): string | number | undefined => token.values.text ?? valueAt(slot, arg, token);

const same = (said: string | number | undefined, value: ArgValue): boolean =>
  said !== undefined && String(said).toLowerCase() === String(value).toLowerCase();

/** A condition with this request's numbers. */
function newBounds(when: string, pairs: readonly Pair[]): string {
  return when.replaceAll(/(?<=[<>=] )\d+(?:\.\d+)?/gu, (number) => {
    const pair = pairs.find(({ old, isUsed }) => !isUsed && old.values.number === Number(number));
    if (pair?.fresh.values.number === undefined) return number;
    pair.isUsed = true;
    return String(pair.fresh.values.number);
  });
}
