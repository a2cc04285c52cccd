import type { Clause } from './clause.ts';
import { conditionOf } from './conditions.ts';
import { type DraftCondition, type DraftStep, negate, readsOf, sourcesOf } from './draft.ts';
import { startsWrite } from './grammar.ts';
import { guardOrder, isWriteStep } from './guards.ts';
import { textFrom } from './messages.ts';
import { orderOf } from './orders.ts';
import { namesRead, readsIn } from './reads.ts';
import { bareState, isIdle, isRemark, isSmallTalk } from './remarks.ts';
import { summaryBefore } from './summary-before.ts';
import { lineOf, ofKind } from './token.ts';
import { addRead, ask, knownOf, type Work } from './work.ts';

interface Flow {
  /** The condition that clauses of this sentence hang on. */
  current: DraftCondition | null;
  /** The last condition, for "otherwise" and "in that case". */
  last: DraftCondition | null;
  sentence: number;
  /** Steps of the clause before, for "then". */
  before: DraftStep[];
  /** Write steps since the sentence began, for a condition at its end. */
  sinceStart: DraftStep[];
  /** What the last "then" came after: "then A and B" is about B as well. */
  after: readonly DraftStep[];
  /** The order before, which "if so" turns into a question: "check whether X, and page Y if so". */
  asked: Clause | null;
  /** What that order reads. */
  askedSteps: readonly DraftStep[];
  /** The order of the last condition was to do nothing. */
  idle: boolean;
}

/** What holds for an order, given how its clause hangs on those before it. */
function conditionFor(clause: Clause, flow: Flow): DraftCondition | null {
  if (clause.join === 'otherwise') return flow.last ? negate(flow.last) : null;
  // After "if there are none, do nothing", "if yes" is the opposite.
  if (clause.join === 'same' && flow.last && flow.idle) return negate(flow.last);
  if (clause.join === 'same') return flow.last;
  return flow.current;
}

/**
 * A condition behind its orders ("page X if …") is read first, so that the text of the order can give its numbers.
 */
function withConditionsFirst(clauses: readonly Clause[]): Clause[] {
  const ordered: Clause[] = [];
  let start = 0;
  clauses.forEach((clause, index) => {
    if (clauses[start]?.sentence !== clause.sentence || clause.join === 'otherwise') start = ordered.length;
    const trails =
      clause.kind === 'condition' &&
      index > start &&
      !leadsOn(clauses, index) &&
      clauses[index - 1]?.kind === 'action' &&
      clauses[index - 1]?.sentence === clause.sentence &&
      !(
        (clause.forward || /^(same|otherwise)$/.test(clauses[index - 1]?.join ?? '')) &&
        clauses[index + 1]?.kind === 'action' &&
        clauses[index + 1]?.sentence === clause.sentence
      );
    if (!trails) ordered.push(clause);
    else {
      ordered.splice(firstWrite(ordered, start), 0, clause);
      start = ordered.length;
    }
  });
  return ordered;
}

/** "if A, do X, if B, do Y": a condition in front of its own order, in a sentence that starts with one. */
function leadsOn(clauses: readonly Clause[], index: number): boolean {
  const sentence = clauses[index]?.sentence;
  const next = clauses[index + 1];
  if (next?.kind !== 'action' || next.sentence !== sentence || next.join === 'otherwise') return false;
  const before = clauses.slice(0, index).filter((clause) => clause.sentence === sentence);
  const first = before.findIndex((clause) => clause.kind === 'condition');
  return first >= 0 && !before.slice(0, first).some((clause) => clause.kind === 'action' && isWrite(clause));
}

/** Where a trailing condition belongs: before the first order since `start` that changes something. */
function firstWrite(clauses: readonly Clause[], start: number): number {
  for (let index = start; index < clauses.length; index += 1) {
    const clause = clauses[index];
    if (clause?.kind === 'action' && isWrite(clause)) return index;
  }
  return clauses.length;
}

function isWrite(clause: Clause): boolean {
  const line = lineOf(clause.tokens);
  const told = clause.tokens.some((token) => token.kind === 'channel');
  return told || (startsWrite(clause.tokens, 0) && !/^(?:please )*(?:tell|post|let) me\b/.test(line));
}

/** Goes through the clauses in order and puts the steps of the plan together. */
export function interpret(clauses: readonly Clause[], work: Work): void {
  const flow: Flow = {
    current: null,
    last: null,
    sentence: -1,
    before: [],
    sinceStart: [],
    after: [],
    asked: null,
    askedSteps: [],
    idle: false,
  };
  const ordered = withConditionsFirst(clauses);
  for (const [index, clause] of ordered.entries()) {
    if (clause.sentence !== flow.sentence) {
      const carries =
        clause.join === 'same' ||
        clause.join === 'otherwise' ||
        clause.join === 'then' ||
        clause.join === 'also';
      const dangling = flow.current !== null && flow.sinceStart.length === 0;
      if (!carries && !dangling) flow.current = null;
      flow.sentence = clause.sentence;
      flow.after = [];
      flow.sinceStart = [];
    }
    mention(clause, clause.kind === 'condition' ? ordered[index + 1] : undefined, work);
    if (clause.kind === 'condition') {
      readAhead(clause, ordered[index + 1], work);
      readCondition(clause, flow, work, ordered[index + 1]);
    } else if (isIdle(clause)) {
      flow.idle = true;
      if (clause.join === 'otherwise' || clause.join === 'same') flow.current = conditionFor(clause, flow);
    } else if (isRemark(clause, ordered)) {
      work.remark = clause.tokens;
      if (ofKind(clause.tokens, 'key', 'priority', 'project').length > 0) flow.asked = clause;
    } else readOrder(clause, flow, work);
    if (work.troubles.length > 0) return;
  }
  if (dangles(flow, work)) askOrder(work);
}

/** The last condition has no order: what hangs on it was not understood. */
function dangles(flow: Flow, work: Work): boolean {
  const last = flow.current;
  if (last === null || flow.idle || flow.sinceStart.length > 0) return false;
  return !work.steps.some((step) => step.when === last);
}

function askOrder(work: Work): void {
  ask(work, ['what'], 'What should happen if that is so?');
}

/** What a clause speaks of is what "its" means in the next one; a condition may point to its order: "close X if it is". */
function mention(clause: Clause, order: Clause | undefined, work: Work): void {
  const named = (kind: 'project' | 'service' | 'user'): string | undefined =>
    ofKind(clause.tokens, kind).at(-1)?.word;
  work.project = named('project') ?? work.project;
  work.service = named('service') ?? work.service;
  const keyed = ofKind(clause.tokens, 'key').at(-1)?.word;
  if (keyed !== undefined && clause.kind === 'action' && !startsWrite(clause.tokens, 0)) work.lastKey = keyed;
  work.user = named('user') ?? work.user;
  const incident = clause.tokens.find(
    (token, index) =>
      token.kind === 'id' ||
      (token.kind === 'number' &&
        (/^(incident|pagerduty)$/.test(clause.tokens[index - 1]?.word ?? '') ||
          (/^number$/i.test(clause.tokens[index - 1]?.raw ?? '') &&
            token.word.length >= 4 &&
            /\b(incident|pagerduty)\b/.test(lineOf(clause.tokens))))),
  );
  if (incident && work.lastIncident === null) work.lastIncident = incident.word;
  if (work.service === undefined && /\b(it|its|there)\b/.test(lineOf(clause.tokens)))
    work.service = ofKind(order?.tokens ?? [], 'service')[0]?.word;
  if (work.project === undefined) work.project = ofKind(order?.tokens ?? [], 'project')[0]?.word;
  const key = ofKind(order?.tokens ?? [], 'key')[0]?.word;
  if (key !== undefined && ofKind(clause.tokens, 'key').length === 0 && work.lastKey === null)
    work.lastKey = key;
}

/** "tell #ops the count of X only if it is over 5": the condition is about what its order reads. */
function readAhead(clause: Clause, order: Clause | undefined, work: Work): void {
  const line = lineOf(clause.tokens);
  const points =
    /\b(it|that|they|them|there|any|none)\b/.test(line) &&
    ofKind(clause.tokens, 'project', 'key', 'service').length === 0;
  const tells =
    /^(?:please )*(?:post|tell|notify|let)\b/.test(lineOf(order?.tokens ?? [])) ||
    ofKind(order?.tokens ?? [], 'channel').length > 0;
  if (!order || !tells || work.lastReads.length > 0 || !points) return;
  const body = order.tokens.filter((token) => !/^(channel|user|quote)$/.test(token.kind));
  if (!namesRead(body)) return;
  const wanted = /\b(count|how many)\b/.test(lineOf(body)) ? 'count' : 'list';
  work.lastReads = readsIn(body, wanted, knownOf(work)).map((spec) => addRead(work, spec));
}

function askCondition(work: Work): void {
  ask(
    work,
    ['condition'],
    'When exactly should it happen? Please say what to count and from which number on.',
  );
}

function readCondition(clause: Clause, flow: Flow, work: Work, next: Clause | undefined): void {
  const before = work.troubles.length;
  const asked = work.given.condition;
  const own = conditionOf(clause.tokens, clause.negated, work);
  const condition =
    own ??
    (asked
      ? conditionOf(
          [...asked, ...clause.tokens.filter((token) => token.word !== 'lots')],
          clause.negated,
          work,
        )
      : null);
  if (condition !== null) work.troubles = work.troubles.filter((trouble) => trouble.kind !== 'ask');
  if (condition === null) {
    if (next && isIdle(next) && next.sentence === clause.sentence && work.troubles.length === before) return;
    if (work.troubles.length === before) askCondition(work);
    return;
  }
  const both = flow.current && clause.join === 'and' && flow.sinceStart.length === 0 && !flow.idle;
  flow.idle = false;
  flow.current = both && flow.current ? { all: [flow.current, condition] } : condition;
  flow.last = flow.current;
  if (!clause.forward) coverEarlier(condition, flow);
}

/** A condition behind orders that were carried out before it was read still holds for what they change. */
function coverEarlier(condition: DraftCondition, flow: Flow): void {
  const read = new Set(readsOf(condition));
  for (const step of flow.sinceStart) {
    const writes = /^(slack|jira\.(comment|transition|create)|pagerduty\.(page|note|ack|resolve))/.test(
      step.tool,
    );
    if (writes && step.when === null && !read.has(step)) step.when = condition;
  }
}

/** A question as a condition. Lists that it was read as are not needed when numbers are compared. */
function conditionFrom(asked: Clause, flow: Flow, work: Work): DraftCondition | null {
  const before = work.steps.length;
  const condition = conditionOf(asked.tokens, false, work);
  const counts = work.steps.slice(before);
  const spare = flow.askedSteps.filter((step) => step.open && step.tool === 'jira.search');
  const read = condition ? readsOf(condition) : [];
  if (counts.length > 0 && spare.length === counts.length && !spare.some((step) => read.includes(step)))
    work.steps.splice(0, work.steps.length, ...work.steps.filter((step) => !spare.includes(step)));
  return condition;
}

function readOrder(clause: Clause, flow: Flow, work: Work): void {
  const hangs = clause.join === 'same' || clause.join === 'otherwise';
  if (hangs && flow.last === null && flow.asked) flow.last = conditionFrom(flow.asked, flow, work);
  if (hangs && flow.last === null && isWrite(clause)) {
    askCondition(work);
    return;
  }
  const bare = bareState(clause);
  if (bare) {
    ask(work, ['what'], `Should ${bare.key} be moved to ${bare.status}, or do you want to see it?`, [
      `Move ${bare.key} to ${bare.status}`,
      `Show ${bare.key}`,
    ]);
    return;
  }
  const condition = conditionFor(clause, flow);
  work.condition = condition;
  const before = work.steps.length;
  orderOf(clause.tokens, work);
  const added = work.steps.slice(before);
  if (work.troubles.length === 0) guardOrder(clause.tokens, added, work);
  const lost = hangs && condition === null && !isSmallTalk(clause) && work.steps.some(isWriteStep);
  if (lost && work.troubles.length === 0) askCondition(work);
  const summary = added.length > 0 ? summaryBefore(clause, flow, work.steps[before - 1]) : null;
  if (summary) {
    summary.args = { ...summary.args, input: textFrom([...sourcesOf(summary), ...added]) };
    work.lastReads = [summary];
  }
  if (clause.join === 'otherwise' || clause.join === 'same') flow.current = condition;
  if (clause.join === 'then') flow.after = flow.before;
  else if (clause.join !== 'and' && clause.join !== 'also') flow.after = [];
  for (const step of added) {
    if (condition && !isLookup(step, added)) step.when = condition;
    if (isWriteStep(step) || clause.join === 'then')
      for (const earlier of flow.after)
        if (earlier !== step && !follows(step, added)) step.needs.add(earlier);
  }
  if (added.length === 0 && clause.tokens.length > 1 && !isSmallTalk(clause)) work.ignored += 1;
  flow.asked = clause;
  flow.askedSteps = added;
  if (added.length > 0) {
    flow.before = lastOf(added);
    flow.sinceStart.push(...added);
  }
}

/** Who is on call, looked up only to tell that person. */
function isLookup(step: DraftStep, clause: readonly DraftStep[]): boolean {
  return (
    step.tool === 'pagerduty.oncall' &&
    clause.some((other) => other.tool === 'slack.post' && sourcesOf(other).includes(step))
  );
}

/** True for a step that takes a result of another step of its own clause: it comes later anyway. */
function follows(step: DraftStep, clause: readonly DraftStep[]): boolean {
  return sourcesOf(step).some((source) => clause.includes(source));
}

/** The steps of a clause that nothing else in it comes after. */
function lastOf(steps: readonly DraftStep[]): DraftStep[] {
  return steps.slice(-1);
}
