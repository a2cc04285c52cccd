import type { Args } from '../draft/draft.ts';
import { timeOf } from '../words/periods.ts';
import { codeIn } from '../words/quotes.ts';
import { lineOf, ofKind, type Token } from '../words/token.ts';
import { issueFilters } from './filters.ts';
import { slaReads, spread } from './sla.ts';
import type { Known, ReadSpec, Wanted } from './spec.ts';
import { searchWords, topicOf } from './topics.ts';

function has(line: string, pattern: RegExp): boolean {
  return pattern.test(line);
}

function logRead(tokens: readonly Token[], line: string, known: Known): ReadSpec | null {
  const query = ofKind(tokens, 'query')[0];
  const quoted = ofKind(tokens, 'quote')[0];
  const raw =
    query?.word ?? (quoted && /\||\bindex=|^\s*select\b/i.test(quoted.word) ? quoted.word : undefined);
  const sql = has(line, /\bsql\b/) || (raw !== undefined && /^\s*select\b/i.test(raw));
  const splunk = has(line, /\bsplunk\b/) || (raw !== undefined && /\bindex\s*=/.test(raw));
  const kql = has(line, /\bkql\b/) || (raw !== undefined && /\|/.test(raw));
  const unnamed =
    !/\b(?:splunk|spl|kql|kusto|azure|app ?insights|sql|database)\b/i.test(known.goal) &&
    has(line, /\b(?:errors?|exceptions?|timeouts?|failures|crashes|[1-5]xx|[45]\d\ds)\b/) &&
    ofKind(tokens, 'service').length > 0 &&
    ofKind(tokens, 'code', 'quote', 'key').length === 0 &&
    Object.keys(timeOf(tokens)).length > 0 &&
    !has(line, /\b(?:incident|runbook|on-call|pagerduty|known|explain|mean|code)\b/);
  const plain = (has(line, /\blog\b/) || unnamed) && !has(line, /\bticket\b|§prio/);
  const tool = sql ? 'sql.query' : splunk ? 'logs.spl' : kql ? 'logs.kql' : plain ? 'logs.spl' : null;
  if (tool === null) return null;
  if (raw !== undefined) return { tool, args: { query: raw } };
  const about = topicOf(tokens, known.goal);
  const { since, window, until } = timeOf(tokens);
  const service = sql
    ? undefined
    : (ofKind(tokens, 'service')[0]?.word ??
      placed(tokens) ??
      (/\b(?:for|on|of|by|from|at) (?:it|there)\b|\bthere$|\bits\b/.test(line) ? known.service : undefined));
  const args: Args = {};
  if (service !== undefined) args.service = service;
  if (about !== null) args.about = about;
  if (window !== undefined) args.window = window;
  if (since !== undefined) args.since = since;
  if (until !== undefined && !sql) args.until = until;
  return { tool, args };
}

/** "responses on checkout": in a log search, a plain word behind "on" is a service. */
function placed(tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex(
    (token, index) => token.kind === 'word' && token.word === 'on' && tokens[index + 1]?.kind === 'word',
  );
  const next = tokens[at + 1];
  return at >= 0 &&
    next &&
    /^[a-z][a-z0-9-]{2,}$/.test(next.raw) &&
    !/^(the|our|splunk|kql|sql|monday|a)$/.test(next.word) &&
    next.word === next.raw
    ? next.raw
    : undefined;
}

function services(tokens: readonly Token[], known: Known): (string | undefined)[] {
  const named = [...new Set(ofKind(tokens, 'service').map((token) => token.word))];
  if (named.length > 0) return named;
  return [/\b(everything-of|across|anywhere)\b/.test(lineOf(tokens)) ? undefined : known.service];
}

function oncallReads(tokens: readonly Token[], known: Known): ReadSpec[] {
  return services(tokens, known).map((service) => {
    const name = service ?? ofKind(tokens, 'project')[0]?.word ?? known.service;
    return { tool: 'pagerduty.oncall', args: name === undefined ? {} : { service: name } };
  });
}

function incidentReads(tokens: readonly Token[], line: string, known: Known): ReadSpec[] {
  const status = has(line, /\backnowledged\b/)
    ? 'acknowledged'
    : has(line, /\btriggered\b/)
      ? 'triggered'
      : has(line, /\bnot (?:yet )?closed\b/)
        ? 'open'
        : has(line, /\bclosed\b/)
          ? 'resolved'
          : null;
  const { since, window } = timeOf(tokens);
  const shared: Args = {};
  const history = window !== undefined || since !== undefined;
  if (status !== null) shared.status = status;
  else if ((!history && !has(line, /\b(newest|last)\b/)) || has(line, /\bopen\b|firing/))
    shared.status = 'open';
  const urgency = line.match(/\b(high|low)(?:-| )?urgency\b/)?.[1];
  if (urgency !== undefined) shared.urgency = urgency;
  if (window !== undefined) shared.window = window;
  if (since !== undefined) shared.since = since;
  const { order, limit } = issueFilters(tokens, known.goal);
  if (order === 'oldest' || order === 'newest') shared.order = order;
  if (limit !== undefined) shared.limit = limit;
  return services(tokens, known).map((service) => {
    const name = service ?? ofKind(tokens, 'project')[0]?.word;
    return { tool: 'pagerduty.incidents', args: name === undefined ? shared : { service: name, ...shared } };
  });
}

function runbookRead(tokens: readonly Token[], known: Known): ReadSpec {
  const service = services(tokens, known)[0];
  const code = ofKind(tokens, 'code', 'id')[0]?.word;
  const query = searchWords(tokens, known.goal);
  const args: Args = {};
  if (service !== undefined) args.service = service;
  if (query !== null && query !== '') args.query = query;
  else if (code !== undefined) args.query = code;
  else if (known.code !== undefined) args.query = known.code;
  return { tool: 'runbook.search', args };
}

function issueReads(tokens: readonly Token[], line: string, wanted: Wanted, known: Known): ReadSpec[] | null {
  const keys = ofKind(tokens, 'key');
  if (keys.length > 0)
    return [...new Set(keys.map((key) => key.word))].map((key) => ({ tool: 'jira.get', args: { key } }));
  const named = has(line, /\b(ticket|bug|story|task|epic)\b/) || ofKind(tokens, 'priority').length > 0;
  const searched = has(line, /\b(?:find|check)\b/) && ofKind(tokens, 'quote').length > 0;
  const asked =
    ofKind(tokens, 'quote').length > 0 &&
    has(line, /\b(someone|recorded|seen|known|exists?|already|before)\b/);
  const filtered =
    ofKind(tokens, 'project').length > 0 &&
    (searched ||
      asked ||
      has(
        line,
        /\b(open|blocked|unassigned|assigned|assignee|closed|in progress|count|how many|oldest|newest|list)\b/,
      ));
  if (!named && !filtered) return null;
  const filters: Args = issueFilters(tokens, known.goal);
  if (/^(?:it|that|this)$/i.test(String(filters.text ?? '')) && typeof known.code === 'string')
    filters.text = known.code;
  const ordered = filters.order !== undefined;
  const tool =
    wanted === 'count' && !ordered
      ? 'jira.count'
      : ordered || wanted === 'list'
        ? 'jira.search'
        : has(line, /\bcount\b|\bhow many\b|\bresult\b|\bsize\b|\blength\b|\bdepth\b/)
          ? 'jira.count'
          : 'jira.search';
  if (tool === 'jira.count') {
    delete filters.order;
    delete filters.limit;
  }
  const open = wanted === null && !ordered && tool === 'jira.search';
  return spread(tokens, (args) => ({ tool, args: { ...args, ...filters }, ...(open ? { open } : {}) }));
}

function errorRead(tokens: readonly Token[], line: string, known: Known): ReadSpec | null {
  const code =
    ofKind(tokens, 'code', 'id')[0] ??
    (has(line, /\bcode\b|\berror §num/) ? ofKind(tokens, 'number', 'quote')[0] : undefined);
  const within = code?.kind === 'quote' ? codeIn(code.word) : undefined;
  if (within !== undefined) return { tool: 'errors.lookup', args: { code: within } };
  const pointed =
    !code && has(line, /\b(?:the|that|this|its) code\b/) && !has(line, /\b(log|splunk|kql|ticket)\b/);
  if (pointed && typeof known.code === 'string') return { tool: 'errors.lookup', args: { code: known.code } };
  const asks = has(line, /\b(code|error|exception|explain|mean|known)\b/);
  if (code && (asks || code.kind === 'code')) return { tool: 'errors.lookup', args: { code: code.word } };
  const quoted = ofKind(tokens, 'quote')[0];
  return quoted && has(line, /\b(error|exception|explain|mean)\b/)
    ? { tool: 'errors.lookup', args: { code: codeIn(quoted.word) ?? quoted.word } }
    : null;
}

/** "web-a and web-b": two services next to each other. */
function sideBySide(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, index) =>
      token.kind === 'service' &&
      /^(and|,|vs|versus|with|or)$/.test(tokens[index + 1]?.word ?? '') &&
      tokens.slice(index + 2, index + 4).some((other) => other.kind === 'service'),
  );
}

/** The reads that a stretch of words names, in order; empty when it names none. */
export function readsIn(tokens: readonly Token[], wanted: Wanted, known: Known): ReadSpec[] {
  const line = lineOf(tokens);
  if (has(line, /\brunbook\b/) && ofKind(tokens, 'query').length === 0) return [runbookRead(tokens, known)];
  const code =
    ofKind(tokens, 'code').length > 0 && has(line, /\b(error|code|exception|mean|explain|known)\b/);
  const looksUp =
    code && (has(line, /\b(mean|explain|code)\b/) || !has(line, /\b(splunk|kql|count|how many)\b/));
  const log = looksUp ? null : logRead(tokens, line, known);
  const both = has(line, /\bsplunk\b/) && has(line, /\bkql\b/);
  if (log && both && ofKind(tokens, 'query').length === 0)
    return ['kql', 'splunk'].flatMap((other) =>
      readsIn(
        tokens.filter((token) => token.word !== other),
        wanted,
        known,
      ),
    );
  const named = log ? ofKind(tokens, 'service') : [];
  if (
    log &&
    named.length > 1 &&
    sideBySide(tokens) &&
    ofKind(tokens, 'query').length === 0 &&
    log.tool !== 'sql.query'
  )
    return named.flatMap((service) =>
      readsIn(
        tokens.filter((token) => token.kind !== 'service' || token === service),
        wanted,
        known,
      ),
    );
  if (log) return [log];
  const error = errorRead(tokens, line, known);
  if (error) return [error];
  const sla = slaReads(tokens, line, known);
  if (sla) return sla;
  if (has(line, /\bon-call\b/)) return oncallReads(tokens, known);
  const issues =
    has(line, /\bincident\b|\bpagerduty\b|\bfiring\b/) && !has(line, /\bticket\b|\bbug\b/)
      ? null
      : issueReads(tokens, line, wanted, known);
  if (issues) return issues;
  if (has(line, /\bincident\b|\bpagerduty\b|\bfiring\b/)) return incidentReads(tokens, line, known);
  return [];
}

const loggedThing =
  /\b(error|exception|timeouts?|failures?|failed|crashes|warnings?|requests|hits|code|[1-5]xx)\b/;

/** True when words without a verb stand for a read of their own: "its pagerduty incidents". */
export function namesRead(tokens: readonly Token[]): boolean {
  const line = lineOf(tokens);
  if (has(line, /\b(incident|runbook|on-call)\b/)) return true;
  if (has(line, /\b(splunk|kql)\b/) && has(line, loggedThing)) return true;
  const filtered =
    ofKind(tokens, 'project').length > 0 &&
    (has(line, /\b(ticket|bug|story|task|epic|threshold)\b/) || ofKind(tokens, 'priority').length > 0);
  if (has(line, /^(?:the |known |an? )*(?:error|code|exception)(?: code| :)* §code/)) return true;
  return (
    filtered ||
    has(
      line,
      /^(?:the |its |their )?(?:agreed )?sla(?: threshold| status| time-left)?\b|^(?:the |its )(?:agreed )?threshold\b/,
    )
  );
}
