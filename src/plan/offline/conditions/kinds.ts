import type { DraftCondition, DraftStep } from '../draft/draft.ts';
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
  const neither = tokens.some((token) => /^neither$/i.test(token.raw));
  const none =
    nobody ||
    neither ||
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
    if (steps.length > 1 && (neither || /\b(both|each)\b/.test(line))) return { all: each };
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
