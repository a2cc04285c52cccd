import { isFullMember, mayApproveTool } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { own } from '../core/own-property.ts';
import type { Policy } from '../core/policy.ts';
import type { RunEvent } from '../core/run.ts';
import type { AboutPort } from '../history/port.ts';
import type { HomePort } from '../history/show-home.ts';
import type { Stages } from '../stages.ts';
import type { Receiver } from '../store/outbox-messages.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Reporting } from './reporting.ts';

export interface LeavePort {
  /** Leaves a failed run to a process that plans. */
  leave: Stages['report']['leave'];
  /** Leaves a button's approval to a process that takes decisions. */
  leavePressed(event: RunEvent): Promise<void>;
  /** Reads the history of incidents that a run has opened or changed. */
  followAfter(event: RunEvent): Promise<void>;
}

export function reportStage(
  reporting: Reporting,
  { leave, leavePressed, followAfter }: LeavePort,
): Stages['report'] {
  return {
    leave,
    messagesFor: (event) => reporting.messagesFor(event),
    async stored(event) {
      await reporting.stored(event);
      if (event.type !== 'finished') return;
      if (event.mode === 'read') await leavePressed(event);
      await followAfter(event);
    },
  };
}

/** The operators, and the bot's default channel. A group that cannot be read counts as empty. */
export async function operatorPlaces(
  config: Pick<OperatorConfig, 'operators' | 'channels' | 'defaults'>,
  gateway: Pick<SlackGateway, 'groupMembers'>,
): Promise<readonly Receiver[]> {
  const members = config.operators.map(async (id) =>
    id.startsWith('S') ? [...(await gateway.groupMembers(id).catch(() => []))] : [id],
  );
  const people = (await Promise.all(members)).flat().map((userId) => ({ kind: 'person', userId }) as const);
  const channel = own(config.channels, config.defaults.channel ?? '')?.id;
  return channel === undefined ? people : [...people, { kind: 'channel', channel, threadTs: null }];
}

export interface HomeDeps {
  readonly about: AboutPort;
  readonly gateway: SlackGateway;
  readonly people: PeopleDirectory;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
}

export function homePort({ about, gateway, people, catalogue, policy }: HomeDeps): HomePort {
  return {
    ...about,
    isFullMember: async (who) => (await isFullMember(who, people)).allowed,
    mayApproveTool: (userId, tool) => mayApproveTool(userId, tool, policy, people),
    catalogue,
    publish: (userId, home) => gateway.publishHome(userId, home),
  };
}
