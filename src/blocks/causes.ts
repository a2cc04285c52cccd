import type { Button, RichTextBlockElement, RichTextSection } from '@slack/types';
import type { LinkHosts } from '../core/address.ts';
import type { Cause } from '../core/cause.ts';
import { cut, cutWords } from '../core/clean-text.ts';
import type { CauseVerdict, LastTime, Settled } from '../core/settle.ts';
import { argWords, type Vocabulary } from '../core/step-words.ts';
import { actionIds } from './ids.ts';
import { button } from './layout.ts';
import { isSaid, linked, linksOf } from './links.ts';
import { bold, bullets, line, lines, link, type Span, time } from './rich.ts';

const verdicts: Readonly<Record<CauseVerdict, string>> = {
  supported: '✓ Supported: ',
  unchecked: '? Not checked: ',
  refuted: '✗ Refuted: ',
};

interface Around {
  readonly words: Vocabulary;
  readonly hosts: LinkHosts;
  /** The operator's causes, for their runbooks. */
  readonly causes: readonly Cause[];
  readonly last: LastTime;
}

/** Characters of JSON for all causes. */
const maxSize = 4_500;

/** Supported causes with the numbers that say so and where to look; a line for each of the others, of the last ones only the sentence where room is short. */
export function causeElements(settled: readonly Settled[], around: Around): RichTextBlockElement[] {
  if (settled.length === 0) return [];
  const rows = settled.map((one) => causeRow(one, around));
  for (let at = rows.length - 1; at >= 0 && JSON.stringify(rows).length > maxSize; at -= 1) {
    const one = settled[at];
    if (one !== undefined && one.verdict !== 'supported') rows[at] = line(...sentenceOf(one, around));
  }
  return [bullets(rows)];
}

const maxWords = 400;
const maxWeakWords = 120;

function sentenceOf({ cause, verdict }: Settled, { last }: Around): Span[] {
  const at = last.get(cause.id);
  const before: Span[] =
    at === undefined ? [] : [' It was this on ', time(at, '{date}'), ', and its fix helped.'];
  return [bold(verdicts[verdict]), cause.sentence, ...before];
}

function causeRow(one: Settled, around: Around): RichTextSection {
  const { cause, verdict, words, results } = one;
  const sentence = sentenceOf(one, around);
  if (verdict !== 'supported') return line(...sentence, ' ', cutWords(words, maxWeakWords));
  const said = cut(words, maxWords);
  const links = results.flatMap((result) => {
    const step = around.words.steps.get(result.stepId);
    const manifest = around.words.scope.get(result.stepId);
    if (step === undefined || manifest === undefined || result.result === null) return [];
    const { hosts } = around;
    return linksOf({ manifest, args: argWords(step, around.words), result: result.result, hosts });
  });
  const unsaid = links.filter((one) => !isSaid(said, one)).map(({ url, words: name }) => link(url, name));
  const { runbook = null } = around.causes.find(({ id }) => id === cause.id) ?? {};
  const more = [...unsaid, ...(runbook === null ? [] : [link(runbook, 'Runbook')])];
  return lines([sentence, [...linked(said, links), ...more.flatMap((to): Span[] => [' · ', to])]]);
}

/** "2 causes supported, 1 not checked, 3 refuted". */
export function verdictCounts(settled: readonly Settled[]): string {
  const count = (verdict: CauseVerdict) => settled.filter((one) => one.verdict === verdict).length;
  const parts = [
    [count('supported'), 'supported'],
    [count('unchecked'), 'not checked'],
    [count('refuted'), 'refuted'],
  ] as const;
  const [first, ...rest] = parts.filter(([number]) => number > 0);
  if (first === undefined) return '';
  const causes = first[0] === 1 ? 'cause' : 'causes';
  return [`${first[0]} ${causes} ${first[1]}`, ...rest.map((part) => part.join(' '))].join(', ');
}

/** Buttons that repeat past plans. */
export function sameButtons(again: readonly { readonly text: string; readonly value: string }[]): Button[] {
  return again.map(({ text, value }, nth) => button({ text, action: `${actionIds.same}${nth}`, value }));
}

const maxFixes = 3;

/** The supported causes that have a fix. */
export function fixableIn(settled: readonly Settled[], causes: readonly Cause[]): string[] {
  const fixed = new Set(causes.filter(({ fix }) => fix !== null).map(({ id }) => id));
  return settled.flatMap(({ cause: { id }, verdict }) =>
    verdict === 'supported' && fixed.has(id) ? [id] : [],
  );
}

/** A button for the fix of each cause. Its action ends in its place, its value names the cause. */
export function fixButtons(
  fixable: readonly string[],
  { action, value }: { readonly action: string; readonly value: (cause: string) => string },
): Button[] {
  return fixable.slice(0, maxFixes).map((id, nth) => {
    const text = fixable.length === 1 ? 'Propose the fix' : `Propose the fix: ${id}`;
    return button({ text, action: `${action}${nth}`, value: value(id) });
  });
}
