import type { Token } from '../words/token.ts';

export const allWrites = [
  'jira.comment',
  'jira.transition',
  'jira.create',
  'pagerduty.page',
  'pagerduty.note',
  'pagerduty.ack',
  'pagerduty.resolve',
  'slack.post',
];

const byWord: Readonly<Record<string, readonly string[]>> = {
  page: ['pagerduty.page'],
  pagerduty: ['pagerduty.page'],
  'on-call': ['pagerduty.page'],
  notify: ['pagerduty.page', 'slack.post'],
  tell: ['slack.post', 'pagerduty.page'],
  post: ['slack.post'],
  comment: ['jira.comment'],
  create: ['jira.create'],
  ticket: ['jira.create'],
  close: ['jira.transition', 'pagerduty.resolve'],
  resolve: ['jira.transition', 'pagerduty.resolve'],
  move: ['jira.transition'],
  reopen: ['jira.transition'],
  ack: ['pagerduty.ack'],
  note: ['pagerduty.note'],
};

/** "no splunk today", "not sql": a place that is not to be looked in. */
export const sources: Readonly<Record<string, string>> = {
  splunk: 'logs.spl',
  kql: 'logs.kql',
  sql: 'sql.query',
};

const rawWords: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(notifications?|notification|notifying|benachrichtig\w*|notificaci\w*|notific\w*)$/,
    ['pagerduty.page', 'slack.post'],
  ],
  [/^(alerts?|alerting|alarm)$/, ['pagerduty.page', 'slack.post']],
  [/^(pages?|paging|pager)$/, ['pagerduty.page']],
  [/^(messages?|slack|posts?|dms?)$/, ['slack.post']],
  [/^(comments?)$/, ['jira.comment']],
  [
    /^(writes?|writing|changes?|changing|touch|touching|modify|modifying|modifications?|edits?|editing|actions?|side-effects?)$/,
    allWrites,
  ],
  [/^(acks?|acknowledge)$/, ['pagerduty.ack']],
  [/^(bother|disturb)$/, ['pagerduty.page', 'slack.post']],
];

export function meantBy(token: Token): readonly string[] {
  if (token.kind !== 'word') return [];
  const raw = rawWords.find(([pattern]) => pattern.test(token.raw.toLowerCase()));
  return raw?.[1] ?? byWord[token.word] ?? [];
}

export const ticketWrites = ['jira.comment', 'jira.transition'];

/** "don't touch the ticket": the ticket stays as it is, and people may still be told. */
export function ofTicket(tokens: readonly Token[], at: number): boolean {
  return tokens
    .slice(at + 1, at + 4)
    .some((token) => /^(ticket|status)$/.test(token.word) || token.kind === 'key');
}
