/** What the page reads of the control API's answers; fields it does not show are left out. */
import type { KnownBlock } from '@slack/types';

export interface Person {
  id: string;
  name: string;
  realName: string;
  title: string;
  pagerdutyId: string;
}

export interface Message {
  ts: string;
  /** User id of the author; the bot's own for the bot. */
  user: string;
  isBot: boolean;
  text: string;
  blocks: KnownBlock[];
  threadTs: string | undefined;
  replyCount: number;
  edited: boolean;
  /** Set when only this person sees it. */
  ephemeralFor: string | undefined;
}

export interface Channel {
  id: string;
  name: string;
  topic: string;
  /** A direct message between the acting person and the bot. */
  isIm: boolean;
  messages: Message[];
}

/** A modal or the App Home: what the app sent, with ids, and what Slack itself adds. */
export interface OpenView {
  id: string;
  title: string;
  blocks: KnownBlock[];
  submit: string | undefined;
  close: string;
  /** Messages by block id of the last submission. */
  errors: Record<string, string>;
  /** What Slack says at the top, such as a connection problem. */
  notice: string | undefined;
}

export interface SlackState {
  botUserId: string;
  botName: string;
  channels: Channel[];
  userGroups: { id: string; handle: string }[];
  /** Open modals of the acting person, the topmost last. */
  views: OpenView[];
  home: OpenView | undefined;
  messageShortcuts: { name: string; callbackId: string }[];
  commands: { command: string; description: string; usageHint: string }[];
}

export interface Issue {
  key: string;
  project: string;
  summary: string;
  priority: string;
  status: string;
  /** Jira's key of the status category: new, indeterminate or done. */
  statusCategory: string;
  done: boolean;
  comments: { id: string; author: string; text: string }[];
}

export interface JiraState {
  projects: { key: string; name: string }[];
  priorities: string[];
  issueTypes: string[];
  issues: Issue[];
}

export type IncidentStatus = 'triggered' | 'acknowledged' | 'resolved';

export interface Incident {
  id: string;
  number: number;
  title: string;
  status: IncidentStatus;
  /** Nobody is woken by what is of low urgency. */
  urgency: 'high' | 'low';
  service: string;
  dedupKey: string;
  /** What came with the event, as name and value. */
  facts: [string, string][];
  /** Names of the people who were told. */
  notified: string[];
  acknowledgedBy: string | undefined;
  createdAt: string;
}

export interface OnCall {
  service: { id: string; name: string };
  /** Slack user id. */
  user: string;
  until: string;
}

export interface PagerDutyState {
  onCalls: OnCall[];
  incidents: Incident[];
}

export interface SandboxState {
  people: Person[];
  slack: SlackState;
  jira: JiraState;
  pagerduty: PagerDutyState;
}
