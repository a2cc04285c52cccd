/** The page's data: the control API's answers, and values derived from them. */
import type { KnownBlock } from '@slack/types';
import type { IncidentSnapshot, JiraSnapshot, PagerDutySnapshot } from '../control/snapshot.ts';
import type { AlertSnapshot } from '../monitoring.ts';
import type { ChannelSnapshot, MessageSnapshot, SlackSnapshot } from '../slack/snapshot.ts';
import type { Person } from '../world.ts';

export type Message = Omit<MessageSnapshot, 'blocks'> & { readonly blocks: KnownBlock[] };

export interface Channel extends Pick<ChannelSnapshot, 'id' | 'name' | 'topic'> {
  /** A direct message between the acting person and the bot. */
  isIm: boolean;
  messages: Message[];
}

/** A modal or the App Home: the app's view with ids, and Slack's own additions. */
export interface OpenView {
  id: string;
  title: string;
  blocks: KnownBlock[];
  submit: string | undefined;
  close: string;
  /** Messages by block id of the last submission. */
  errors: Record<string, string>;
  /** Slack's message at the top, such as a connection problem. */
  notice: string | undefined;
}

export interface SlackState extends Pick<SlackSnapshot, 'userGroups' | 'commands'> {
  botUserId: string;
  botName: string;
  channels: Channel[];
  /** Open modals of the acting person, the topmost last. */
  views: OpenView[];
  home: OpenView | undefined;
  messageShortcuts: SlackSnapshot['shortcuts'];
}

export type Issue = JiraSnapshot['issues'][number];

export interface Incident extends IncidentSnapshot {
  /** Details of the event, as name and value. */
  facts: [string, string][];
}

export type OnCall = PagerDutySnapshot['onCalls'][number];

export interface SandboxState {
  people: readonly Person[];
  slack: SlackState;
  jira: JiraSnapshot;
  monitoring: readonly AlertSnapshot[];
  pagerduty: { onCalls: readonly OnCall[]; incidents: readonly Incident[] };
}
