import { type Asked, comparisonIn, durationIn } from './comparisons.ts';
import {
  type Compare,
  type DraftCondition,
  type DraftStep,
  negate,
  numberOf,
  type Operator,
} from './draft.ts';
import { namesRead, type ReadSpec, readsIn } from './reads.ts';
import { statusName } from './statuses.ts';
import { minutesOf } from './times.ts';
import { lineOf, ofKind, type Token } from './token.ts';
import { addRead, ask, knownOf, type Work } from './work.ts';

/** The reads a condition is about: those it names, else what was read last. */
function subjects(tokens: readonly Token[], work: Work): DraftStep[] {
  const specs = readsIn(tokens, 'count', knownOf(work)).filter((spec) => spec.tool !== 'sla.threshold');
  const projects = ofKind(tokens, 'project');
  const first = work.lastReads[0];
  const adds = specs.some((spec) => Object.keys(spec.args).length > 0);
  if (specs.length === 0 && projects.length > 0) {
    const last = first?.tool === 'jira.count' ? first.args : {};
    return projects.map((token) =>
      addRead(work, { tool: 'jira.count', args: { ...last, project: token.word } }),
    );
  }
  if (first && (specs.length === 0 || (!adds && sameFamily(first, specs)))) return work.lastReads;
  if (first && specs.length > 0 && sameFamily(first, specs) && refines(first, specs)) return work.lastReads;
  return specs.map((spec) => addRead(work, withProject(spec, work)));
}

/** "more than 5 open tickets" after "count the tickets in PAY" speaks of what was counted. */
function refines(step: DraftStep, specs: readonly ReadSpec[]): boolean {
  return specs.every((spec) =>
    Object.entries(spec.args).every(
      ([name, value]) =>
        step.args[name] === value ||
        (name === 'status' && step.args.status === undefined && spec.args.project === undefined),
    ),
  );
}

function sameFamily(step: DraftStep, specs: readonly ReadSpec[]): boolean {
  const issues = /^jira\.(count|search|sla)$/;
  return specs.every((spec) => spec.tool === step.tool || (issues.test(spec.tool) && issues.test(step.tool)));
}

function withProject(spec: ReadSpec, work: Work): ReadSpec {
  const needs = /^(jira\.(count|search)|sla\.threshold)$/.test(spec.tool) && spec.args.project === undefined;
  return needs && work.project !== undefined
    ? { ...spec, args: { project: work.project, ...spec.args } }
    : spec;
}

function together(steps: readonly DraftStep[], op: Operator, right: Compare['right']): DraftCondition {
  return { left: steps.map(numberOf), op, right };
}

/** Several subjects are added up where the words say so, else each of them must hold, or one of them. */
function over(steps: readonly DraftStep[], asked: Asked, line: string): DraftCondition {
  const each = /\b(both|each)\b/.test(line) && !/\btogether\b/.test(line);
  const either = /\bor\b|\beither\b/.test(line);
  const of = (group: readonly DraftStep[]): DraftCondition => {
    const parts = asked.bounds.map((bound) => together(group, bound.op, bound.value));
    return parts.length === 1 && parts[0] ? parts[0] : { all: parts };
  };
  if (steps.length > 1 && each) return { all: steps.map((step) => of([step])) };
  if (steps.length > 1 && either) return { any: steps.map((step) => of([step])) };
  return of(steps);
}

function againstSla(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const counts = work.lastReads.filter((step) => step.tool === 'jira.count');
  const threshold = work.steps.find((step) => step.tool === 'sla.threshold');
  const breach = /\bbreached\b/.test(line);
  const compared =
    /\b(more \S.* than|fewer \S.* than|more-than|over|above|exceeds|less-than|below|at-most|lots)\b/.test(
      line,
    ) && /\b(sla|threshold)\b/.test(line);
  if (!breach && !compared) return null;
  const things = ofKind(tokens, 'key', 'project', 'priority').length > 0 || /\bticket\b/.test(line);
  if (
    breach &&
    threshold &&
    work.steps.some((step) => step.tool === 'jira.count') &&
    ofKind(tokens, 'key').length === 0
  ) {
    const found = counts.length > 0 ? counts : work.steps.filter((step) => step.tool === 'jira.count');
    return {
      left: found.slice(0, 1).map(numberOf),
      op: negative(line) ? '<=' : '>',
      right: numberOf(threshold),
    };
  }
  if (breach && !compared) return slaState(tokens, line, things, work);
  const named = readsIn(withoutSla(tokens), 'count', knownOf(work)).filter(
    (spec) => spec.tool === 'jira.count',
  );
  const subject =
    named.length > 0 && (ofKind(tokens, 'project', 'priority').length > 0 || counts.length === 0)
      ? named.map((spec) => addRead(work, withProject(spec, work)))
      : counts;
  const count =
    subject[0] ?? addRead(work, withProject({ tool: 'jira.count', args: projectArgs(tokens) }, work));
  const { project, priority } = count.args;
  const limit = addRead(work, {
    tool: 'sla.threshold',
    args: { ...(project ? { project } : {}), ...(priority ? { priority } : {}) },
  });
  const op: Operator = /\b(less-than|below)\b/.test(line)
    ? '<'
    : /\bat-most\b/.test(line)
      ? '<='
      : negative(line)
        ? '<='
        : '>';
  return { left: [numberOf(count)], op, right: numberOf(limit) };
}

function projectArgs(tokens: readonly Token[]): ReadSpec['args'] {
  const project = ofKind(tokens, 'project')[0]?.word;
  const priority = ofKind(tokens, 'priority')[0]?.word;
  return { ...(project ? { project } : {}), ...(priority ? { priority } : {}) };
}

function withoutSla(tokens: readonly Token[]): Token[] {
  const counted = tokens.filter((token) => !/^(sla|threshold|breached)$/.test(token.word));
  return [...counted, { kind: 'word', word: 'ticket', raw: '', start: 0, end: 0 }];
}

function negative(line: string): boolean {
  return /\b(not|none|do-not)\b/.test(line);
}

function slaState(tokens: readonly Token[], line: string, things: boolean, work: Work): DraftCondition {
  const last = work.lastReads.find((step) => step.tool === 'jira.sla');
  const specs = things
    ? readsIn([...tokens, { kind: 'word', word: 'sla', raw: '', start: 0, end: 0 }], 'count', knownOf(work))
    : [];
  const spec = specs.find((found) => found.tool === 'jira.sla');
  if (spec && spec.args.key === undefined && /\b(any|none|ticket|bug|more-than|at-least)\b/.test(line)) {
    const step = addRead(work, spec);
    return { left: [{ step, field: 'total' }], op: negative(line) ? '==' : '>', right: 0 };
  }
  const key = typeof work.lastKey === 'string' ? { key: work.lastKey } : {};
  const step = spec
    ? addRead(work, { ...spec, args: withoutState(spec.args) })
    : (last ?? addRead(work, { tool: 'jira.sla', args: key }));
  if (last && !spec && step.args.state !== undefined)
    return { left: [{ step, field: 'total' }], op: negative(line) ? '==' : '>', right: 0 };
  return { left: [{ step, field: 'state' }], op: negative(line) ? '!=' : '==', right: 'breached' };
}

function withoutState(args: ReadSpec['args']): ReadSpec['args'] {
  const { state: _state, ...rest } = args;
  return rest;
}

function ofAge(tokens: readonly Token[], work: Work): DraftCondition | null {
  const found = durationIn(tokens);
  if (!found) return null;
  const rest = tokens.filter((_, index) => !found.used.has(index));
  const line = lineOf(tokens);
  const minutes = minutesOf(found.duration);
  if (found.of === 'left') {
    const specs = readsIn(rest, null, knownOf(work)).filter((spec) => spec.tool === 'jira.sla');
    const sla = specs[0]
      ? addRead(work, specs[0])
      : (work.lastReads.find((step) => step.tool === 'jira.sla') ?? null);
    if (sla) return { left: [{ step: sla, field: 'minutes_left' }], op: found.op, right: minutes };
  }
  const named = readsIn(rest, 'list', knownOf(work));
  const useLast = work.lastReads.length > 0 && (named.length === 0 || /\b(it|that|this)\b/.test(line));
  const step = useLast ? work.lastReads[0] : named[0] ? addRead(work, aged(named[0])) : undefined;
  if (!step) return null;
  const field = step.tool === 'jira.get' ? 'age_minutes' : 'first_age_minutes';
  return { left: [{ step, field }], op: found.op, right: minutes };
}

/** Older than a time: the oldest one is what matters. */
function aged(spec: ReadSpec): ReadSpec {
  return spec.tool === 'jira.search' || spec.tool === 'pagerduty.incidents'
    ? { ...spec, args: { ...spec.args, order: 'oldest', limit: 1 } }
    : spec;
}

function ofStatus(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const status = statusName(tokens, work.goal);
  const last = work.lastReads.find((step) => step.tool === 'jira.get');
  const meant =
    !last && typeof work.lastKey === 'string' && /\b(it|this|that|ticket|is)\b/.test(line)
      ? work.lastKey
      : undefined;
  const key = ofKind(tokens, 'key')[0]?.word ?? meant;
  if (key === undefined && !last) return null;
  const unassigned = /\bunassigned\b|\bassigned\b/.test(line);
  if (status === null && !unassigned && ofKind(tokens, 'priority').length === 0) return null;
  const step = key !== undefined ? addRead(work, { tool: 'jira.get', args: { key } }) : last;
  if (!step) return null;
  const not = negative(line);
  if (status !== null) return { left: [{ step, field: 'status' }], op: not ? '!=' : '==', right: status };
  const priority = ofKind(tokens, 'priority')[0]?.word;
  if (priority !== undefined)
    return { left: [{ step, field: 'priority' }], op: not ? '!=' : '==', right: priority };
  return { left: [{ step, field: 'assigned' }], op: '==', right: !/\bunassigned\b/.test(line) && !not };
}

function ofPresence(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const someone = /\bsomeone\b/.test(line) && /\bon-call\b/.test(line);
  const nobody = /\b(nobody|no-one)\b/.test(line) || /\bnone one\b/.test(line);
  const none =
    nobody ||
    /\bnone\b/.test(line) ||
    (/\bnot\b|\bdo-not\b/.test(line) && /\b(any|exists?|there|found|known|find)\b/.test(line));
  const steps = subjects(tokens, work);
  if (steps.length === 0) return null;
  if (none) return together(steps, '==', 0);
  const any =
    someone ||
    /\b(any|exists?|there|is found|found|find|has|show|appears?|comes?|turns?|known)\b/.test(line) ||
    namesRead(tokens);
  return any ? together(steps, '>', 0) : null;
}

/** "PAY has more P1s than CHK": two counts against each other. */
function twoCounts(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const than = tokens.findIndex(
    (token) =>
      token.kind === 'word' && (token.word === 'than' || (token.word === 'as' && /\btwice\b/.test(line))),
  );
  const projects = ofKind(tokens, 'project');
  if (projects.length !== 2 || !/\b(more-than|less-than|twice|more|fewer|less)\b/.test(line) || than < 0)
    return null;
  const args =
    readsIn(
      tokens.filter((token) => token.kind !== 'project'),
      'count',
      knownOf(work),
    )[0]?.args ?? {};
  const [left, right] = projects.map((token) =>
    addRead(work, { tool: 'jira.count', args: { project: token.word, ...args } }),
  );
  if (!left || !right) return null;
  const factor = /\btwice\b/.test(line) ? { factor: 2 } : {};
  return {
    left: [numberOf(left)],
    op: /\b(less-than|fewer|less)\b/.test(line) ? '<' : /\btwice\b/.test(line) && !/\bmore-than\b/.test(line) ? '>=' : '>',
    right: numberOf(right),
    ...factor,
  };
}

function single(tokens: readonly Token[], work: Work): DraftCondition | null {
  const line = lineOf(tokens);
  const two = twoCounts(tokens, line, work);
  if (two) return two;
  const asked = comparisonIn(tokens);
  const age = asked ? null : ofAge(tokens, work);
  if (age) return age;
  const sla = asked ? null : againstSla(tokens, line, work);
  if (sla) return sla;
  if (asked) {
    const steps = subjects(asked.rest, work);
    return steps.length > 0 ? over(steps, asked, line) : null;
  }
  if (/\blots\b/.test(line)) {
    ask(work, ['threshold'], 'From how many on should it happen? Please give a number.');
    return null;
  }
  return ofStatus(tokens, line, work) ?? ofPresence(tokens, line, work);
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
    /\b(breached|none|any|blocked|closed|unassigned)\b|\b(someone|nobody)\b.*\bon-call\b/.test(line)
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
