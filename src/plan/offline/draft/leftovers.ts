import { acronyms } from '../words/lexicon/known.ts';
import { isBreak } from '../words/marks.ts';
import { isSpeaker } from '../words/owners.ts';
import { minutesOf } from '../words/times.ts';
import { ofKind, type Token } from '../words/token.ts';
import { type DraftCondition, type DraftStep, isCompare, isFromStep } from './draft.ts';
import { isWriteStep } from './guards.ts';
import type { Work } from './work.ts';

function boundsOf(condition: DraftCondition | null): string[] {
  if (condition === null) return [];
  if (!isCompare(condition)) return ('all' in condition ? condition.all : condition.any).flatMap(boundsOf);
  return isFromStep(condition.right) ? [] : [String(condition.right)];
}

/** Every literal of the plan, in lower case. */
function literalsOf(steps: readonly DraftStep[]): string[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') texts.push(String(value).toLowerCase());
    else if (Array.isArray(value)) for (const part of value) collect(part);
  };
  for (const step of steps) {
    for (const value of Object.values(step.args)) collect(value);
    texts.push(...boundsOf(step.when).map((bound) => bound.toLowerCase()));
  }
  return texts;
}

function isUsed(token: Token, literals: readonly string[]): boolean {
  const word = token.word.toLowerCase();
  if (token.kind === 'number')
    return literals.some((text) => {
      // Whole numbers: 5 is no part of 15.
      const parts = text.split(/[^\p{L}\p{N}.,']+/u).map((part) => part.replace(/[.,']+$/, ''));
      return text === word || parts.includes(word) || parts.includes(token.raw.toLowerCase());
    });
  if (token.kind === 'duration') {
    const minutes = String(minutesOf(token.word));
    return literals.some(
      (text) => text === word || text === minutes || text.includes(token.raw.toLowerCase()),
    );
  }
  return literals.some((text) => text.includes(word) || text.includes(token.raw.toLowerCase()));
}

const things = [
  'number',
  'duration',
  'quote',
  'channel',
  'user',
  'key',
  'id',
  'project',
  'priority',
  'service',
] as const;

/** Names, quotations and bounds of a goal that no part of the plan holds: they were read over. */
export function leftoversIn(tokens: readonly Token[], steps: readonly DraftStep[]): Token[] {
  const literals = literalsOf(steps);
  return ofKind(tokens, ...things).filter(
    (token) =>
      token.start < token.end &&
      (!/^(number|duration)$/.test(token.kind) || isBound(tokens, token)) &&
      !(token.kind === 'project' && acronyms.has(token.raw)) &&
      !isUsed(token, literals) &&
      !isSpeaker(tokens, token) &&
      !isLeftOut(tokens, token),
  );
}

const served = /^(pagerduty\.(oncall|incidents)|logs\.\w+|runbook\.search)$/;
const filed = /^(jira\.(count|search|sla)|sla\.threshold)$/;

/** "pos-edge picture: A, B and C": the service that stands in front of a list of reads. */
function headingOf(tokens: readonly Token[]): string | null {
  const colon = tokens.findIndex((token) => token.word === ':');
  const head = tokens.slice(0, Math.max(colon, 0));
  const [service, other] = ofKind(head, 'service');
  const plain = head.every((token) => /^(word|service)$/.test(token.kind)) && head.length <= 6;
  return service && !other && plain && ofKind(tokens, 'service').length === 1 ? service.word : null;
}

/** A service or project that nothing took up belongs to the reads that name none. */
export function takeUp(tokens: readonly Token[], work: Work): void {
  const left = leftoversIn(tokens, work.steps);
  for (const [kind, tools] of [
    ['service', served],
    ['project', filed],
  ] as const) {
    const unused = ofKind(left, kind).map((token) => token.word);
    const head = kind === 'service' ? headingOf(tokens) : null;
    const names = [...new Set(unused.length > 0 || head === null ? unused : [head])];
    const open = work.steps.filter(
      (step) =>
        tools.test(step.tool) && [kind, 'key', 'query'].every((name) => step.args[name] === undefined),
    );
    const [name] = names;
    if (names.length !== 1 || name === undefined) continue;
    for (const step of open) step.args = { [kind]: name, ...step.args };
  }
}

function isLeftOut(tokens: readonly Token[], token: Token): boolean {
  const at = tokens.indexOf(token);
  return tokens
    .slice(Math.max(0, at - 3), at)
    .some((other) => /^(not|except|do-not|none|nor|instead)$/.test(other.word));
}

const comparing =
  /^(more-than|over|above|at-least|less-than|under|below|at-most|between|exceeds|exactly|older-than|younger-than|or-more|or-less|past|than)$/;

function isBound(tokens: readonly Token[], token: Token): boolean {
  const at = tokens.indexOf(token);
  return [...tokens.slice(Math.max(0, at - 2), at), tokens[at + 1]].some((other) =>
    comparing.test(other?.word ?? ''),
  );
}

/** The service of a page that was asked for and that no step makes, or null. */
export function lostPage(tokens: readonly Token[], work: Work): string | null {
  const paged = work.steps
    .filter((step) => step.tool === 'pagerduty.page')
    .map((step) => String(step.args.service));
  if (work.forbidden.has('pagerduty.page')) return null;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]?.word === 'the' ? tokens[index + 2] : tokens[index + 1];
    const before = tokens[index - 1];
    const orders =
      isBreak(before) ||
      before?.kind === 'number' ||
      /^(and|then|also|please|otherwise)$/.test(before?.word ?? '');
    const verb = orders && token.kind === 'word' && token.word === 'page' && token.start < token.end;
    const none = paged.length === 0 && orders && verb && !isLeftOut(tokens, token);
    if (none && (next === undefined || /^(service|project)$/.test(next.kind)))
      return next?.word ?? 'the on-call';
    if (verb && next?.kind === 'service' && !paged.includes(next.word) && !isLeftOut(tokens, next))
      return next.word;
  }
  return null;
}

/** A bound that was read over, where something would be changed. */
export function losesBound(left: readonly Token[], steps: readonly DraftStep[]): boolean {
  return ofKind(left, 'number', 'duration').length > 0 && steps.some(isWriteStep);
}
