import type { Clause } from './clauses/clause.ts';
import { conditionFor, type Flow } from './clauses/flow.ts';
import { mention, readAhead, topicAhead } from './clauses/mentions.ts';
import { isWrite, withConditionsFirst } from './clauses/order.ts';
import { bareState, isIdle, isRemark, isSmallTalk } from './clauses/remarks.ts';
import { summaryBefore } from './clauses/summary-before.ts';
import { conditionOf } from './conditions/conditions.ts';
import { allOf, type DraftCondition, type DraftStep, negate, readsOf, sourcesOf } from './draft/draft.ts';
import { guardOrder, isWriteStep } from './draft/guards.ts';
import { ask, type Work } from './draft/work.ts';
import { orderOf } from './orders/orders.ts';
import { ofKind } from './words/token.ts';
import { textFrom } from './writes/messages.ts';

const stating = /^(breached|at-risk|exceeds|above|below|over|under|more-than|less-than|at-least|at-most)$/;

/** Goes through the clauses in order and puts the steps of the plan together. */
export function interpret(clauses: readonly Clause[], work: Work): void {
  const flow: Flow = {
    current: null,
    last: null,
    rest: [],
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
      work.topic = topicAhead(ordered[index + 1]);
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

function askCondition(work: Work): void {
  ask(
    work,
    ['condition'],
    'When exactly should it happen? Please say what to count and from which number on.',
  );
}

function readCondition(clause: Clause, flow: Flow, work: Work, next: Clause | undefined): void {
  const before = work.troubles.length;
  const read = work.steps.length;
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
  // "if afterwards none is left": what is looked at changes with the order before.
  if (clause.join === 'then')
    for (const step of work.steps.slice(read)) for (const earlier of flow.before) step.needs.add(earlier);
  const both = flow.current && clause.join === 'and' && flow.sinceStart.length === 0 && !flow.idle;
  flow.idle = false;
  const chained = clause.join === 'otherwise' && flow.last !== null;
  flow.rest = chained && flow.last ? [...flow.rest, negate(flow.last)] : [];
  flow.last = both && flow.current ? { all: [flow.current, condition] } : condition;
  flow.current = allOf([...flow.rest, flow.last]);
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
    ask(work, ['goal'], `Should ${bare.key} be moved to ${bare.status}, or do you want to see it?`, [
      `Move ${bare.key} to ${bare.status}`,
      `Show ${bare.key}`,
    ]);
    return;
  }
  const raw = clause.tokens.map((token) => token.raw.toLowerCase()).join(' ');
  const always =
    /\b(?:in any case|in either case|either way|regardless|whatever happens|no matter what)\b/.test(raw);
  const condition = always ? null : conditionFor(clause, flow);
  work.condition = condition;
  const before = work.steps.length;
  orderOf(clause.tokens, work);
  const added = work.steps.slice(before);
  if (work.troubles.length === 0) guardOrder(clause.tokens, added, work);
  const lost = hangs && condition === null && !isSmallTalk(clause) && work.steps.some(isWriteStep);
  if (lost && work.troubles.length === 0) askCondition(work);
  const summary = added.length > 0 ? summaryBefore(clause, flow, work.steps[before - 1]) : null;
  if (summary) {
    const posts = added.filter((step) => step.tool === 'slack.post');
    const reads = added.filter((step) => !posts.includes(step));
    summary.args = { ...summary.args, input: textFrom([...sourcesOf(summary), ...reads]) };
    for (const post of posts) post.args = { ...post.args, text: textFrom([summary]) };
    work.lastReads = [summary];
  }
  if (clause.join === 'otherwise' || clause.join === 'same') flow.current = condition;
  if (clause.join === 'then') flow.after = clause.afterAll ? flow.sinceStart : flow.before;
  else if (clause.join !== 'and' && clause.join !== 'also') flow.after = [];
  for (const step of added) {
    if (condition && !isLookup(step, added)) step.when = condition;
    if (isWriteStep(step) || clause.join === 'then')
      for (const earlier of flow.after)
        if (earlier !== step && !follows(step, added)) step.needs.add(earlier);
  }
  if (added.length === 0 && clause.tokens.length > 1 && !isSmallTalk(clause)) work.ignored += 1;
  if (
    added.length === 0 &&
    clause.tokens
      .slice(0, -1)
      .some(
        (token) => token.kind === 'word' && stating.test(token.word) && !/^br(?:oke|eak)/i.test(token.raw),
      )
  )
    work.lostCondition = true;
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
