/** The addresses that can be recorded and disturbed; PagerDuty has two. */
export const vendors = [
  'slack',
  'jira',
  'pagerduty-events',
  'pagerduty-rest',
  'confluence',
  'azure',
  'splunk',
  'prometheus',
  'deploys',
] as const;
export type Vendor = (typeof vendors)[number];

/**
 * - `status`: answers with `status` and `body`; the request has no effect.
 * - `hang`: no answer until the caller gives up; no effect.
 * - `reset`: the connection is destroyed; no effect.
 * - `truncate`: takes effect, then half of the answer's bytes arrive and the connection is destroyed.
 * - `lost-answer`: takes effect, then the connection is destroyed before any answer.
 * - `delay`: waits `delayMs`, or until the fault is removed, then continues normally.
 */
export const faultKinds = ['status', 'hang', 'reset', 'truncate', 'lost-answer', 'delay'] as const;
export type FaultKind = (typeof faultKinds)[number];
