import {
  type DraftCondition,
  type DraftPart,
  type DraftStep,
  type DraftValue,
  type FromStep,
  isCompare,
  isFromStep,
  readsOf,
  said,
} from '../draft/draft.ts';
import { lineOf, ofKind, sliceOf, type Token } from '../words/token.ts';

/** Words that point back at what was read or made before. */
const pointing =
  /\b(it|that|this|these|those|them|result|summary|list|count|mean|link|both|everything|findings|details|info|information|total|answer|ticket|key|one|there|same|top|everything-of|answers|explain|runbook|status|code|error|on-call|incident|note|state|report|best|hits|matches|figure|figures|number|numbers)\b/;

/** The text a message gives in so many words: quoted, or after "that", "saying", "about" or a colon. */
export function literalText(tokens: readonly Token[], goal: string): string | null {
  const quotes = ofKind(tokens, 'quote');
  const around = quotes.length > 0 ? sentenceAround(tokens) : null;
  if (around) return sliceOf(goal, withoutTarget(around)) || null;
  if (quotes.length > 0) return quotes.map((quote) => quote.word).join(' ');
  const statement = toldStatement(tokens);
  if (statement) return sliceOf(goal, withoutTarget(statement)) || null;
  const at = tokens.findIndex((token, index) => isOpening(tokens, token, index));
  if (at < 0) return null;
  let rest: readonly Token[] = tokens.slice(at + 1);
  while (/^(the|:|about|that|saying|please)$/.test(rest[0]?.word ?? '') && rest[0]?.kind !== 'quote')
    rest = rest.slice(1);
  while (/^(,|and|please|then|in|to)$/.test(rest.at(-1)?.word ?? '')) rest = rest.slice(0, -1);
  rest = withoutTarget(rest);
  return sliceOf(goal, rest) || null;
}

/** "tell #ops that the phrase "…" was found": the quotation is only a part of what is said. */
function sentenceAround(tokens: readonly Token[]): readonly Token[] | null {
  const at = tokens.findIndex((token) => token.kind === 'word' && token.word === 'that');
  const quote = tokens.findIndex((token) => token.kind === 'quote');
  const said = tokens.slice(quote + 1).filter((token) => token.kind === 'word');
  const verb = said.some((token) =>
    /^(is|was|are|were|has|have|had|appears?|failed)$/.test(token.raw.toLowerCase()),
  );
  return at >= 0 && at < quote && verb ? tokens.slice(at + 1) : null;
}

/** "tell #ops we are on it": what stands behind the receiver is a sentence of its own. */
export function toldStatement(tokens: readonly Token[]): readonly Token[] | null {
  const verb = tokens.findIndex(
    (token) => token.kind === 'word' && /^(tell|let|notify|post|page|comment|note)$/.test(token.word),
  );
  const written = /^(comment|note)$/.test(tokens[verb]?.word ?? '');
  const to = tokens.findIndex((token) => (written ? /^(key|id)$/ : receiver).test(token.kind));
  if (verb < 0 || verb > to || to - verb > 3) return null;
  let rest = tokens.slice(to + 1);
  while (receiver.test(rest[0]?.kind ?? '') || /^(,|and|know|also|to)$/.test(rest[0]?.word ?? ''))
    rest = rest.slice(1);
  return isStatement(rest) ? rest : null;
}

const receiver = /^(channel|user|service)$/;

/** "it is taken", "the fix is out": a subject and a verb, and nothing that asks. */
function isStatement(tokens: readonly Token[]): boolean {
  const first = tokens[0];
  const subject =
    first &&
    (/^(key|service|project)$/.test(first.kind) ||
      /^(we|i|it|they|he|she|the|our|this|everything-of|both|there|all|no|my|it's|we're|i'm)$/.test(
        firstWord(first),
      ));
  const verb = tokens.findIndex(
    (token, index) =>
      (token.kind === 'word' || token.kind === 'mark') &&
      (/^(it's|we're|i'm|they're)$/.test(firstWord(token)) ||
        (index > 0 &&
          /^(is|are|was|were|am|has|have|had|will|can|should|need|needs|went|failed|works|might|may|could)$/.test(
            firstWord(token),
          ))),
  );
  const asks = tokens.some(
    (token, index) =>
      index <= Math.max(verb, 0) && /^(who|which|that|if|how many|count|list|whose)$/.test(token.word),
  );
  return Boolean(subject) && verb >= 0 && verb < 7 && !asks;
}

/** "The db" and "is not" are one token each. */
function firstWord(token: Token): string {
  return token.raw.toLowerCase().split(' ')[0] ?? '';
}

function withoutTarget(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  const aimed = last && /^(channel|user)$/.test(last.kind) && /^(in|to|on|for|at)$/.test(before?.word ?? '');
  return aimed ? tokens.slice(0, -2) : tokens;
}

/** "the tickets that will breach": which ones, not what is said. */
export function isRelative(tokens: readonly Token[], index: number): boolean {
  const noun = tokens[index - 1];
  const verb = tokens[index + 1];
  return (
    (noun?.kind === 'priority' ||
      (noun?.kind === 'project' &&
        tokens
          .slice(Math.max(0, index - 5), index)
          .some((other) => /^(ticket|bug|story|task)$/.test(other.word))) ||
      /^(ticket|bug|story|task|incident|error|exception|ones|p[1-5]s?)$/.test(noun?.word ?? '')) &&
    /^(will|would|are|is|have|has|had|were|was|already|breached|at-risk|open|need|needs|nobody|no-one|still|do-not|not|could|might|breach)$/.test(
      verb?.word ?? '',
    )
  );
}

function isOpening(tokens: readonly Token[], token: Token, index: number): boolean {
  if (token.kind === 'mark') return token.word === ':' && index > 0 && tokens.length > index + 1;
  if (token.kind !== 'word') return false;
  if (token.word === 'saying' || token.word === 'about') return true;
  if (token.word === 'know' && isStatement(tokens.slice(index + 1))) return true;
  const next = tokens[index + 1];
  if (token.word === 'that' && isRelative(tokens, index)) return false;
  if (token.word === 'that')
    return (
      next !== undefined &&
      index > 0 &&
      !(
        next.kind === 'word' &&
        /^(list|count|result|summary|ticket|in|to|on|one|and|is|with|mean|explain|code|status|link|error|runbook)$/.test(
          next.word,
        ) &&
        tokens.length - index < 12
      ) &&
      (!/^(channel|user)$/.test(next.kind) ||
        /^(is|are|was|were|has|have|will|needs|wants|can|took|takes|got|says|said)$/.test(
          tokens[index + 2]?.raw.toLowerCase() ?? '',
        ))
    );
  return false;
}

/** What is left of a message order when verb, receiver and small words are gone. */
export function contentOf(tokens: readonly Token[]): Token[] {
  const small =
    /^(please|the|a|an|to|in|on|for|of|into|me|also|then|and|,|:|both|know|let|post|tell|notify|add|report|with|by|at|as|slack|channel|message|there|directly|dm|back|over|out|will|from|someone|everyone|instead|her|him)$/;
  return tokens.filter(
    (token, index) =>
      // "The web shop is back": how it is, and no small word.
      (token.word === 'back' && /^(is|are|was)$/.test(tokens[index - 1]?.word ?? '')) ||
      (!/^(channel|user)$/.test(token.kind) &&
        !((token.kind === 'word' || token.kind === 'mark') && small.test(token.word))),
  );
}

export function pointsBack(tokens: readonly Token[]): boolean {
  return pointing.test(lineOf(contentOf(tokens)));
}

/** True when more than one earlier result is meant. */
export function pointsAtAll(tokens: readonly Token[]): boolean {
  const raw = tokens.map((token) => token.raw.toLowerCase()).join(' ');
  return /\b(both|them|everything|all|results|numbers|figures|counts|findings|these|those|totals|lists|two|three|answers|outputs)\b/.test(
    raw,
  );
}

/** A text that says results: each with a few words of what it is, filled in by the run. */
export function textFrom(steps: readonly DraftStep[]): DraftValue {
  return steps.flatMap((step, index): DraftPart[] => [
    { labelOf: step, lead: index === 0 ? '' : '\n' },
    said(step),
  ]);
}

function word(value: DraftValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The counts that a condition looks at, as a text: why somebody is told. Confidential numbers stay out. */
export function reasonText(condition: DraftCondition): DraftPart[] | string | null {
  const open = readsOf(condition).filter((step) => step.tool !== 'sql.query');
  const steps = open.filter((step, index) => open.indexOf(step) === index);
  if (steps.length === 0) return confidential(condition);
  return steps.flatMap((step, index): DraftPart[] => [
    { labelOf: step, lead: index === 0 ? '' : '; ' },
    figure(condition, step),
  ]);
}

function figure(condition: DraftCondition, step: DraftStep): FromStep {
  if (!isCompare(condition)) {
    const inner = 'all' in condition ? condition.all : condition.any;
    const found = inner.find((part) => readsOf(part).includes(step));
    return found ? figure(found, step) : said(step);
  }
  const right = condition.right;
  if (isFromStep(right) && right.step === step) return right;
  return condition.left.find((part) => part.step === step) ?? said(step);
}

function confidential(condition: DraftCondition): string | null {
  const step = readsOf(condition)[0];
  const about = step ? word(step.args.about) : '';
  if (!isCompare(condition) || isFromStep(condition.right) || about === '') return null;
  return `${about}: ${condition.op} ${condition.right}`;
}
