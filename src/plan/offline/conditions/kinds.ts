import { type DraftCondition, type DraftStep, numberOf } from '../draft/draft.ts';
import { addRead, knownOf, type Work } from '../draft/work.ts';
import { namesRead, readsIn } from '../reads/reads.ts';
import type { ReadSpec } from '../reads/spec.ts';
import { type Asked, durationIn } from '../words/comparisons.ts';
import { statusName } from '../words/statuses.ts';
import { minutesOf } from '../words/times.ts';
import { lineOf, ofKind, type Token, tokenAt } from '../words/token.ts';
import { negative, subjects, together, withProject } from './subjects.ts';

/** Several subjects are added up where the words say so, else each of them must hold, or one of them. */
export function over(steps: readonly DraftStep[], asked: Asked, line: string): DraftCondition {
  const each = /\b(?:both|each)\b|\band §proj\d+ also\b/.test(line) && !/\btogether\b/.test(line);
  const either = /(?<!-)\bor\b(?!-)|\beither\b/.test(line) && !/\btogether\b/.test(line);
  const of = (group: readonly DraftStep[]): DraftCondition => {
    const parts = asked.bounds.map((bound) => together(group, bound.op, bound.value));
    return parts.length === 1 && parts[0] ? parts[0] : { all: parts };
  };
  if (steps.length > 1 && each) return { all: steps.map((step) => of([step])) };
  if (steps.length > 1 && either) return { any: steps.map((step) => of([step])) };
  return of(steps);
}

export function ofAge(tokens: readonly Token[], work: Work): DraftCondition | null {
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

/** "PAY-12 has not been updated for 3 days", "nobody has touched it in a week": how long one ticket lies still. */
export function ofIdle(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const duration = tokenAt(tokens, line.match(/\b(?:idle|unmoved\b.* (?:for|in|since)) (§dur\d+)/)?.[1]);
  const key = ofKind(tokens, 'key')[0]?.word;
  const last = /\b(it|that|this)\b/.test(line) && work.lastReads.find((step) => step.tool === 'jira.get');
  if (!duration) return null;
  const step = key !== undefined ? addRead(work, { tool: 'jira.get', args: { key } }) : last;
  return step ? { left: [{ step, field: 'idle_minutes' }], op: '>=', right: minutesOf(duration.word) } : null;
}

/** Older than a time: the oldest one is what matters. */
function aged(spec: ReadSpec): ReadSpec {
  return spec.tool === 'jira.search' || spec.tool === 'pagerduty.incidents'
    ? { ...spec, args: { order: 'oldest', ...spec.args, limit: 1 } }
    : spec;
}

/** "not yet done": the status that it does not have. */
function closedName(raw: string): string {
  const name = raw.split(' ').at(-1)?.toLowerCase() ?? 'done';
  return name === 'finished' ? 'Done' : name.charAt(0).toUpperCase() + name.slice(1);
}

/** "both PAY-1 and PAY-2 are Done": each of them, or one of them where "or" stands between. */
export function ofStatus(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const keys = ofKind(tokens, 'key');
  if (keys.length < 2) return ofOneStatus(tokens, line, work);
  const parts = keys.map((key) => {
    const own = tokens.filter((token) => token.kind !== 'key' || token === key);
    return ofOneStatus(own, lineOf(own), work);
  });
  const found = parts.filter((part) => part !== null);
  if (found.length < parts.length) return null;
  const neither = /\bneither\b/i.test(tokens.map((token) => token.raw).join(' '));
  const either = /(?<!-)\bor\b(?!-)|\beither\b/.test(line) && !neither;
  return either ? { any: found } : { all: found };
}

function ofOneStatus(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const undone = tokens.find(
    (token) =>
      token.word === 'open' &&
      /^(?:not|isn't|not yet) (?:yet )?(?:done|closed|resolved|finished)$/i.test(token.raw),
  );
  const status = undone ? closedName(undone.raw) : statusName(tokens, work.goal);
  const last = work.lastReads.find((step) => step.tool === 'jira.get');
  const meant =
    !last &&
    typeof work.lastKey === 'string' &&
    (tokens.every((token) => token.kind === 'word' && /^\p{Lu}/u.test(token.raw)) ||
      /\b(it|this|that|ticket|status)\b|^(?:(?:still|not|already|now|then|if|only|,) )*(?:is|are|sits|stands|open|blocked|closed|in progress|unassigned)\b/.test(
        line,
      ))
      ? work.lastKey
      : undefined;
  const key = ofKind(tokens, 'key')[0]?.word ?? meant;
  if (key === undefined && !last) return null;
  const other =
    /\b(incident|firing|on-call|runbook)\b/.test(line) || ofKind(tokens, 'project', 'service').length > 0;
  if (other && ofKind(tokens, 'key').length === 0) return null;
  const unassigned = /\bunassigned\b|\bassigned\b/.test(line);
  if (status === null && !unassigned && ofKind(tokens, 'priority').length === 0) return null;
  const step = key !== undefined ? addRead(work, { tool: 'jira.get', args: { key } }) : last;
  if (!step) return null;
  const not = negative(line) || undone !== undefined;
  if (status !== null) return { left: [{ step, field: 'status' }], op: not ? '!=' : '==', right: status };
  const priority = ofKind(tokens, 'priority')[0]?.word;
  if (priority !== undefined)
    return { left: [{ step, field: 'priority' }], op: not ? '!=' : '==', right: priority };
  return { left: [{ step, field: 'assigned' }], op: '==', right: !/\bunassigned\b/.test(line) && !not };
}

const ticketWord: Token = { kind: 'word', word: 'ticket', raw: '', start: 0, end: 0 };

/** "unless there is an open one already": a search for what the new ticket is about. */
function sameTopic(tokens: readonly Token[], line: string, work: Work): DraftStep | null {
  const points =
    /\b(one|that|it|this|same|such|already|exists?|there)\b/.test(line) &&
    ofKind(tokens, 'quote', 'key', 'service').length === 0;
  const other = /\b(incident|runbook|on-call|splunk|kql|sql|error)\b/.test(line);
  if (work.topic === undefined || !points || other) return null;
  const [spec] = readsIn([...tokens, ticketWord], 'list', knownOf(work));
  if (spec?.tool !== 'jira.search') return null;
  return addRead(work, {
    ...withProject(spec, work),
    args: { ...withProject(spec, work).args, text: work.topic },
  });
}

export function ofPresence(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const someone = /\bsomeone\b/.test(line) && /\bon-call\b/.test(line);
  const nobody = /\b(nobody|no-one)\b/.test(line) || /\bnone one\b/.test(line);
  const none =
    nobody ||
    /\bnone\b/.test(line) ||
    (/\bnot\b|\bdo-not\b/.test(line) && /\b(any|exists?|there|found|known|find)\b/.test(line));
  // A number that no comparison took: guessing "any" could turn the meaning round.
  if (ofKind(tokens, 'number').length > 0 || /\b(sla|threshold)\b/.test(line)) return null;
  const same = sameTopic(tokens, line, work);
  if (same) return together([same], none ? '==' : '>', 0);
  const one = /\bone\b/.test(line) && (/\babout\b/.test(line) || ofKind(tokens, 'quote').length > 0);
  const steps = subjects(one ? [...tokens, ticketWord] : tokens, work);
  // One ticket that was named exists; whether it has something is another question.
  if (steps.length === 0 || steps.some((step) => step.tool === 'jira.get')) return null;
  for (const step of steps)
    if (step.tool === 'jira.count' && step.args.text !== undefined) step.tool = 'jira.search';
  const of = (op: '==' | '>'): DraftCondition => {
    const each = steps.map((step) => together([step], op, 0));
    if (steps.length > 1 && /\b(both|each)\b/.test(line)) return { all: each };
    return together(steps, op, 0);
  };
  if (none) return of('==');
  const any =
    someone ||
    /§code\d+ is (?:a |an |the )?error\b/.test(line) ||
    /\b(any|exists?|there|is found|found|find|has|show|appears?|comes?|turns?|known)\b/.test(line) ||
    namesRead(tokens);
  return any ? of('>') : null;
}

/** "the P1s in PAY exceed those in ORD": the comparison stands between the two. */
function outnumber(tokens: readonly Token[], projects: readonly Token[]): boolean {
  const [left, right] = projects.map((token) => tokens.indexOf(token));
  const at = tokens.findIndex((token) => /^(more-than|less-than)$/.test(token.word));
  return (
    left !== undefined &&
    right !== undefined &&
    left < at &&
    at < right &&
    ofKind(tokens, 'number', 'duration').length === 0
  );
}

/** The words with one service only, and without the comparison. */
function without(tokens: readonly Token[], service: Token): Token[] {
  return tokens.filter(
    (token) =>
      (token.kind !== 'service' || token === service) &&
      !(
        token.kind === 'word' &&
        /^(more-than|less-than|twice|more|fewer|less|than|as|many|over)$/.test(token.word)
      ),
  );
}

/** "if TRK has more", "if splunk has more": one of two counts that were made before against the other. */
export function moreThanTheOther(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const op = /\b(more|more-than|higher|bigger|exceeds|leads|worse)\b/.test(line)
    ? '>'
    : /\b(fewer|less|less-than)\b/.test(line)
      ? '<'
      : null;
  const counts = work.steps.filter((step) =>
    /^(jira\.count|jira\.search|logs\.\w+|pagerduty\.incidents)$/.test(step.tool),
  );
  const [one, two] = counts;
  const counted =
    ofKind(tokens, 'number', 'duration').length > 0 || /\b(sla|threshold|breached)\b/.test(line);
  if (op === null || counts.length !== 2 || !one || !two || counted) return null;
  const named = (step: DraftStep): boolean =>
    tokens.some(
      (token) =>
        (token.kind === 'project' && step.args.project === token.word) ||
        (token.kind === 'service' && step.args.service === token.word) ||
        (token.word === 'splunk' && step.tool === 'logs.spl') ||
        (token.word === 'kql' && step.tool === 'logs.kql'),
    );
  const first = named(one) ? one : named(two) ? two : /\b(first|former)\b/.test(line) ? one : null;
  if (first === null || (named(one) && named(two) && !/\bthan\b/.test(line))) return null;
  const other = first === one ? two : one;
  for (const step of [first, other]) if (step.tool === 'jira.search' && step.open) step.tool = 'jira.count';
  return { left: [numberOf(first)], op, right: numberOf(other) };
}

/** "MIG has more open bugs than tasks": two kinds of tickets of one project. */
function twoKinds(tokens: readonly Token[], than: number, work: Work): DraftCondition | null {
  const kinds = (part: readonly Token[]) =>
    part.filter((token) => token.kind === 'priority' || /^(bug|story|task|epic)$/.test(token.word));
  const before = tokens.slice(0, Math.max(than, 0));
  const after = tokens.slice(than + 1);
  const [one, two] = [kinds(before), kinds(after)];
  const [project] = ofKind(tokens, 'project');
  const op = before.some((token) => /^(more|more-than)$/.test(token.word))
    ? '>'
    : before.some((token) => /^(fewer|less|less-than)$/.test(token.word))
      ? '<'
      : null;
  if (
    than < 0 ||
    op === null ||
    one.length !== 1 ||
    two.length !== 1 ||
    ofKind(tokens, 'number', 'duration').length > 0
  )
    return null;
  const counted = (part: readonly Token[]): DraftStep | null => {
    const own = part.filter(
      (token) => token.kind !== 'project' && !/^(more|more-than|fewer|less|less-than|has)$/.test(token.word),
    );
    const [spec] = readsIn(project ? [...own, project] : own, 'count', knownOf(work));
    return spec?.tool === 'jira.count' ? addRead(work, withProject(spec, work)) : null;
  };
  const [left, right] = [counted(before), counted(after)];
  return left && right ? { left: [numberOf(left)], op, right: numberOf(right) } : null;
}

/** "PAY has more P1s than CHK": two counts against each other. */
export function twoCounts(tokens: readonly Token[], line: string, work: Work): DraftCondition | null {
  const than = tokens.findIndex(
    (token) =>
      token.kind === 'word' && (token.word === 'than' || (token.word === 'as' && /\btwice\b/.test(line))),
  );
  const projects = ofKind(tokens, 'project');
  const kinds = projects.length < 2 ? twoKinds(tokens, than, work) : null;
  if (kinds) return kinds;
  const services = ofKind(tokens, 'service');
  const versus = projects.length !== 2 && services.length === 2;
  const outnumbers = outnumber(tokens, projects);
  if (
    (projects.length !== 2 && !versus) ||
    !/\b(more-than|less-than|twice|more|fewer|less)\b/.test(line) ||
    (than < 0 && !outnumbers)
  )
    return null;
  const args =
    readsIn(
      tokens.filter((token) => token.kind !== 'project'),
      'count',
      knownOf(work),
    )[0]?.args ?? {};
  const [left, right] = versus
    ? services
        .flatMap((service) => readsIn(without(tokens, service), 'count', knownOf(work)).slice(0, 1))
        .map((spec) => addRead(work, spec))
    : projects.map((token) => addRead(work, { tool: 'jira.count', args: { project: token.word, ...args } }));
  if (!left || !right) return null;
  const factor = /\btwice\b/.test(line) ? { factor: 2 } : {};
  return {
    left: [numberOf(left)],
    op: /\b(less-than|fewer|less)\b/.test(line)
      ? '<'
      : /\btwice\b/.test(line) && !/\bmore-than\b/.test(line)
        ? '>='
        : '>',
    right: numberOf(right),
    ...factor,
  };
}
