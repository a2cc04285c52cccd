import { cut } from '../../../core/inert.ts';
import {
  type Compare,
  type DraftCondition,
  type DraftStep,
  type DraftValue,
  isCompare,
  isFromStep,
  negate,
  readsOf,
  sourcesOf,
} from './draft.ts';
import { labelFor } from './labels.ts';

/** Longest summary, in characters: one header line on a phone. */
const maxSummary = 120;

function word(value: DraftValue | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!isFromStep(value)) return '';
  return value.step.tool === 'jira.create' ? 'the new ticket' : 'the one found';
}

/** What a read is about: "open P1 tickets in OPS". */
function subject(step: DraftStep): string {
  const text = labelFor(step).replace(/: $/, '');
  return /^(SLA|PagerDuty|P[1-5]\b|\p{Lu}{2})/u.test(text)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1);
}

/** A message: what goes where, where no condition says so already. */
function told(step: DraftStep, target: string): string {
  const source = sourcesOf(step).find(
    (other) => !isFromStep(step.args.user) || other !== step.args.user.step,
  );
  const { text } = step.args;
  if (step.when) return `tell ${target}`;
  if (typeof text === 'string') return `tell ${target} “${cut(text, 50)}”`;
  if (!source) return `tell ${target}`;
  if (source.tool === 'llm.summarize') return `send a summary to ${target}`;
  return `send ${source.tool === 'jira.create' ? 'the new ticket' : subject(source)} to ${target}`;
}

/** What a step does, in a few words that begin with a verb. */
function doing(step: DraftStep): string {
  const { key, status, service, channel, user, incident, project, priority, type } = step.args;
  const issue = [word(priority), word(type) || 'ticket'].filter(Boolean).join(' ');
  const words: Readonly<Record<string, string>> = {
    'pagerduty.page': `page ${word(service) || 'the on-call'}`,
    'pagerduty.ack': `acknowledge incident ${word(incident)}`,
    'pagerduty.note': `note on incident ${word(incident)}`,
    'pagerduty.resolve': `resolve incident ${word(incident)}`,
    'slack.post': told(step, word(channel) || (isFromStep(user) ? 'whoever is on call' : word(user))),
    'jira.comment': `comment on ${word(key)}`,
    'jira.transition': `move ${word(key)} to ${word(status)}`,
    'jira.create': `create a ${issue}${project ? ` in ${word(project)}` : ''}`,
    'jira.count': `count ${subject(step)}`,
    'jira.get': `show ${word(key)}`,
    'pagerduty.oncall': `look up who is ${subject(step)}`,
    'llm.summarize': 'summarise what is found',
    'errors.lookup': `look up error ${word(step.args.code)}`,
    'runbook.search': `find runbooks${step.args.query ? ` on ${word(step.args.query)}` : ''}`,
    'sla.threshold': `look up the SLA limit${project ? ` of ${word(project)}` : ''}`,
    'jira.sla': `look up the ${subject(step)}`,
    'logs.kql': `search Azure logs for ${subject(step)}`,
    'logs.spl': `search Splunk for ${subject(step)}`,
    'sql.query': `query the database for ${subject(step)}`,
  };
  return (words[step.tool] ?? `list ${subject(step)}`).trim();
}

const operators: Readonly<Record<string, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'fewer than',
  '<=': 'at most',
  '==': 'exactly',
  '!=': 'not',
};

function state(compare: Compare, step: DraftStep): string {
  const not = compare.op === '!=' ? ' not' : '';
  if (typeof compare.right === 'boolean')
    return `${word(step.args.key)} is ${compare.right === (compare.op === '==') ? 'assigned' : 'unassigned'}`;
  const what = step.tool === 'jira.sla' ? `the ${subject(step)}` : word(step.args.key) || subject(step);
  return `${what} is${not} ${String(compare.right).replace('_', ' ')}`;
}

function comparison(compare: Compare): string {
  const steps = compare.left.map((part) => part.step);
  const step = steps[0];
  if (!step) return 'the condition holds';
  const names = [...new Set(steps.map(subject))].join(' and ');
  const { right, op } = compare;
  if (isFromStep(right)) {
    const limit = right.step.tool === 'sla.threshold' ? 'the SLA limit' : subject(right.step);
    return `${names} ${op.startsWith('>') ? 'exceed' : 'do not exceed'} ${limit}`;
  }
  if (typeof right !== 'number') return state(compare, step);
  if (/minutes/.test(compare.left[0]?.field ?? ''))
    return `${word(step.args.key) || names} is ${op.startsWith('>') ? 'over' : 'under'} ${right} minutes`;
  if (right === 0) return op === '==' ? `there are no ${names}` : `there are ${names}`;
  return `there are ${operators[op] ?? op} ${right} ${names}`;
}

/** A condition in words: "there are more than 20 open P1 tickets in OPS". */
export function conditionWords(condition: DraftCondition): string {
  if (isCompare(condition)) return comparison(condition);
  const parts = 'all' in condition ? condition.all : condition.any;
  return [...new Set(parts.map(conditionWords))].join('all' in condition ? ' and ' : ' or ');
}

function isWrite(step: DraftStep): boolean {
  return /^(slack\.|pagerduty\.(page|ack|note|resolve)|jira\.(comment|transition|create))/.test(step.tool);
}

function listed(parts: readonly string[]): string {
  const unique = [...new Set(parts)];
  const last = unique.at(-1) ?? '';
  return unique.length < 2 ? last : `${unique.slice(0, -1).join(', ')} and ${last}`;
}

/** What will happen, in one short line: "Page ops if there are more than 20 open P1 tickets in OPS". */
export function summaryOf(steps: readonly DraftStep[]): string {
  const writes = steps.filter(isWrite);
  const shown = writes.length > 0 ? writes : steps.filter((step) => !sourced(step, steps));
  const groups = new Map<string, { parts: string[]; condition: DraftCondition | null }>();
  for (const step of shown) {
    const name = step.when ? conditionWords(step.when) : '';
    const group = groups.get(name) ?? { parts: [], condition: step.when };
    groups.set(name, { ...group, parts: [...group.parts, doing(step)] });
  }
  let before: DraftCondition | null = null;
  const lines = [...groups].map(([name, { parts, condition }]) => {
    const turned = before && condition && conditionWords(negate(before)) === name;
    before = condition;
    if (turned) return `otherwise ${listed(parts)}`;
    return name === '' ? listed(parts) : `${listed(parts)} if ${name}`;
  });
  const text = lines.join('; ').replace(/\s+/g, ' ').trim();
  const line = text.charAt(0).toUpperCase() + text.slice(1);
  return cut(line, maxSummary);
}

/** True for a read whose result only feeds another one that is shown. */
function sourced(step: DraftStep, steps: readonly DraftStep[]): boolean {
  return steps.some((other) => other.tool === 'llm.summarize' && sourcesOf(other).includes(step));
}

const purposes: Readonly<Record<string, string>> = {
  'pagerduty.page': 'Reaches whoever is on call at that moment.',
  'pagerduty.ack': 'Shows that somebody is on it.',
  'pagerduty.note': 'Keeps the word with the incident.',
  'pagerduty.resolve': 'Ends the incident.',
  'jira.comment': 'Keeps the word with the ticket.',
  'jira.transition': 'Brings the ticket up to date.',
  'jira.create': 'Gives somebody a ticket to work on.',
  'llm.summarize': 'Makes a few sentences of what was found.',
};

/** Why a step is there, for whoever reads the card. */
export function whyOf(step: DraftStep, steps: readonly DraftStep[]): string {
  if (step.why) return step.why;
  if (step.tool === 'slack.post') {
    const { channel, user } = step.args;
    return `Lets ${word(channel) || (isFromStep(user) ? 'whoever is on call' : word(user))} know.`;
  }
  if (isWrite(step)) return purposes[step.tool] ?? 'Asked for in the request.';
  const decides = steps.filter((other) => other.when && readsOf(other.when).includes(step) && isWrite(other));
  const fills = steps.filter((other) => sourcesOf(other).includes(step));
  if (decides.length > 0) return cut(`Decides whether to ${listed(decides.map(doing))}.`, 300);
  const target = fills.find((other) => other.args.key === undefined || isWrite(other));
  if (target) return cut(`Its result is used to ${doing(target)}.`, 300);
  return purposes[step.tool] ?? 'You asked to see this; the result comes back to you.';
}
