import type { Manifest } from '../src/core/manifest.ts';
import { jiraCount } from './jira.count.ts';
import { jiraSearch } from './jira.search.ts';
import { pagerdutyOncall } from './pagerduty.oncall.ts';
import { pagerdutyPage } from './pagerduty.page.ts';
import { slackPost } from './slack.post.ts';
import { slaThreshold } from './sla.threshold.ts';

/** Every declared tool. What is configured decides which of them a catalogue holds. */
export const allManifests: readonly Manifest[] = [
  jiraCount,
  jiraSearch,
  pagerdutyOncall,
  pagerdutyPage,
  slackPost,
  slaThreshold,
];
