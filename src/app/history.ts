import type { Rules } from '../approval/basis.ts';
import { isFullMember, mayApproveTool, mayBeApproved, withJoiners } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { isWaitedFor } from '../approval/required-approvals.ts';
import { readRows } from '../core/damaged-row.ts';
import type { HistoryDeps } from '../history/answers.ts';
import type { HandoverDeps } from '../history/handover.ts';
import type { HomeDeps } from '../history/home.ts';
import type { ReviewDeps } from '../history/review.ts';
import * as approvals from '../store/approvals.ts';
import * as requests from '../store/requests.ts';
import { watchReader } from '../store/watch-rows.ts';
import * as watches from '../store/watches.ts';
import { lifeInBrief } from '../vendors/pagerduty/life.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { TeamBase } from './process-context.ts';

interface HistoryParts extends TeamBase, Pick<HistoryDeps, 'hosts' | 'redraw' | 'catalogue'> {
  readonly people: PeopleDirectory;
  readonly rules: Rules;
  readonly now: () => Date;
}

/** Dependencies of the answers about plans. */
export function historyDeps(parts: HistoryParts): HistoryDeps {
  const { db, teamId, damaged, gateway, hosts, redraw, catalogue, people, rules, now } = parts;
  const { manifests } = catalogue;
  return {
    ...{ db, teamId, damaged, hosts, redraw, catalogue, manifests },
    permalink: gateway.permalink,
    maySee: gateway.isIn,
    watches: async () => readRows(await watches.open(db, teamId), watchReader, damaged),
    async mayApprove(userId, revision) {
      const { requestId, number } = revision.sealed;
      const [given, { requesters: joiners }] = await Promise.all([
        approvals.list(db, { teamId, requestId, number }),
        requests.joinersOf(db, teamId, requestId),
      ]);
      const judged = { policy: rules.policy, manifests, people, now: now() };
      return isWaitedFor(
        userId,
        { ...judged, revision: withJoiners({ revision, joiners }) },
        given.map(({ approver }) => approver),
      );
    },
  };
}

export function homeDeps(
  history: HistoryDeps,
  { people, rules }: Pick<HistoryParts, 'people' | 'rules'>,
  gateway: Pick<SlackGateway, 'publishHome'>,
): HomeDeps {
  return {
    ...history,
    isFullMember: async (who) => (await isFullMember(who, people)).allowed,
    mayApproveTool: (userId, tool) => mayApproveTool(userId, tool, rules.policy, people),
    mayBeApproved: (tool) => mayBeApproved(tool, rules.policy),
    publish: gateway.publishHome,
  };
}

/** Maximum incidents that PagerDuty returns at once; the rest are counted. */
const maxOpen = 100;

export function openIncidents(pagerduty: Pick<PagerDutyReader, 'incidents'>): HandoverDeps['openIncidents'] {
  return async ([first, ...others], signal) => {
    if (first === undefined) return { total: 0, incidents: [] };
    const { total, incidents } = await pagerduty.incidents(
      {
        services: [first, ...others],
        states: ['triggered', 'acknowledged'],
        order: 'newest',
        limit: maxOpen,
      },
      signal,
    );
    return { total, incidents: incidents.map(lifeInBrief) };
  };
}

/** PagerDuty and Slack for the review of an incident. */
export function reviewSources({
  pagerduty,
  gateway,
}: {
  readonly pagerduty: Pick<PagerDutyReader, 'incident' | 'life'>;
  readonly gateway: Pick<SlackGateway, 'nameOf' | 'marked'>;
}): Pick<ReviewDeps, 'incidentLife' | 'marked' | 'nameOf'> {
  return {
    async incidentLife(numberOrId, signal) {
      const incident = await pagerduty.incident(numberOrId, signal);
      return incident && (await pagerduty.life(incident.id, signal));
    },
    marked: gateway.marked,
    nameOf: (userId) => gateway.nameOf('user', userId),
  };
}
