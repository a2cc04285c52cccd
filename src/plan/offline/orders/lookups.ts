import type { DraftStep } from '../draft/draft.ts';
import { addRead, addStep, ask, knownOf, type Work } from '../draft/work.ts';
import { namesRead, readsIn } from '../reads/reads.ts';
import { lineOf, ofKind, type Token } from '../words/token.ts';
import { textFrom } from '../writes/messages.ts';

/** "compare the count with its SLA": the count, unless one is there, and the limit for the same issues. */
export function compared(tokens: readonly Token[], line: string, work: Work): DraftStep[] {
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

export function summarizeClause(tokens: readonly Token[], work: Work): DraftStep[] {
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
  if (inputs.length === 0 && typeof work.lastKey === 'string')
    inputs.push(addRead(work, { tool: 'jira.get', args: { key: work.lastKey } }));
  if (inputs.length === 0) {
    ask(work, ['what'], 'What should be summarised? Name a ticket, or what to look up first.');
    return [];
  }
  const whole = /\b(?:everything-of|both|all)\b.*\bsummary\b/.test(line);
  return [addStep(work, 'llm.summarize', { input: textFrom(whole ? openReads(work) : inputs) })];
}

export function openReads(work: Work): DraftStep[] {
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
export function codeLookup(tokens: readonly Token[], line: string, work: Work): DraftStep[] | null {
  const log = [...work.steps].reverse().find((step) => /^logs\./.test(step.tool));
  const about = String(log?.args.about ?? '');
  const found = /\bfind (?:it|that) up\b/.test(line) && /error|exception|code/i.test(about);
  const looked = found || /\b(code|explain|mean)\b/.test(line) || /\b(?:it|that|its)\b.*\berror\b/.test(line);
  const named =
    ofKind(tokens, 'code', 'id', 'key').length > 0 || /\b(splunk|kql|sql|log|runbook)\b/.test(line);
  const ticket = work.lastReads.find((step) => step.tool === 'jira.get');
  const coded = /\bcodes? (?:out of|from|in|of)\b/i.test(work.goal) && /\bfind (?:it|that) up\b/.test(line);
  if (ticket && coded && !named)
    return [addRead(work, { tool: 'errors.lookup', args: { code: { step: ticket, field: 'summary' } } })];
  if (!log || !looked || named) return null;
  return [addRead(work, { tool: 'errors.lookup', args: { code: { step: log, field: 'top_code' } } })];
}

/** "find a runbook that fits it": what is looked for is the ticket or the error that was just read. */
export function runbookForIt(tokens: readonly Token[], line: string, work: Work): DraftStep[] | null {
  const points =
    /\brunbook\b.*\b(?:for|fits|matches|matching|about|on|covers|to) (?:it|that|this|its \w+)\b/.test(line);
  const named = ofKind(tokens, 'quote', 'code', 'service', 'key').length > 0;
  const last = work.lastReads[0];
  const field =
    last?.tool === 'jira.get'
      ? 'summary'
      : last?.tool === 'errors.lookup' && /\bits \w+$/.test(line)
        ? 'meaning'
        : /^logs\./.test(last?.tool ?? '')
          ? 'top_code'
          : null;
  if (!points || named || !last || field === null) return null;
  return [addRead(work, { tool: 'runbook.search', args: { query: { step: last, field } } })];
}
