import type { Tool } from '../src/core/tool.ts';
import { errorsLookup } from './read/errors.lookup.ts';
import { jiraCount } from './read/jira.count.ts';
import { jiraGet } from './read/jira.get.ts';
import { jiraSearch } from './read/jira.search.ts';
import { jiraSla } from './read/jira.sla.ts';
import { llmSummarize } from './read/llm.summarize.ts';
import { logsKql } from './read/logs.kql.ts';
import { logsSpl } from './read/logs.spl.ts';
import { metricsQuery } from './read/metrics.query.ts';
import { numbersShare } from './read/numbers.share.ts';
import { pagerdutyGet } from './read/pagerduty.get.ts';
import { pagerdutyIncidents } from './read/pagerduty.incidents.ts';
import { pagerdutyOncall } from './read/pagerduty.oncall.ts';
import { queryWritten } from './read/query.written.ts';
import { runbookSearch } from './read/runbook.search.ts';
import { slaThreshold } from './read/sla.threshold.ts';
import { sqlQuery } from './read/sql.query.ts';
import { confluenceCreatePage } from './write/confluence.create_page.ts';
import { jiraComment } from './write/jira.comment.ts';
import { jiraCreate } from './write/jira.create.ts';
import { jiraTransition } from './write/jira.transition.ts';
import { pagerdutyAck } from './write/pagerduty.ack.ts';
import { pagerdutyNote } from './write/pagerduty.note.ts';
import { pagerdutyPage } from './write/pagerduty.page.ts';
import { pagerdutyResolve } from './write/pagerduty.resolve.ts';
import { slackCanvas } from './write/slack.canvas.ts';
import { slackPost } from './write/slack.post.ts';

const reads = [
  errorsLookup,
  jiraCount,
  jiraGet,
  jiraSearch,
  jiraSla,
  llmSummarize,
  pagerdutyGet,
  pagerdutyIncidents,
  logsKql,
  logsSpl,
  metricsQuery,
  numbersShare,
  pagerdutyOncall,
  queryWritten,
  runbookSearch,
  slaThreshold,
  sqlQuery,
];
const writes = [
  confluenceCreatePage,
  jiraComment,
  jiraCreate,
  jiraTransition,
  pagerdutyAck,
  pagerdutyNote,
  pagerdutyPage,
  pagerdutyResolve,
  slackCanvas,
  slackPost,
];

/** The executor's tool implementations by name. */
export const allTools: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ...reads.map((tool): [string, Tool] => [tool.manifest.name, { effect: 'read', tool }]),
  ...writes.map((tool): [string, Tool] => [tool.manifest.name, { effect: 'write', tool }]),
]);
