import type { KnownBlock } from '@slack/types';
import type { IncidentSnapshot, SandboxSnapshot } from '../control/snapshot.ts';
import type { ChannelSnapshot, MessageSnapshot, ViewSnapshot } from '../slack/snapshot.ts';
import type { Channel, Incident, Message, OpenView, SandboxState } from './model.ts';

/** The control API's snapshot in the form shown to one person. */
export function readState(snapshot: SandboxSnapshot, as: string): SandboxState {
  const { people, slack, jira, monitoring, pagerduty } = snapshot;
  const home = slack.homes[as];
  return {
    people,
    slack: {
      botUserId: slack.bot.userId,
      botName: slack.bot.realName,
      channels: channelsOf(slack.channels, as, slack.bot.realName),
      userGroups: slack.userGroups,
      views: (slack.views[as] ?? []).map(viewOf),
      home: home && viewOf(home),
      messageShortcuts: slack.shortcuts.filter((one) => one.type === 'message'),
      commands: slack.commands,
    },
    jira,
    monitoring,
    pagerduty: { onCalls: pagerduty.onCalls, incidents: pagerduty.incidents.map(incidentOf) },
  };
}

/** The person's channels and their direct messages with the bot, which exist before the first message. */
function channelsOf(channels: readonly ChannelSnapshot[], as: string, botName: string): Channel[] {
  const mine = channels
    .filter((one) => one.members.includes(as))
    .map((one): Channel => {
      const isIm = one.im !== undefined;
      const name = isIm ? botName : one.name;
      return { id: one.id, name, topic: one.topic, isIm, messages: one.messages.map(messageOf) };
    });
  return mine.toSorted((a, b) => Number(a.isIm) - Number(b.isIm));
}

function messageOf(message: MessageSnapshot): Message {
  return { ...message, blocks: blocksOf(message.blocks) };
}

function viewOf({ id, definition, errors, notice }: ViewSnapshot): OpenView {
  const submit = textOf(definition.submit);
  return {
    id,
    title: textOf(definition.title) ?? 'App home',
    blocks: Array.isArray(definition.blocks) ? blocksOf(definition.blocks) : [],
    submit,
    close: textOf(definition.close) ?? (submit === undefined ? 'Close' : 'Cancel'),
    errors: { ...errors },
    notice,
  };
}

function incidentOf(incident: IncidentSnapshot): Incident {
  const { source, severity, details, triggers } = incident;
  const facts = Object.entries({ ...details, severity, source, ...(triggers > 1 ? { triggers } : {}) });
  return {
    ...incident,
    facts: facts.flatMap(([name, value]): [string, string][] =>
      value === null || value === undefined ? [] : [[labelOf(name), wordsOf(value)]],
    ),
  };
}

/** The local Slack validated every block against Block Kit before storing it. */
function blocksOf(blocks: readonly unknown[]): KnownBlock[] {
  return blocks as KnownBlock[];
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('text' in value)) return undefined;
  return typeof value.text === 'string' ? value.text : undefined;
}

/** `approved_by` as `Approved by`. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
