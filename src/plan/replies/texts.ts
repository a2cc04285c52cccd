import type { Catalogue } from '../../core/catalogue.ts';
import { manifestOf } from '../../core/code-step.ts';
import { fieldInfo } from '../../core/fields.ts';
import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import { vocabularyOf } from '../../core/step-words.ts';
import { planTitle } from '../../core/title.ts';
import { nameIndex, withNames } from '../everyday/names.ts';
import { isMade, textArgOf } from '../everyday/texts.ts';
import { tokenize } from '../everyday/tokens.ts';
import { slotsAt } from './places.ts';

/** Replies that give what is sent other words: “shorter text: payouts dead”, “add: it is db1”, “down, not slow”. */

const noun =
  '(?<what>text|message|msg|title|summary|subject|wording|description|body|nachricht|titel|beschreibung|titre|mensaje|título|mensagem)';
const forms: readonly RegExp[] = [
  new RegExp(`^(?:\\p{L}+ ){0,4}${noun} ?[:=] ?(?<text>.+)$`, 'isu'),
  new RegExp(`^(?:the |its )?${noun} (?:should|shld|must|has to) (?:be|say|read) (?<text>.+)$`, 'isu'),
  new RegExp(`^(?:please |pls )?(?:change|set|make) (?:the |its )?${noun} to:? (?<text>.+)$`, 'isu'),
  /^(?:please |pls )?rename (?:it|this|that)(?: to)? (?<text>.+)$/isu,
];
const adding =
  /^(?:please |pls |also |and ){0,3}(?:add|append|mention|say also|also say)(?: to (?:it|(?:the |its )?(?:text|message|summary|description)))? ?: ?(?<text>.+)$/isu;
const swaps: readonly RegExp[] = [
  /^(?:no,? )?(?:it['’]?s |it is |is )?(?<now>[^,;]{1,60}?),? not (?<was>[^,;]{1,60})$/iu,
  /^(?:no,? )?not (?<was>[^,;]{1,60}), (?:but )?(?<now>[^,;]{1,60})$/iu,
  /^(?:please |pls )?(?:replace|change|swap) (?<was>[^,;:]{1,60}?) (?:with|by|to|for|into) (?<now>[^,;:]{1,60})$/iu,
  /^s\/(?<was>[^/]{1,60})\/(?<now>[^/]{1,60})\/?g?$/iu,
];
const asking = /^(?:(?:look|search|check|find|show|query|use|i|meant|mean|for|up)\s+)+/iu;
/** Other names of a description, where a tool has both a title and a text. */
const described = /^(?:description|body|beschreibung)$/iu;

/** The plan with other words in it; null for any other reply, and where nothing is sent that it could mean. */
export function withOtherText(plan: Plan, words: string, catalogue: Catalogue): Plan | null {
  const said = words.trim();
  for (const form of forms) {
    const { what = '', text = '' } = form.exec(said)?.groups ?? {};
    if (text !== '') return withText(plan, catalogue, described.test(what), () => unquoted(text));
  }
  const more = adding.exec(said)?.groups?.text;
  if (more !== undefined) return withText(plan, catalogue, false, (was) => appended(was, unquoted(more)));
  for (const swap of swaps) {
    const { was = '', now = '' } = swap.exec(said)?.groups ?? {};
    const changed = was === '' ? null : swapped(plan, was.trim(), now.trim(), catalogue);
    if (changed !== null) return changed;
  }
  return null;
}

const unquoted = (text: string): string =>
  /^["“'](?<inner>.+)["”']$/su.exec(text.trim())?.groups?.inner ?? text.trim();

const appended = (was: ArgValue, more: string): ArgValue =>
  typeof was === 'string'
    ? `${was.trimEnd().replace(/\.$/u, '')}. ${more}`
    : ([...[was].flat(), `. ${more}`] as ArgValue);

function withText(
  plan: Plan,
  catalogue: Catalogue,
  isDescription: boolean,
  text: (was: ArgValue) => ArgValue,
): Plan | null {
  return edited(plan, catalogue, (step) => {
    const manifest = manifestOf(step, catalogue.manifests);
    const usual = textArgOf(manifest);
    const arg =
      isDescription && usual === 'summary' && manifest?.args.shape.text !== undefined ? 'text' : usual;
    return arg === undefined ? step.args : { ...step.args, [arg]: text(step.args[arg] ?? '') };
  });
}

/**
 * Words that stand in a text, in place of others; null where they stand in none. A look-up for just these words is meant
 * before a text that has them. Names are values, and change with what they stand for.
 */
function swapped(plan: Plan, was: string, said: string, catalogue: Catalogue): Plan | null {
  if (
    withNames(was, tokenize(was), nameIndex(catalogue)).some((token) => slotsAt(token, catalogue).length > 0)
  )
    return null;
  const literal = was.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu');
  const isWhole = (value: ArgValue): boolean =>
    typeof value === 'string' && value.toLowerCase() === was.toLowerCase();
  const isSought = plan.steps.some(({ args }) => Object.values(args).some(isWhole));
  const words = vocabularyOf(plan.steps, catalogue.manifests);
  const retold = (text: string): string =>
    text.replaceAll(found, (match, at: number) =>
      between(text.slice(0, at), said, text.slice(at + match.length)),
    );
  const other = (value: ArgValue): ArgValue => {
    if (isSought) return isWhole(value) ? between('', said, '') : value;
    if (typeof value === 'string') return retold(value);
    return Array.isArray(value)
      ? value.map((part) => (typeof part === 'string' ? retold(part) : part))
      : value;
  };
  return edited(plan, catalogue, (step) => {
    const shape = manifestOf(step, catalogue.manifests)?.args.shape ?? {};
    const isText = (arg: string): boolean =>
      shape[arg] !== undefined && fieldInfo(shape[arg]).kind === 'text' && !isMade(step, arg, words);
    return Object.fromEntries(
      Object.entries(step.args).map(([arg, value]) => [arg, isText(arg) ? other(value) : value]),
    );
  });
}

/** “Gate 4 is shut, not 3”: words that stand around the replaced ones already are not said twice. */
function between(before: string, said: string, after: string): string {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const [last] = wordsOf(before).slice(-1);
  const [first] = wordsOf(after);
  let now = said.replace(asking, '').split(/\s+/u);
  if (last !== undefined && now.length > 1 && wordsOf(now[0] ?? '')[0] === last) now = now.slice(1);
  const at = now.findIndex((word) => wordsOf(word)[0] === first);
  if (first !== undefined && at > 0) now = now.slice(0, at);
  return now.join(' ');
}

function edited(plan: Plan, { manifests }: Catalogue, argsOf: (step: Step) => Step['args']): Plan | null {
  const steps = plan.steps.map((step) => ({ ...step, args: argsOf(step) }));
  const isSame = steps.every(
    (step, at) => JSON.stringify(step.args) === JSON.stringify(plan.steps[at]?.args),
  );
  return isSame ? null : { ...plan, steps, summary: planTitle(steps, manifests) };
}
