import { isFullMember, mayApproveTool } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own-property.ts';
import type { Policy } from '../core/policy.ts';
import type { RunEvent } from '../core/run.ts';
import type { AboutPort } from '../history/port.ts';
import type { HomePort } from '../history/show-home.ts';
import { incidentsIn } from '../incidents/follow.ts';
import type { DeadLetterPort } from '../report/dead-letters.ts';
import { invitation } from '../report/invitation.ts';
import type { Stages } from '../stages.ts';
import { cancel } from '../store/cancel.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as watches from '../store/watches.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Voices } from './reply-cache.ts';
import type { Reporting } from './reporting.ts';
import type { Books } from './stored-requests.ts';

export interface LeavePort {
  /** Leaves a failed run to a process that plans. */
  leave: Stages['report']['leave'];
  /** Leaves a button's approval to a process that takes decisions. */
  leavePressed(event: RunEvent): Promise<void>;
  /** A run has opened or changed these incidents: their history must be read. */
  touched(ids: readonly string[]): Promise<void>;
}

export function reportStage(
  reporting: Reporting,
  { leave, leavePressed, touched }: LeavePort,
): Stages['report'] {
  return {
    leave,
    messagesFor: (event) => reporting.messagesFor(event),
    async stored(event) {
      await reporting.stored(event);
      if (event.type !== 'finished') return;
      if (event.mode === 'read') await leavePressed(event);
      await touched(incidentsIn(event));
    },
  };
}

/** How to invite the bot if that resolves the error, else null. */
export function inviting(gateway: SlackGateway): DeadLetterPort['invitation'] {
  return (error, channel) => invitation(error, channel, async () => (await gateway.identity()).botUserId);
}

/** Cancels a plan whose card nobody can see. */
export async function closeUnseen({ db, teamId }: Books, requestId: string, now: Date): Promise<void> {
  const row = await revisions.latest(db, teamId, requestId);
  if (row === null || row.state !== 'proposed' || row.cardTs !== null) return;
  const { number, digest } = row;
  await cancel(db, { teamId, requestId, number, digest, reason: 'its card could not be posted', now });
}

export interface DeadLetterDeps extends Books {
  readonly config: Pick<OperatorConfig, 'operators' | 'channels' | 'defaults'>;
  readonly gateway: SlackGateway;
  readonly voices: Voices;
  readonly now: () => Date;
  readonly log: Log;
}

export function deadLetterPort(deps: DeadLetterDeps): DeadLetterPort {
  const { db, teamId, gateway, voices, now, log } = deps;
  return {
    request: (id) => requests.get(db, teamId, id),
    closeUnseen: (requestId) => closeUnseen({ db, teamId }, requestId, now()),
    async lastApprover(requestId) {
      return (await revisions.approvalsOf(db, teamId, requestId)).at(-1)?.approver ?? null;
    },
    watch: (id) => watches.get(db, { teamId, id }),
    operators: () => operatorPlaces(deps),
    voiceOf: (requestId) => voices.get(requestId),
    invitation: inviting(gateway),
    log,
  };
}

/** The operators, and the bot's default channel. A group that cannot be read counts as empty. */
export async function operatorPlaces({
  config,
  gateway,
}: Pick<DeadLetterDeps, 'config' | 'gateway'>): ReturnType<DeadLetterPort['operators']> {
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
