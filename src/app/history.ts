import type { Rules } from '../approval/basis.ts';
import { isFullMember, mayApproveTool, mayBeApproved, withJoiners } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { isWaitedFor } from '../approval/required-approvals.ts';
import { readRows } from '../core/damaged-row.ts';
import { incidentStates } from '../core/incident-history.ts';
import type { HistoryDeps } from '../history/answers.ts';
import type { HandoverDeps } from '../history/handover.ts';
import type { HomeDeps } from '../history/home.ts';
import type { PastSource, PastThing } from '../history/like-elsewhere.ts';
import type { ReviewDeps } from '../history/review.ts';
import * as approvals from '../store/approvals.ts';
import * as requests from '../store/requests.ts';
import { watchReader } from '../store/watch-rows.ts';
import * as watches from '../store/watches.ts';
import { lifeInBrief } from '../vendors/pagerduty/life.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { ReadingWorkspace, TeamBase } from './process-context.ts';

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
  gateway: Pick<SlackGateway, 'publishHome' | 'suggest'>,
): HomeDeps {
  return {
    ...history,
    isFullMember: async (who) => (await isFullMember(who, people)).allowed,
    mayApproveTool: (userId, tool) => mayApproveTool(userId, tool, rules.policy, people),
    mayBeApproved: (tool) => mayBeApproved(tool, rules.policy),
    publish: gateway.publishHome,
    suggest: gateway.suggest,
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
  readonly pagerduty: Pick<PagerDutyReader, 'incident' | 'incidents' | 'life'>;
  readonly gateway: Pick<SlackGateway, 'nameOf' | 'marked'>;
}): Pick<ReviewDeps, 'incidentLife' | 'marked' | 'nameOf'> {
  return {
    async incidentLife(asked, signal) {
      const newest = async () =>
        (await pagerduty.incidents({ states: incidentStates, order: 'newest', limit: 1 }, signal))
          .incidents[0];
      const incident =
        asked === 'LAST' ? ((await newest()) ?? null) : await pagerduty.incident(asked, signal);
      return incident && (await pagerduty.life(incident.id, signal));
    },
    marked: gateway.marked,
    nameOf: (userId) => gateway.nameOf('user', userId),
  };
}

/** Maximum past incidents and tickets that are searched. */
const maxPast = 50;
const maxPages = 10;

/** Past incidents, closed tickets and written reviews of a service. */
export function pastSources({
  readers,
  catalogue,
}: Pick<ReadingWorkspace, 'readers' | 'catalogue'>): PastSource[] {
  const { manifests } = catalogue;
  const has = (tool: string, source: PastSource): PastSource[] => (manifests.has(tool) ? [source] : []);
  return [
    ...has('pagerduty.incidents', {
      name: 'past incidents of PagerDuty',
      find: ({ service }, signal) => pastIncidents(service, readers.pagerduty, signal),
    }),
    ...has('jira.search', {
      name: 'closed tickets',
      async find({ service, code }, signal) {
        const project = catalogue.services.find(({ name }) => name === service)?.project;
        if (project === undefined) return [];
        const query = { project, status: 'closed', ...(code === null ? {} : { text: code }) };
        const { issues } = await readers.jira.search(query, { limit: maxPast, order: 'updated' }, signal);
        return issues.map(({ key, summary, url, created, resolved }) => ({
          ...{
            name: `${key} ${summary}`,
            url,
            at: created.toISOString(),
            ended: resolved?.toISOString() ?? null,
          },
          words: [summary, code].join(' '),
        }));
      },
    }),
    ...has('runbook.search', {
      name: 'written reviews',
      async find({ service }, signal) {
        const query = { words: 'review', service, code: null };
        const found = await Promise.all(readers.runbooks.map((one) => one.search(query, maxPages, signal)));
        return found
          .flatMap(({ hits }) => hits)
          .filter(({ title }) => /\breview|post-?mortem/i.test(title))
          .map(({ title, address, changed, excerpt }) => ({
            ...{ name: title, url: address, at: changed, words: `${title} ${excerpt}` },
          }));
      },
    }),
  ];
}

async function pastIncidents(
  service: string,
  pagerduty: Pick<PagerDutyReader, 'incidents' | 'incident' | 'pastIncidents'>,
  signal: AbortSignal,
): Promise<PastThing[]> {
  const of = { services: [service], order: 'newest' } as const;
  const [over, open] = await Promise.all([
    pagerduty.incidents({ ...of, states: ['resolved'], limit: maxPast }, signal),
    pagerduty.incidents({ ...of, states: ['triggered', 'acknowledged'], limit: 1 }, signal),
  ]);
  const [newest] = open.incidents;
  const alike = newest === undefined ? [] : await pagerduty.pastIncidents(newest.id, signal);
  const older = alike.filter((id) => over.incidents.every((one) => one.id !== id));
  const others = await Promise.all(older.map((id) => pagerduty.incident(id, signal)));
  return [...over.incidents, ...others.filter((one) => one !== null)].map((one) => ({
    ...{ name: `#${one.number} ${one.title}`, url: one.url, at: one.createdAt, ended: one.changedAt || null },
    ...{ incident: one.id, isAlike: alike.includes(one.id), words: one.title },
  }));
}
