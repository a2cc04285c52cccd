import type { DraftStep } from './draft.ts';
import { verbAt } from './grammar.ts';
import { literalText, pointsAtAll, textFrom } from './messages.ts';
import { namesRead, type ReadSpec, readsIn, type Wanted } from './reads.ts';
import { receiversOf } from './targets.ts';
import { lineOf, ofKind, type Token } from './token.ts';
import { addRead, addStep, ask, knownOf, refuse, type Work } from './work.ts';
import { writeComment, writeCreate, writeTransition } from './writes-jira.ts';
import { writeIncident, writeNote, writePage } from './writes-pagerduty.ts';
import { messageText, writePost } from './writes-slack.ts';

function wantedBy(line: string): Wanted {
  if (/\b(count|how many|check|compare|is there|are there|there are|there is)\b/.test(line)) return 'count';
  if (/\b(list|show|find|which|get|who|tell|summarize)\b/.test(line)) return 'list';
  return null;
}

/** Reads that a clause names; when it names several kinds, the kind with a noun of its own. */
function readClause(tokens: readonly Token[], work: Work): DraftStep[] {
  const line = lineOf(tokens);
  const compares =
    /\b(compare|vs|versus|against|relative)\b.*\b(sla|threshold)\b|\b(sla|threshold)\b.*\b(compare|vs|versus|against)\b/.test(line) ||
    (ofKind(tokens, 'key').length === 0 && /\b(over|above|at-most|under|below|beyond|more-than|less-than)\b.*\b(sla|threshold)\b/.test(line));
  if (compares || (/\bcheck\b/.test(line) && /\b(against|with|vs)\b.*\b(sla|threshold)\b/.test(line)))
    return compared(tokens, line, work);
  const specs = readsIn(elliptic(tokens, line, work), wantedBy(line), knownOf(work));
  return specs.map((spec) => addRead(work, likeLast(spec, line, tokens, work)));
}

/** "how many P1s in PAY and how many in ORD": the second is about tickets as well. */
function elliptic(tokens: readonly Token[], line: string, work: Work): readonly Token[] {
  const short = /\b(count|how many)\b/.test(line) && ofKind(tokens, 'project').length > 0;
  const open =
    work.lastReads[0]?.tool === 'jira.count' &&
    !/\b(ticket|bug|story|task|epic|sla|incident|splunk|kql|sql|threshold)\b/.test(line);
  return short && open ? [...tokens, { kind: 'word', word: 'ticket', raw: '', start: 0, end: 0 }] : tokens;
}

function likeLast(spec: ReadSpec, line: string, tokens: readonly Token[], work: Work): ReadSpec {
  const last = work.lastReads[0];
  const same = last?.tool === spec.tool && spec.tool === 'jira.count';
  if (
    !same ||
    /\b(ticket|bug|story|task|epic|open|blocked|unassigned)\b/.test(line) ||
    ofKind(tokens, 'priority').length > 0
  )
    return spec;
  const { project: _project, ...rest } = last.args;
  return { ...spec, args: { ...rest, ...spec.args } };
}

/** "compare the count with its SLA": the count, unless one is there, and the limit for the same issues. */
function compared(tokens: readonly Token[], line: string, work: Work): DraftStep[] {
  const rest = tokens.filter((token) => !/^(sla|threshold|breached)$/.test(token.word));
  const ticket: Token = { kind: 'word', word: 'ticket', raw: '', start: 0, end: 0 };
  const own =
    ofKind(rest, 'project', 'priority').length > 0 || /\bticket\b|\bcount\b|\bhow many\b/.test(line);
  const last = work.lastReads.filter((step) => step.tool === 'jira.count');
  const points = last.length > 0 && ofKind(rest, 'project').length === 0;
  const counts =
    own && !points
      ? readsIn([...rest, ticket], 'count', knownOf(work)).map((spec) => addRead(work, spec))
      : last;
  const count = counts.length > 0 ? counts : [addRead(work, { tool: 'jira.count', args: {} })];
  const limits = count.map((step) => {
    const { project, priority } = step.args;
    return addRead(work, {
      tool: 'sla.threshold',
      args: { ...(project ? { project } : {}), ...(priority ? { priority } : {}) },
    });
  });
  return [...count, ...limits];
}

function summarizeClause(tokens: readonly Token[], work: Work): DraftStep[] {
  const line = lineOf(tokens);
  const named =
    namesRead(tokens) ||
    ofKind(tokens, 'key', 'query').length > 0 ||
    /\b(ticket|splunk|kql|sql|sla)\b/.test(line);
  const points =
    /\b(everything-of|both|them|it|that|this|result|all)\b/.test(line) &&
    !(ofKind(tokens, 'key', 'project', 'service').length > 0);
  const inputs =
    named && !(points && work.lastReads.length > 0)
      ? readsIn(
          tokens.filter((token) => !/^(summarize|summary)$/.test(token.word)),
          'list',
          knownOf(work),
        ).map((spec) => addRead(work, spec))
      : openReads(work);
  if (inputs.length === 0) {
    ask(work, ['what'], 'What should be summarised? Name a ticket, or what to look up first.');
    return [];
  }
  return [addStep(work, 'llm.summarize', { input: textFrom(inputs) })];
}

function openReads(work: Work): DraftStep[] {
  const reads = work.steps.filter((step) =>
    /^(jira\.(count|search|get|sla)|sla|pagerduty\.(oncall|incidents)|runbook|errors|logs|sql)/.test(
      step.tool,
    ),
  );
  const taken = new Set(
    work.steps
      .filter((step) => step.tool === 'errors.lookup')
      .flatMap((step) =>
        Object.values(step.args).map((value) =>
          typeof value === 'object' && 'step' in value ? value.step : null,
        ),
      ),
  );
  return reads.filter((step) => !taken.has(step));
}

/** "look its code up" after a log search: the code is the one that search finds. */
function codeLookup(tokens: readonly Token[], line: string, work: Work): DraftStep[] | null {
  const log = [...work.steps].reverse().find((step) => /^logs\./.test(step.tool));
  const points = /\b(code|explain|mean)\b/.test(line) && ofKind(tokens, 'code', 'id', 'key').length === 0;
  if (!log || !points) return null;
  return [addRead(work, { tool: 'errors.lookup', args: { code: { step: log, field: 'top_code' } } })];
}

function readOrderOf(tokens: readonly Token[], verb: string, work: Work): void {
  const line = lineOf(tokens);
  const { channels, users } = receiversOf(tokens, work);
  const assignee = /\bassigned\b|\bby §user|\bowned\b/.test(line);
  const sends = channels.length > 0 || (users.length > 0 && !assignee);
  const body = sends
    ? tokens.filter((token) => token.kind !== 'channel' && (assignee || token.kind !== 'user'))
    : tokens;
  const summarizes = verb === 'summarize' || /\bsummarize\b|\bsummary\b/.test(line);
  const found =
    codeLookup(body, line, work) ?? (summarizes ? summarizeClause(body, work) : readClause(body, work));
  if (found.length > 0) work.lastReads = found;
  if (work.troubles.length > 0) return;
  if (sends && found.length > 0) {
    const all = pointsAtAll(body) && work.steps.length > found.length && found[0]?.tool !== 'llm.summarize';
    const text = textFrom(all ? openReads(work) : found);
    for (const channel of channels) addStep(work, 'slack.post', { channel, text });
    if (!assignee) for (const user of users) addStep(work, 'slack.post', { user, text });
  } else if (sends) writePost(tokens, work, false);
}

function noteOrComment(tokens: readonly Token[], line: string, work: Work): void {
  const text =
    literalText(tokens, work.goal) ??
    (work.condition || work.lastReads.length > 0 || namesRead(tokens)
      ? messageText(
          tokens.filter(
            (token) => !/^(key|id)$/.test(token.kind) && !/^(comment|note|incident)$/.test(token.word),
          ),
          work,
        )
      : null);
  const incident = /\bincident\b|\bpagerduty\b/.test(line) || ofKind(tokens, 'id').length > 0;
  const note = /\bnote\b/.test(line);
  if (
    ofKind(tokens, 'key').length === 0 &&
    (incident || (note && work.lastIncident !== null && work.lastKey === null))
  )
    writeNote(tokens, work, text);
  else writeComment(tokens, work, text);
}

function add(tokens: readonly Token[], line: string, work: Work): void {
  if (/\b(comment|note)\b/.test(line)) return noteOrComment(tokens, line, work);
  const { channels, users } = receiversOf(tokens, work);
  if (channels.length + users.length > 0) writePost(tokens, work, false);
  else if (/\blabel\b|\bassignee\b|\bwatcher/.test(line))
    refuse(work, 'no_tool', 'No tool changes fields of a ticket. A comment on the ticket is possible.');
  else if (/§key\d+ (?:please )*(?:to|in|into|on|as) (?!§)/.test(line)) change(tokens, 'move', line, work);
  else if (ofKind(tokens, 'key').length > 0) noteOrComment(tokens, line, work);
  else if (/\b(ticket|bug|story|task)\b/.test(line)) writeCreate(tokens, work);
  else writePost(tokens, work, false);
}

/** `page` reaches the on-call itself; a message to the on-call in Slack is a post to that person. */
function notify(tokens: readonly Token[], verb: string, line: string, work: Work): void {
  const raw = tokens.map((token) => token.raw.toLowerCase()).join(' ');
  const { channels, users } = receiversOf(tokens, work);
  const direct = channels.length + users.length > 0;
  const reports = /\bon-call\b/.test(line) && /\b(me|who)\b/.test(line);
  const toMe = /\bme\b/.test(line) && !direct && !/\bon-call\b/.test(line.replace(/\bwho\b.*/, ''));
  if (reports && !direct) return readOrderOf(tokens, verb, work);
  if (/^(?:\S+ )*?(?:post|notify) (?:a |the |high |low |urgency |urgent |please )*page\b/.test(line))
    return void writePage(tokens, work);
  if (toMe)
    return readOrderOf(
      tokens.filter((token) => !/^(tell|post|notify|let|me)$/.test(token.word)),
      'show',
      work,
    );
  if (direct) return void writePost(tokens, work, false);
  if (/\beveryone\b/.test(line))
    return refuse(
      work,
      'dangerous',
      'A message to everyone is not possible. Name the channel or the person.',
    );
  const oncall = /\bon-call\b/.test(line);
  const them = /\b(them|him|her|they)\b/.test(raw) && work.lastReads.some((step) => step.tool === 'pagerduty.oncall');
  if (them && verb !== 'notify') return void writePost(tokens, work, true);
  const slack =
    /\b(slack|dm|message|msg|chat|direct)\b/.test(raw) ||
    verb === 'post' ||
    verb === 'tell' ||
    verb === 'let' ||
    verb === 'ask' ||
    work.forbidden.has('pagerduty.page');
  if (oncall) return void (slack ? writePost(tokens, work, true) : writePage(tokens, work));
  if (verb === 'notify' && ofKind(tokens, 'service').length > 0) return void writePage(tokens, work);
  const silent =
    /\b(report|write|send|give|tell|say)\b/.test(raw) && namesRead(tokens) && !/\bsomeone\b/.test(line);
  if (silent) readOrderOf(tokens, 'show', work);
  else writePost(tokens, work, false);
}

function change(tokens: readonly Token[], verb: string, line: string, work: Work): void {
  const incident =
    /\bincident\b/.test(line) ||
    ofKind(tokens, 'id').length > 0 ||
    (ofKind(tokens, 'number').length > 0 && /resolve|close/.test(verb) && !/\b(ticket|bug|story|task|oldest|newest|top|last)\b/.test(line));
  const keyed = ofKind(tokens, 'key').length > 0;
  const resolves = verb === 'resolve' || verb === 'close' || (verb === 'move' && /\bclosed\b/.test(line));
  if (!keyed && resolves && (incident || (work.lastIncident !== null && work.lastKey === null)))
    return void writeIncident('pagerduty.resolve', tokens, work);
  if (verb === 'move' && !keyed && incident && /\backnowledged\b/.test(line))
    return void writeIncident('pagerduty.ack', tokens, work);
  if (!keyed && work.lastKey === null && resolves && !/\b(ticket|bug|story|oldest|newest)\b/.test(line)) {
    return ask(
      work,
      ['ticket_or_incident'],
      'Which ticket or incident do you mean? Please give its key or number.',
    );
  }
  writeTransition(verb, tokens, work);
}

/** "create … and assign it to @bo": a slot of the ticket that has just been asked for. */
function assigns(tokens: readonly Token[], work: Work): boolean {
  const created = work.steps.at(-1);
  const user = ofKind(tokens, 'user')[0]?.word;
  if (created?.tool !== 'jira.create' || user === undefined || !/^assign/i.test(tokens[0]?.raw ?? '')) return false;
  created.args = { ...created.args, assignee: user };
  return true;
}

/** Carries out one order: adds its steps to the plan, or notes what is missing. */
export function orderOf(tokens: readonly Token[], work: Work): void {
  const at = verbAt(tokens, 0);
  const verb = at >= 0 ? (tokens[at]?.word ?? '') : '';
  const line = lineOf(tokens);
  switch (verb) {
    case 'page':
      return void writePage(tokens, work);
    case 'notify':
    case 'tell':
    case 'post':
    case 'let':
      return notify(tokens, verb, line, work);
    case 'ask':
      return notify(
        tokens.map((token) => (token.kind === 'word' && /^(to|if)$/.test(token.word) ? { ...token, word: 'saying' } : token)),
        verb,
        line,
        work,
      );
    case 'comment':
    case 'note':
      return noteOrComment(tokens, line, work);
    case 'create':
      if (/\bpage\b/.test(line)) return void writePage(tokens, work);
      if (/\bsummary\b/.test(line)) return readOrderOf(tokens, 'summarize', work);
      return void (/\bincident\b/.test(line) && !/\bticket\b/.test(line)
        ? writePage(tokens, work)
        : writeCreate(tokens, work));
    case 'move':
    case 'close':
    case 'resolve':
    case 'reopen':
    case 'start':
    case 'finish':
    case 'block':
      return change(tokens, verb, line, work);
    case 'ack':
      return void writeIncident('pagerduty.ack', tokens, work);
    case 'add':
      return add(tokens, line, work);
    default:
      if (assigns(tokens, work)) return;
      if (verb === '' && /^(?:(?:a|please) )*new\b/.test(line) && /\b(titled|about|for|:)|§quote/.test(line))
        return void writeCreate(tokens, work);
      return readOrderOf(tokens, verb, work);
  }
}
