import { type DraftCondition, type DraftStep, negate } from '../draft/draft.ts';
import { ask, type Work } from '../draft/work.ts';
import { comparisonIn, durationIn } from '../words/comparisons.ts';
import { lineOf, type Token } from '../words/token.ts';
import { ofAge, ofIdle, ofPresence, ofStatus, over } from './kinds.ts';
import { againstSla } from './sla.ts';
import { subjects } from './subjects.ts';
import { moreThanTheOther, twoCounts } from './two-counts.ts';

function single(tokens: readonly Token[], work: Work): DraftCondition | null {
  const line = lineOf(tokens);
  const two = twoCounts(tokens, line, work) ?? moreThanTheOther(tokens, line, work);
  if (two) return two;
  const asked = comparisonIn(tokens);
  const age = asked ? null : (ofIdle(tokens, line, work) ?? ofAge(tokens, work));
  if (age) return age;
  const sla = asked ? null : againstSla(tokens, line, work);
  if (sla) return sla;
  if (asked) {
    const steps = subjects(asked.rest, work, tokens);
    if (steps.length === 0) return null;
    for (const step of steps) countInstead(step);
    // "More than 5 for 10 minutes": what has to last cannot be seen at once.
    if (/\bfor §dur/.test(line) && steps.some((step) => step.tool === 'jira.count')) {
      ask(
        work,
        ['condition'],
        'A plan looks once and cannot see how long something lasts. What should it look at now?',
      );
      return null;
    }
    const found = over(steps, asked, line);
    // "does not have more than 5": the whole comparison is turned round.
    return /\b(not|do-not)\b/.test(lineOf(asked.rest)) ? negate(found) : found;
  }
  const people = work.catalogue.people.map(({ handle }) => handle.toLowerCase());
  if (
    /\bon-call\b/.test(line) &&
    tokens.some((token) => token.kind === 'user' || people.includes(token.raw.toLowerCase()))
  ) {
    ask(
      work,
      ['condition'],
      'Whether a certain person is on call cannot be compared. What else should decide?',
    );
    return null;
  }
  if (/\blots\b/.test(line)) {
    ask(work, ['threshold'], 'From how many on should it happen? Please give a number.');
    return null;
  }
  return ofStatus(tokens, line, work) ?? ofPresence(tokens, line, work);
}

/** What is only compared with a number needs no list. */
function countInstead(step: DraftStep): void {
  if (step.tool === 'jira.search' && step.open && step.args.text === undefined) step.tool = 'jira.count';
}

/** Parts joined by "and" or "or" that each compare something of their own. */
function partsOf(tokens: readonly Token[]): { parts: Token[][]; word: 'and' | 'or' } | null {
  for (const word of ['and', 'or'] as const) {
    const at = tokens.findIndex(
      (token, index) =>
        token.word === word &&
        index > 0 &&
        complete(tokens.slice(0, index)) &&
        complete(tokens.slice(index + 1)),
    );
    if (at > 0) return { parts: [tokens.slice(0, at), tokens.slice(at + 1)], word };
  }
  return null;
}

function complete(tokens: readonly Token[]): boolean {
  const line = lineOf(tokens);
  return (
    comparisonIn(tokens) !== null ||
    durationIn(tokens) !== null ||
    /§key\d+ (?:is |has |still |not |in )+\S/.test(line) ||
    /§proj\d+ has (?:open |any )*(?:§prio|ticket|bug)/.test(line) ||
    /§svc\d+ has (?:an? |open |any )*(?:incident|firing)/.test(line) ||
    /(?:§key\d+|\bit\b) (?:is |still |not )*open\b|\b(breached|none|any|blocked|closed|unassigned)\b|\b(someone|nobody)\b.*\bon-call\b/.test(
      line,
    )
  );
}

/** Reads a condition, adding the reads it needs. Null when it cannot be told what it asks. */
export function conditionOf(tokens: readonly Token[], negated: boolean, work: Work): DraftCondition | null {
  const split = partsOf(tokens);
  let condition: DraftCondition | null;
  if (split) {
    const parts = split.parts.map((part) => conditionOf(part, false, work));
    const found = parts.filter((part) => part !== null);
    condition = found.length < parts.length ? null : split.word === 'and' ? { all: found } : { any: found };
  } else {
    const before = work.steps.length;
    condition = single(tokens, work);
    if (work.steps.length > before) work.lastReads = work.steps.slice(before);
  }
  return condition && negated ? negate(condition) : condition;
}
