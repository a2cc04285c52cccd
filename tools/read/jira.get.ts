import { jiraGet as manifest } from '../../manifests/jira.get.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';
import { minutesSince, spanWords } from './issue-words.ts';

type Issue = Awaited<ReturnType<Readers['jira']['issue']>>;

const maxWord = 60;
const maxDescription = 1_500;
const maxComment = 1_000;

export const jiraGet = defineRead(manifest, async ({ key }, { readers, now, signal }) => {
  const issue = await readers.jira.issue(key, signal);
  return {
    key: issue.key,
    status: word(issue.status),
    done: issue.done,
    priority: cut(oneLine(issue.priority), 40),
    assigned: issue.assignee !== '',
    assignee: word(issue.assignee),
    summary: cut(oneLine(issue.summary), 500),
    age_minutes: minutesSince(issue.created, now()),
    idle_minutes: minutesSince(issue.updated, now()),
    link: issue.url,
    lines: linesOf(issue, now()),
  };
});

function word(text: string): string {
  return cut(oneLine(text), maxWord);
}

function linesOf(issue: Issue, now: Date): string {
  const ago = (moment: Date) => `${spanWords(minutesSince(moment, now))} ago`;
  const { total, latest } = issue.comments;
  const facts = [issue.type, issue.priority, issue.status].filter(Boolean).map(word).join(', ');
  return [
    `${issue.key}  ${cut(oneLine(issue.summary), 500)}`,
    facts,
    `Assigned to ${word(issue.assignee) || 'nobody'}`,
    issue.reporter === '' ? '' : `Reported by ${word(issue.reporter)}`,
    listed('Labels', issue.labels),
    listed('Components', issue.components),
    `Created ${ago(issue.created)}, changed ${ago(issue.updated)}`,
    issue.resolved === null ? '' : `Resolved ${ago(issue.resolved)}`,
    issue.description === '' ? '' : cut(issue.description, maxDescription),
    latest === null
      ? 'No comments'
      : `Latest of ${total} ${total === 1 ? 'comment' : 'comments'}, ${word(latest.author) || 'unknown'}, ${ago(latest.created)}: ${cut(latest.text, maxComment)}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function listed(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${what}: ${names.slice(0, 20).map(word).join(', ')}`;
}
