import type { DraftStep } from '../draft/draft.ts';
import { addRead, addStep, ask, knownOf, type Work } from '../draft/work.ts';
import { readsIn } from '../reads/reads.ts';
import type { ReadSpec, Wanted } from '../reads/spec.ts';
import { lineOf, ofKind, type Token } from '../words/token.ts';
import { pointsAtAll, textFrom } from '../writes/messages.ts';
import { writePost } from '../writes/slack.ts';
import { receiversOf } from '../writes/targets.ts';
import { codeLookup, compared, openReads, runbookForIt, summarizeClause } from './lookups.ts';

function wantedBy(line: string): Wanted {
  if (/\b(count|how many|check|compare|is there|are there|there are|there is)\b/.test(line)) return 'count';
  if (/\b(list|show|find|which|get|who|tell|summarize)\b/.test(line)) return 'list';
  return null;
}

/** Reads that a clause names; when it names several kinds, the kind with a noun of its own. */
function readClause(tokens: readonly Token[], work: Work): DraftStep[] {
  const line = lineOf(tokens);
  const listed = work.lastReads.filter((step) => step.tool === 'jira.search' && step.open);
  if (
    listed.length > 0 &&
    /^(?:and |just |the )*(?:how many|count|together)(?: (?:is|are|was|were|it|they|there|that|please|do|does|we|i|have|has|got|of|them))*$/.test(
      line,
    )
  ) {
    for (const step of listed) step.tool = 'jira.count';
    return listed;
  }
  const compares =
    /\b(compare|vs|versus|against|relative)\b.*\b(sla|threshold)\b|\b(sla|threshold)\b.*\b(compare|vs|versus|against)\b/.test(
      line,
    ) ||
    (ofKind(tokens, 'key').length === 0 &&
      !/\b(which|list|their)\b|\bany\b.*\bits sla\b/.test(line) &&
      /\b(over|above|at-most|under|below|beyond|more-than|less-than)\b.*\b(sla|threshold)\b/.test(line));
  if (compares || (/\bcheck\b/.test(line) && /\b(against|with|vs)\b.*\b(sla|threshold)\b/.test(line)))
    return compared(tokens, line, work);
  const refined = refine(tokens, line, work);
  if (refined) return refined;
  const specs = readsIn(elliptic(tokens, line, work), wantedBy(line), knownOf(work));
  if (specs.length === 0) work.loose = tokens;
  const reads = specs.map((spec) => addRead(work, likeLast(spec, line, tokens, work)));
  if (/\bboth for the last §dur/.test(line) || tokens.some((token) => /^each$/i.test(token.raw)))
    shareWindow(reads, work);
  return reads;
}

/** "errors in splunk and timeouts in kql, last 5m each": one time for all of them. */
function shareWindow(reads: readonly DraftStep[], work: Work): void {
  const window = reads.find((step) => step.args.window !== undefined)?.args.window;
  if (window === undefined) return;
  for (const step of work.steps)
    if (/^logs\./.test(step.tool) && step.args.window === undefined && step.args.since === undefined)
      step.args = { ...step.args, window };
}

/** "check splunk for X", "are there any certificate errors": one search that is said in two parts. */
function refine(tokens: readonly Token[], line: string, work: Work): DraftStep[] | null {
  const system = /\b(splunk|kql|sql|log)\b/;
  const says =
    /\b(error|exception|timeouts?|failures?|crashes|warnings?)\b/.test(line) ||
    ofKind(tokens, 'duration').length > 0 ||
    (/^logs\./.test(work.lastReads[0]?.tool ?? '') && work.lastReads[0]?.args.service === undefined) ||
    (work.lastReads[0]?.tool === 'sql.query' && /\b(count|how many|list|find|show|get)\b/.test(line));
  const log = work.lastReads[0];
  const named =
    ofKind(tokens, 'key', 'project', 'priority', 'code', 'query').length > 0 ||
    /\b(ticket|incident|runbook|on-call|sla)\b/.test(line);
  if (
    log &&
    /^(logs|sql)\./.test(log.tool) &&
    says &&
    !named &&
    !system.test(line) &&
    log.args.about === undefined
  ) {
    const name = log.tool === 'logs.kql' ? 'kql' : log.tool === 'logs.spl' ? 'splunk' : 'sql';
    const spec = readsIn(
      [...tokens, { kind: 'word', word: name, raw: '', start: 0, end: 0 }],
      null,
      knownOf(work),
    )[0];
    if (spec) log.args = { ...log.args, ...spec.args };
    return [log];
  }
  const open = work.loose.length > 0 && system.test(line) && !named;
  if (!open || /\b(error|exception)\b/.test(line)) return null;
  const specs = readsIn([...work.loose, ...tokens], wantedBy(line), knownOf(work));
  work.loose = [];
  return specs.length > 0 ? specs.map((spec) => addRead(work, spec)) : null;
}

const ticketWord: Token = { kind: 'word', word: 'ticket', raw: '', start: 0, end: 0 };

function slot(step: DraftStep | undefined, name: string): Token[] {
  const value = step?.args[name];
  const kind = name === 'project' ? 'project' : 'priority';
  return typeof value === 'string' ? [{ ...ticketWord, kind, word: value }] : [];
}

/** "how many P1s in PAY and how many in ORD": the second is about tickets as well. */
function elliptic(tokens: readonly Token[], line: string, work: Work): readonly Token[] {
  const bare = /\bhow many\b/.test(line) && work.lastReads[0]?.tool === 'sla.threshold';
  const limited =
    bare &&
    tokens.every((token) => token.kind === 'word' || token.kind === 'mark') &&
    !/\b(incident|error|log|sql|splunk|kql|ticket)\b/.test(line);
  if (limited)
    return [
      ...tokens,
      ...['project', 'priority'].flatMap((name) => slot(work.lastReads[0], name)),
      ticketWord,
    ];
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

/** In a question a person is told the answer only where the words say so: "to @bo", "for @bo", "show @bo …". */
function isAddressed(tokens: readonly Token[], user: string): boolean {
  const at = tokens.findIndex((token) => token.kind === 'user' && token.word === user);
  if (at <= 0) return true;
  return (
    /^(to|for|with|and|,|&|post|tell|show|get|list|summarize|find|by|then|in|on|please|-|:)$/.test(
      tokens[at - 1]?.word ?? '',
    ) || tokens[at - 1]?.kind === 'user'
  );
}

/** "show me that ticket again", where none was spoken of. */
const pointsAtTicket =
  /^(?:(?:please|and|just|me|i|only|to|show|get|find|list|check|which|is|the|status|state|for|of|how) )*(?:that|this|the same|the other) (?:one|ticket|bug|task|story)(?: (?:please|me|also))*$/;

export function readOrderOf(tokens: readonly Token[], verb: string, work: Work): void {
  const line = lineOf(tokens);
  if (pointsAtTicket.test(line) && work.lastKey === null && work.lastReads.length === 0) {
    ask(work, ['ticket'], 'Which ticket do you mean? Please give its key, such as OPS-12.');
    return;
  }
  if (pointsAtTicket.test(line) && typeof work.lastKey === 'string') {
    work.lastReads = [addRead(work, { tool: 'jira.get', args: { key: work.lastKey } })];
    return;
  }
  const { channels, users: named } = receiversOf(tokens, work);
  const users = named.filter((user) => isAddressed(tokens, user));
  const assignee = /\bassigned\b|\bby §user|\bowned\b/.test(line);
  const sends =
    channels.length > 0 ||
    (users.length > 0 &&
      !(assignee && ofKind(tokens, 'user').length === users.length && !/\bto §user/.test(line)));
  const body = sends
    ? tokens.filter((token) => token.kind !== 'channel' && (assignee || token.kind !== 'user'))
    : tokens;
  const summarizes = verb === 'summarize' || /\bsummarize\b|\bsummary\b/.test(line);
  const found =
    codeLookup(body, line, work) ??
    runbookForIt(body, line, work) ??
    (summarizes ? summarizeClause(body, work) : readClause(body, work));
  if (found.length > 0) work.lastReads = found;
  const single =
    found[0]?.tool === 'pagerduty.incidents' &&
    found.length === 1 &&
    /\bthe (?:\w+ ){0,3}incident\b(?!s)/i.test(body.map((token) => token.raw).join(' '));
  if (single && found[0]) {
    found[0].args = { ...found[0].args, order: 'newest', limit: 1 };
    work.lastIncident = { step: found[0], field: 'first' };
  }
  if (work.troubles.length > 0) return;
  if (sends && found.length > 0) {
    const all = pointsAtAll(body) && work.steps.length > found.length && found[0]?.tool !== 'llm.summarize';
    const text = textFrom(all ? openReads(work) : found);
    for (const channel of channels) addStep(work, 'slack.post', { channel, text });
    if (!assignee) for (const user of users) addStep(work, 'slack.post', { user, text });
  } else if (sends) writePost(tokens, work, false);
}
