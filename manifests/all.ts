import type { Effect, Manifest } from '../src/core/manifest.ts';
import { confluenceCreatePage } from './confluence.create_page.ts';
import { errorsLookup } from './errors.lookup.ts';
import { jiraComment } from './jira.comment.ts';
import { jiraCount } from './jira.count.ts';
import { jiraCreate } from './jira.create.ts';
import { jiraGet } from './jira.get.ts';
import { jiraSearch } from './jira.search.ts';
import { jiraSla } from './jira.sla.ts';
import { jiraTransition } from './jira.transition.ts';
import { llmSummarize } from './llm.summarize.ts';
import { logsKql } from './logs.kql.ts';
import { logsSpl } from './logs.spl.ts';
import { metricsQuery } from './metrics.query.ts';
import { numbersShare } from './numbers.share.ts';
import { pagerdutyAck } from './pagerduty.ack.ts';
import { pagerdutyGet } from './pagerduty.get.ts';
import { pagerdutyIncidents } from './pagerduty.incidents.ts';
import { pagerdutyNote } from './pagerduty.note.ts';
import { pagerdutyOncall } from './pagerduty.oncall.ts';
import { pagerdutyPage } from './pagerduty.page.ts';
import { pagerdutyResolve } from './pagerduty.resolve.ts';
import { queryWritten } from './query.written.ts';
import { runbookSearch } from './runbook.search.ts';
import { slaThreshold } from './sla.threshold.ts';
import { slackCanvas } from './slack.canvas.ts';
import { slackPost } from './slack.post.ts';
import { sqlQuery } from './sql.query.ts';

/** Every declared tool. The configuration decides which of them a catalogue contains. */
export const allManifests: readonly Manifest[] = [
  confluenceCreatePage,
  errorsLookup,
  jiraComment,
  jiraCount,
  jiraCreate,
  jiraGet,
  jiraSearch,
  jiraSla,
  jiraTransition,
  llmSummarize,
  metricsQuery,
  logsKql,
  logsSpl,
  numbersShare,
  pagerdutyAck,
  pagerdutyGet,
  pagerdutyIncidents,
  pagerdutyNote,
  pagerdutyOncall,
  pagerdutyPage,
  pagerdutyResolve,
  queryWritten,
  runbookSearch,
  slackCanvas,
  slackPost,
  slaThreshold,
  sqlQuery,
];

/** Effects by tool name, for checking approvers in the operator's file. */
export const toolEffects: ReadonlyMap<string, Effect> = new Map(
  allManifests.map(({ name, effect }) => [name, effect]),
);
