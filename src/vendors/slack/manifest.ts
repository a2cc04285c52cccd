/** Everything the code listens to and needs; slack-manifest.yml declares the same, and a test compares them. */
export const command = '/plan';
export const messageShortcut = 'plan_from_message';

/** Where a person starts to install the bot in a workspace; Slack sends them back to the other one. */
export const installPath = '/slack/install';
export const redirectPath = '/slack/oauth_redirect';

/** Events of the Events API. The message events are for replies in our own threads. */
export const events = [
  'agent_session_stopped',
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'tokens_revoked',
] as const;

/** Their `type`: all message events share one. */
export const listenedEvents: ReadonlySet<string> = new Set(events.map((name) => name.split('.', 1).join()));

export const canvasScopes = ['canvases:read', 'canvases:write', 'files:read'] as const;

/** Bot scopes, each with the feature that needs it. */
export const scopes: Readonly<Record<string, string>> = {
  'app_mentions:read': 'app_mention',
  'assistant:write': 'requests suggested in direct messages, and what the bot is doing',
  'canvases:read': 'finding our own canvas again after a lost answer',
  'canvases:write': 'canvases, such as a review',
  'channels:read': 'who may see a plan in App Home',
  'channels:history': 'message.channels; finding our own message again after a lost answer',
  'chat:write': 'cards, reports and private words',
  commands: 'the slash command and the message shortcut',
  'files:read': 'the address of a canvas; finding it again after a lost answer',
  'groups:read': 'as channels:read, in private channels',
  'groups:history': 'as channels:history, in private channels',
  'im:read': 'as channels:read, in direct messages',
  'im:history': 'as channels:history, in direct messages',
  'im:write': 'direct messages to people',
  'mpim:read': 'as channels:read, in group conversations',
  'mpim:history': 'as channels:history, in group conversations',
  'usergroups:read': 'approvers that are user groups',
  'users:read': 'whether who clicks is a full member',
  'users:read.email': 'who in Slack is on call in PagerDuty, and whose tickets in Jira are "mine"',
};
