import { cut } from '../../../core/inert.ts';
import type { DraftStep, DraftValue } from '../draft/draft.ts';
import { addStep, ask, refuse, type Work } from '../draft/work.ts';
import { statusAfter, statusFirst, verbStatus } from '../words/statuses.ts';
import { lineOf, ofKind, sliceOf, type Token } from '../words/token.ts';
import { reasonText, textFrom } from './messages.ts';
import { issueTargets, rememberWrite } from './targets.ts';
import { loose, titleOf } from './ticket-title.ts';

function askTicket(work: Work): void {
  ask(work, ['ticket'], 'Which ticket do you mean? Please give its key, such as OPS-12.');
}

export function writeComment(tokens: readonly Token[], work: Work, text: DraftValue | null): DraftStep[] {
  const targets = issueTargets(tokens, work);
  if (targets.length === 0) {
    if (work.troubles.length === 0) askTicket(work);
  } else if (text === null && work.given.text === undefined)
    ask(work, ['text'], 'What should the comment say?');
  else return targets.map((key) => done(work, 'jira.comment', { key, text: text ?? work.given.text ?? '' }));
  return [];
}

function done(work: Work, tool: string, args: Record<string, DraftValue>): DraftStep {
  const step = addStep(work, tool, args);
  rememberWrite(work, step);
  return step;
}

const toStatus = /^(to|as|status|into|in|back|→)$/;

function wantedStatus(verb: string, tokens: readonly Token[], work: Work): string | null {
  const fixed = verbStatus[verb];
  const quoteless = tokens.filter(
    (token) => token.kind !== 'quote' || !/\b(comment|saying)\b/.test(lineOf(tokens)),
  );
  const named = (pattern: RegExp): number =>
    quoteless.findIndex((token, index) => index > 0 && pattern.test(token.word) && token.kind === 'word');
  const at = named(/^(to|as|into|→)$/) > 0 ? named(/^(to|as|into|→)$/) : named(toStatus);
  if (fixed !== undefined) {
    const as = quoteless.findIndex((token, index) => index > 0 && token.word === 'as');
    return (as > 0 ? statusAfter(quoteless, as, work.goal) : null) ?? fixed;
  }
  if (at > 0) return statusAfter(quoteless, at, work.goal);
  const key = quoteless.findIndex((token) => token.kind === 'key');
  return statusAfter(quoteless, key >= 0 ? key + 1 : quoteless.length, work.goal);
}

export function writeTransition(verb: string, tokens: readonly Token[], work: Work): DraftStep[] {
  const line = lineOf(tokens);
  if (
    /\b(priority|assignee|label|title|titled|urgency|due)\b/.test(line) ||
    (verb === 'move' && ofKind(tokens, 'priority').length > 0)
  ) {
    refuse(
      work,
      'no_tool',
      'No tool changes fields of a ticket. A comment on the ticket, or a move to another status, is possible.',
    );
    return [];
  }
  const targets = issueTargets(tokens, work);
  if (targets.length === 0) {
    if (work.troubles.length === 0) askTicket(work);
    return [];
  }
  const status =
    wantedStatus(verb, tokens, work) ?? statusFirst(tokens, work.goal) ?? work.given.status ?? null;
  const last = work.steps.at(-1);
  // "PAY-3 can go to Done now, would you move it": said twice.
  if (status === null && last?.tool === 'jira.transition' && targets.every((key) => key === last.args.key))
    return [];
  if (status === null) {
    ask(work, ['status'], 'Which status should the ticket be moved to?', ['In Progress', 'Done', 'Blocked']);
    return [];
  }
  return targets.map((key) => done(work, 'jira.transition', { key, status }));
}

const typeWords: Readonly<Record<string, string>> = {
  bug: 'bug',
  story: 'story',
  task: 'task',
  epic: 'epic',
};

/** What a ticket is about when its order does not say: the search before it, or the condition. */
function inherited(work: Work): DraftValue | null {
  const search = work.lastReads.find((step) => step.tool === 'jira.search' || step.tool === 'jira.count');
  if (typeof search?.args.text === 'string') return search.args.text;
  const log = work.lastReads.find((step) => /^(logs|sql|errors|runbook)\./.test(step.tool));
  if (log) {
    const about = log.args.about ?? log.args.code ?? log.args.query ?? log.args.service;
    const service = typeof log.args.service === 'string' ? ` in ${log.args.service}` : '';
    return typeof about === 'string' ? `${about}${service}` : null;
  }
  return work.condition ? reasonText(work.condition) : null;
}

export function writeCreate(tokens: readonly Token[], work: Work): DraftStep[] {
  const quotes = ofKind(tokens, 'quote');
  if (
    quotes.length > 1 &&
    /\b(tickets|bugs|tasks|stories|issues)\b/i.test(tokens.map((token) => token.raw).join(' '))
  )
    return quotes.flatMap((quote) =>
      writeCreate(
        tokens.filter((token) => token.kind !== 'quote' || token === quote),
        work,
      ),
    );
  const line = lineOf(tokens);
  const project = ofKind(tokens, 'project')[0]?.word ?? projectBefore(work, line) ?? work.given.project;
  const priority = ofKind(tokens, 'priority')[0]?.word;
  const own = Object.keys(typeWords).find((word) => new RegExp(`\\b${word}\\b`).test(line));
  // "if there is no such bug, create it": a bug.
  const searched = work.lastReads[0]?.tool === 'jira.search' ? work.lastReads[0].args.type : undefined;
  const type =
    own ??
    (/\b(?:it|one)\b/i.test(tokens.map((token) => token.raw).join(' ')) && typeof searched === 'string'
      ? searched
      : undefined);
  const title = titleOf(tokens, work);
  const points =
    title === null ||
    /^(?:(?:\w+ing|write|make|add|get|fix|do) )?(?:it|this|that|them|these|those|one)(?: there| up| down)?$/i.test(
      title,
    );
  const summary = points
    ? (inherited(work) ?? remarked(work) ?? firstLine(work.given.text) ?? loose(tokens, work))
    : title;
  if (project === undefined && work.catalogue.defaults.project === undefined) {
    ask(
      work,
      ['project'],
      'In which project should the ticket be created?',
      work.catalogue.projects.slice(0, 5).map((entry) => entry.key),
    );
    return [];
  }
  const args: Record<string, DraftValue> = {};
  if (project !== undefined) args.project = project;
  if (priority !== undefined) args.priority = priority;
  if (type !== undefined) args.type = type;
  const label = line.match(/\blabel (\S+)/)?.[1];
  if (label !== undefined && !label.startsWith('§')) args.label = label;
  const assignee = ofKind(tokens, 'user')[0]?.word;
  if (assignee !== undefined && /\b(?:assigned|assign|assignee)\b/.test(line)) args.assignee = assignee;
  args.summary = summary ?? defaultSummary(type, priority, project);
  const carries =
    /\bwith (?:the |its |that |this )?(?:explain|mean|result|summary|list|count|runbook)\b/.test(line);
  if (carries && work.lastReads.length > 0) args.text = textFrom(work.lastReads);
  return [done(work, 'jira.create', args)];
}

/** "the scanner keeps freezing, file a ticket for that": what was said before. */
function remarked(work: Work): string | null {
  const said = work.remark.filter((token) => token.start < token.end);
  return cut(sliceOf(work.goal, said).replace(/^(?:so|well|hey|hi)\b[\s,]*/i, ''), 200) || null;
}

function projectBefore(work: Work, line: string): string | undefined {
  return /\b(project|in) (?!me)\S+/.test(line) && /\bin (?!me\b|that|the same|it)\w/.test(line)
    ? undefined
    : work.project;
}

/** A pasted message as a summary: its first line, and nothing in it is an order. */
function firstLine(text: string | undefined): string | null {
  return cut(text?.split('\n')[0]?.trim() ?? '', 200) || null;
}

function defaultSummary(
  type: string | undefined,
  priority: string | undefined,
  project: string | undefined,
): string {
  return ['New', priority, type ?? 'ticket', project ? `in ${project}` : ''].filter(Boolean).join(' ');
}
