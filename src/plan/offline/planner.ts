import { openCatalogue } from '../../core/catalogue.ts';
import { cut } from '../../core/inert.ts';
import { planLimits } from '../../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../../core/planning.ts';
import type { Playbook } from '../playbooks/playbook.ts';
import { createPlaybookSearch } from '../playbooks/search.ts';
import { type Answered, asked, refused } from './answers/answers.ts';
import { unavailable, unknownAsker, withAvailableLogs } from './answers/available.ts';
import { englishBest, isUnread, nothingFound } from './answers/nothing-found.ts';
import { noToolFor, outOfScopeFor, refusalOf } from './answers/refusals.ts';
import { changePlan } from './change/change.ts';
import { givenBy } from './change/given.ts';
import { clausesOf } from './clauses/clauses.ts';
import { liftNegations } from './clauses/negation.ts';
import { countForSla } from './conditions/sla-by-count.ts';
import { contradictionIn } from './draft/contradiction.ts';
import { describePlan } from './draft/describe.ts';
import { withoutRepeats } from './draft/guards.ts';
import { leftoversIn, losesBound, lostPage, takeUp } from './draft/leftovers.ts';
import { settle } from './draft/settle.ts';
import { mergeSummaries } from './draft/summaries.ts';
import { planFrom } from './draft/to-plan.ts';
import { createWork, type Trouble, type Work } from './draft/work.ts';
import { nearPlaybook } from './from-playbook.ts';
import { interpret } from './interpret.ts';
import { namesRead } from './reads/reads.ts';
import { comparisonIn, isNumbering } from './words/comparisons.ts';
import { startsWrite } from './words/grammar.ts';
import { isReceiver } from './words/marks.ts';
import { createLexicon, type Lexicon, type Reading, readGoal } from './words/normalise.ts';
import type { Token } from './words/token.ts';

function fromTrouble(trouble: Trouble): Answered {
  if (trouble.kind === 'refuse') return refused(trouble, 0.9);
  return asked(trouble.question, trouble.missing, trouble.options ?? [], 0.8);
}

const yesOrNo =
  /^(none|any|still|already|yet|more-than|less-than|over|under|above|below|at-least|at-most|exceeds|breached|at-risk|blocked)$/;
const open = /^(which|who|how many|where|list|please|could|explain|mean|count|show|find|get|summarize)$/;

/** "no open incidents? tell #ops …": a question that can be answered with yes or no, in front of an order. */
function asksFirst(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => {
    if (token.kind !== 'mark' || token.word !== '?' || !startsWrite(tokens, index + 1)) return false;
    const start = tokens.findLastIndex((other, at) => at < index && /^[;.?!]$/.test(other.word)) + 1;
    const question = tokens.slice(start, index).filter((other) => other.kind === 'word');
    return (
      question.some((other) => yesOrNo.test(other.word)) && !question.some((other) => open.test(other.word))
    );
  });
}

/** The words have a condition and the plan changes something without one: it was not understood. */
function losesCondition(work: Work, reading: Reading): boolean {
  const { tokens } = reading;
  const stated = tokens.some(
    (token, index) =>
      token.kind === 'word' &&
      /^(if|unless)$/.test(token.word) &&
      !tokens
        .slice(0, index)
        .some((before) => /^(ask|saying|that|:|check|find|show|know)$/.test(before.word)),
  );
  const end = tokens.findIndex(
    (token, index) =>
      /^(saying|that|about)$/.test(token.word) ||
      (token.word === ':' &&
        tokens.slice(0, index).some((other) => isReceiver(other) || other.word === 'page')),
  );
  const head = end < 0 ? tokens : tokens.slice(0, end);
  const compared = comparisonIn(head) !== null && !isNumbering(head);
  const writes = work.steps.filter((step) => work.catalogue.manifests.get(step.tool)?.effect === 'write');
  return (
    (stated || compared || work.lostCondition || asksFirst(tokens)) &&
    writes.length > 0 &&
    writes.every((step) => step.when === null)
  );
}

/** 0 to 1: less for words that are not known, for clauses and names without effect and for other languages. */
function sureness(work: Work, reading: Reading, left: readonly Token[]): number {
  const words = 0.25 * Math.max(0, 1 - reading.understood);
  const clauses = 0.3 * Math.min(2, work.ignored);
  const language = reading.language === 'en' ? 0 : 0.1;
  const unused = 0.2 * Math.min(2, left.length);
  return Math.max(0.05, 0.97 - words - clauses - language - unused);
}

function finish(work: Work, reading: Reading, goal: string, left: readonly Token[]): Answered {
  countForSla(work);
  // Before names are put right: the words and the steps still say the same.
  const lost = lostPage(reading.tokens, work);
  settle(work);
  const trouble = work.troubles[0];
  if (trouble) return fromTrouble(trouble);
  if (work.steps.length === 0) return nothingFound(reading, work.catalogue);
  const boundLost = work.given.condition === undefined && losesBound(left, work.steps);
  if (losesCondition(work, reading) || boundLost)
    return asked(
      'Under which condition exactly should it happen? Please say what to look at and from which number or state on.',
      ['condition'],
      [],
      0.4,
    );
  if (lost !== null)
    return asked(`When should ${lost} be paged? Please say it in a sentence of its own.`, ['goal'], [], 0.4);
  const reads = work.steps.every((step) => step.tool === 'runbook.search');
  if (isUnread(reading) && !reads) return asked(englishBest, ['goal'], [], 0.3);
  const steps = withAvailableLogs(work.steps, work.catalogue, goal);
  const lacking = unavailable(steps, work.catalogue) ?? unknownAsker(steps, work.catalogue);
  if (lacking) return refused(lacking, 0.9);
  if (steps.length > planLimits.steps) {
    return asked(
      `That would be ${steps.length} steps; a plan has at most ${planLimits.steps}. What matters most?`,
      ['goal'],
      [],
      0.8,
    );
  }
  const plan = planFrom(goal, steps, describePlan(work, reading, left));
  return { answer: { kind: 'plan', plan }, confidence: sureness(work, reading, left) };
}

function refusalFor(goal: string, tools: Iterable<string>): Answered | null {
  const refusal = refusalOf(goal) ?? noToolFor(goal, tools) ?? outOfScopeFor(goal);
  return refusal && refused(refusal, refusal.reason === 'out_of_scope' ? 0.85 : 0.95);
}

/** The playbook that a goal resembles. Only vetted plans are taken without a closer look at the words. */
function fromPlaybook(input: PlanningInput, library: Library, lexicon: Lexicon): Answered | null {
  if (input.catalogue.open || library.playbooks.length === 0) return null;
  const near = nearPlaybook(input, library.search(input.goal, 3), lexicon);
  if (near?.kind !== 'plan' || unavailable(near.plan.steps, input.catalogue)) return null;
  return { answer: near, confidence: 0.95, planner: 'playbook' };
}

function fromChange(input: PlanningInput, words: string, lexicon: Lexicon): Answered {
  const refusal = refusalOf(words);
  if (refusal) return refused(refusal, 0.95);
  const changed = changePlan(input, lexicon);
  if (changed === null)
    return asked(
      'What should be changed? For example: use P2, post to another channel, or do not page.',
      ['change'],
      [],
      0.3,
    );
  if ('trouble' in changed) return fromTrouble(changed.trouble);
  const lacking = unavailable(changed.plan.steps, input.catalogue);
  return lacking ? refused(lacking, 0.9) : { answer: { kind: 'plan', plan: changed.plan }, confidence: 0.85 };
}

function planGoal(input: PlanningInput, library: Library, lexicon: Lexicon): Answered {
  // What is left after a failure needs judgement: planning the goal anew would repeat writes that were made.
  if (input.replan !== null) {
    return asked('What should be done about the steps that failed?', ['goal'], [], 0.05);
  }
  if (input.change !== null) return fromChange(input, input.change.words, lexicon);
  const answers = givenBy(input.answers, input.catalogue, lexicon);
  const quoted = cut(input.quoted?.trim() ?? '', 3_000);
  const given = quoted ? { text: quoted, ...answers } : answers;
  const goal = given.goal ?? input.goal;
  const tools = [...input.catalogue.manifests.keys()];
  const refusal = refusalFor(input.goal, tools) ?? refusalFor(goal, tools);
  if (refusal) return refusal;
  const vetted = fromPlaybook(input, library, lexicon);
  if (vetted) return vetted;
  const reading = readGoal(goal, input.catalogue, lexicon);
  const { tokens, forbidden } = liftNegations(reading.tokens, goal);
  const work = createWork(goal, input.catalogue, forbidden, given);
  interpret(clausesOf(tokens, namesRead), work);
  takeUp(tokens, work);
  withoutRepeats(work);
  mergeSummaries(work);
  const contradiction = contradictionIn(work);
  if (contradiction !== null) {
    const { question, missing, options } = contradiction;
    return asked(question, [missing], options, 0.85);
  }
  return finish(work, reading, input.goal, leftoversIn(tokens, work.steps));
}

interface Library {
  readonly playbooks: readonly Playbook[];
  readonly search: ReturnType<typeof createPlaybookSearch>;
}

export interface OfflineOptions {
  /** Vetted plans that a goal may match. */
  readonly playbooks: readonly Playbook[];
}

const nothing = openCatalogue([]);

const usual = [
  'check open P1 tickets in OPS against the SLA and page the on-call of ops if breached, otherwise post it to #ops',
  'wie viele offene tikets, quién está de guardia, comment "x" on OPS-1 and close it unless it is blocked',
];

/** Compiles patterns once, so that the first request at night is as quick as the second. */
function warmUp(lexicon: Lexicon): void {
  for (const goal of usual) {
    refusalFor(goal, []);
    const { tokens, forbidden } = liftNegations(readGoal(goal, nothing, lexicon).tokens, goal);
    interpret(clausesOf(tokens, namesRead), createWork(goal, nothing, forbidden));
  }
}

/** Plans without a model: words, grammar and the catalogue. The same goal always gives the same answer. */
export function createOfflinePlanner(options: OfflineOptions): Planner {
  const lexicon = createLexicon();
  warmUp(lexicon);
  const library: Library = { playbooks: options.playbooks, search: createPlaybookSearch(options.playbooks) };
  return {
    plan(input: PlanningInput): Promise<PlannerReply> {
      const { answer, confidence, planner = 'offline' } = planGoal(input, library, lexicon);
      return Promise.resolve({ answer, planner, confidence, usage: null, notes: [] });
    },
  };
}
