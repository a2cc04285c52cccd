/** A process's role: everything, only the user-facing part, or only the runs. */
export const roles = ['all', 'front', 'executor'] as const;
export type Role = (typeof roles)[number];

export type Given = Readonly<Record<string, string | undefined>>;

/** The setting with a role's model: an executor plans nothing. */
const modelSetting = { all: 'PLANNER_MODEL', front: 'PLANNER_MODEL', executor: 'EXECUTOR_MODEL' } as const;

/** Secrets an executor does not need, and why. */
const notForExecutors = {
  SLACK_APP_TOKEN: 'it does not listen to Slack',
  SLACK_SIGNING_SECRET: 'it does not listen to Slack',
  SLACK_CLIENT_SECRET: 'nobody installs the bot through it',
  PORT: 'it does not listen to Slack',
  PLANNER_MODEL: 'it plans nothing; EXECUTOR_MODEL is the model of its summaries',
  PLANNER_SHADOW: 'it plans nothing',
} as const;

export function roleOf({ COUNTERSIGN_ROLE: role }: Given): Role {
  return roles.find((one) => one === role) ?? 'all';
}

/** Checks which workspaces a process serves, and, unless it is an executor, how Slack reaches it. */
export function slackProblems(given: Given): string[] {
  const isReached = given.SLACK_APP_TOKEN || (given.SLACK_SIGNING_SECRET && given.PORT);
  const reached = roleOf(given) === 'executor' || isReached ? [] : [notReached];
  return [...workspaceProblems(given), ...reached];
}

const notReached = 'SLACK_APP_TOKEN (Socket Mode), or SLACK_SIGNING_SECRET with PORT (HTTP), must be set';

/** One workspace by its token, or several by their installations. */
function workspaceProblems(given: Given): string[] {
  const { SLACK_BOT_TOKEN: token, TOKEN_KEY: key } = given;
  const installing = installers.filter((name) => given[name]);
  if (token && key)
    return ['TOKEN_KEY is for several workspaces and SLACK_BOT_TOKEN for one: set only one of them'];
  if (token) return [];
  if (!key)
    return installing.length > 0
      ? [
          'TOKEN_KEY (openssl rand -hex 32) must be set when SLACK_CLIENT_ID is: it encrypts the tokens of workspaces',
        ]
      : ['SLACK_BOT_TOKEN is missing (for several workspaces: TOKEN_KEY, docs/workspaces.md)'];
  if (roleOf(given) === 'executor') return [];
  const missing = [...installers, 'PORT'].filter((name) => !given[name]);
  return missing.length === 0 ? [] : [`${missing.join(', ')} must be set when TOKEN_KEY is`];
}

const installers = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'] as const;

/**
 * Settings a role must not have: a split in which every role holds the same keys protects nobody. The operator names a
 * front's write keys: the check of `countersign.yml` finds those.
 */
export function roleProblems(given: Given): string[] {
  if (roleOf(given) !== 'executor') return [];
  return Object.entries(notForExecutors).flatMap(([name, why]) =>
    given[name] ? [`${name} must not be set for an executor: ${why}`] : [],
  );
}

/** Name of the planner that needs no model, as a second one. */
export const withoutModel = 'everyday';

export function modelProblems(given: Given): string[] {
  const name = modelSetting[roleOf(given)];
  const reached = given.OPENAI_API_KEY || given.OPENAI_BASE_URL;
  const second = given.PLANNER_SHADOW === withoutModel ? undefined : given.PLANNER_SHADOW;
  const set = given[name] ? name : second && 'PLANNER_SHADOW';
  if (set && !reached) return [`OPENAI_API_KEY or OPENAI_BASE_URL must be set when ${set} is`];
  if (given.PLANNER_SHARE && !given.PLANNER_SHADOW)
    return ['PLANNER_SHADOW must name the planner that PLANNER_SHARE gives to people'];
  if (reached && !set) return [`${name} must name the model when OPENAI_API_KEY or OPENAI_BASE_URL is set`];
  return [];
}

/** Settings that only make sense together. A front never queries Splunk, Prometheus or Azure, but must know that they exist. */
export function vendorGroups(given: Given): readonly (readonly string[])[] {
  const asked = [
    ['JIRA_HOST', 'JIRA_EMAIL', 'JIRA_API_TOKEN'],
    ['PAGERDUTY_API_TOKEN', 'PAGERDUTY_FROM_EMAIL'],
  ];
  if (roleOf(given) === 'front') return asked;
  return [
    ...asked,
    ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'],
    ['SPLUNK_URL', 'SPLUNK_TOKEN'],
    ['PROMETHEUS_USER', 'PROMETHEUS_PASSWORD'],
  ];
}
