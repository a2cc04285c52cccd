import type { PeopleDirectory } from '../approval/ports.ts';
import { isFullMember, mayApproveTool } from '../approval/who.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Policy } from '../core/policy.ts';
import { unseal } from '../core/revision.ts';
import type { DeadLetterPort } from '../report/dead-letters.ts';
import { invitation } from '../report/invitation.ts';
import type { HomePort } from '../report/show-home.ts';
import type { Stages } from '../stages.ts';
import { decide } from '../store/decide.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { RevisionRow } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Books } from './books.ts';
import { cardLink } from './card-link.ts';
import type { Reporting } from './reporting.ts';
import type { Voices } from './slack-events.ts';

export function reportStage(reporting: Reporting): Stages['report'] {
  return {
    messagesFor: (event) => reporting.messagesFor(event),
    stored: async (event) => reporting.stored(event),
  };
}

/** How to invite the bot where that is what an error is about, else null. */
export function inviting(gateway: SlackGateway): DeadLetterPort['invitation'] {
  return (error, channel) => invitation(error, channel, async () => (await gateway.identity()).botUserId);
}

export interface DeadLetterDeps extends Books {
  readonly gateway: SlackGateway;
  readonly voices: Voices;
  readonly now: () => Date;
  readonly log: Log;
}

export function deadLetterPort({ db, teamId, gateway, voices, now, log }: DeadLetterDeps): DeadLetterPort {
  return {
    request: (id) => requests.get(db, teamId, id),
    async closeUnseen(requestId) {
      const row = await revisions.latest(db, teamId, requestId);
      if (row === null || row.state !== 'proposed' || row.cardTs !== null) return;
      const { number, digest } = row;
      const reason = 'its card could not be posted';
      const cancelled = { teamId, requestId, number, digest, to: 'cancelled', by: 'system', reason } as const;
      const decided = await decide(db, { ...cancelled, now: now() });
      if (decided.ok) await requests.setState(db, { teamId, id: requestId, to: 'closed' });
    },
    async lastApprover(requestId) {
      return (await revisions.approvalsOf(db, teamId, requestId)).at(-1)?.approver ?? null;
    },
    voiceOf: (requestId) => voices.get(requestId),
    async sendDirect(userId, message, key) {
      await gateway.post({ channel: await gateway.openDirect(userId), message, key });
    },
    invitation: inviting(gateway),
    log,
  };
}

export interface HomeDeps extends Books {
  readonly gateway: SlackGateway;
  readonly people: PeopleDirectory;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
}

export function homePort({ db, teamId, gateway, people, catalogue, policy }: HomeDeps): HomePort {
  /** A row whose request is gone, or was tampered with, is not shown. */
  async function shown<T>(row: RevisionRow | null, more: T) {
    const request = row && (await requests.get(db, teamId, row.requestId));
    if (row === null || request === null) return [];
    const { requester, plan } = unseal(row.bytes, row.digest).sealed;
    const link = () => cardLink(gateway, row);
    return [{ channel: request.channel, requester, summary: plan.summary, link, ...more }];
  }
  return {
    isFullMember: async (who) => (await isFullMember(who, people)).allowed,
    async waiting(limit) {
      const open = await revisions.listOpen(db, { teamId, limit });
      const all = open.map((row) => shown(row, { expiresAt: row.expiresAt.toISOString() }));
      return (await Promise.all(all)).flat();
    },
    async recent(limit) {
      const recent = await runs.listRecent(db, { teamId, limit });
      const all = recent.map(async ({ requestId, number, outcome, startedAt, finishedAt }) => {
        const at = (finishedAt ?? startedAt).toISOString();
        return shown(await revisions.get(db, teamId, requestId, number), { outcome, at });
      });
      return (await Promise.all(all)).flat();
    },
    maySee: (userId, channel) => gateway.isIn(userId, channel),
    mayApprove: (userId, tool) => mayApproveTool(userId, tool, policy, people),
    catalogue,
    publish: (userId, home) => gateway.publishHome(userId, home),
  };
}
