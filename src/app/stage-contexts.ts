import { setTimeout as pause } from 'node:timers/promises';
import { approveByButton } from '../approval/approve-by-button.ts';
import type { Rules } from '../approval/basis.ts';
import { approveCard, dryRun, rejectCard, repeat, stopRun } from '../approval/card-actions.ts';
import { keepRejected } from '../approval/change-by-reason.ts';
import type { ApprovalContext } from '../approval/context.ts';
import { isFullMember, mayApproveTool, mayBeApproved, withJoiners } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { propose, takesMore } from '../approval/propose.ts';
import { isWaitedFor } from '../approval/required-approvals.ts';
import { giveStanding } from '../approval/standing/give.ts';
import type { Say } from '../blocks/message.ts';
import { readApprover } from '../config/build-catalogue.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { readRows } from '../core/damaged-row.ts';
import type { Log } from '../core/log.ts';
import type { Tool, WriteTool } from '../core/tool.ts';
import type { HomeDeps } from '../history/home.ts';
import { cardLink } from '../history/plans.ts';
import type { HistoryDeps } from '../history/status.ts';
import type { Figures } from '../ops/figures.ts';
import { answerersOf } from '../request/conversation.ts';
import { incidentMeant } from '../review/incident-meant.ts';
import { withKnowledge } from '../review/knowledge.ts';
import { listTargets } from '../review/list-targets.ts';
import { mergeReads } from '../review/merge-reads.ts';
import { resolveNames } from '../review/resolve-names.ts';
import { resolveTargets } from '../review/resolve-targets.ts';
import { reviewDraft } from '../review/review.ts';
import { readUnattended } from '../run/run-reads.ts';
import type { Starter } from '../run/start.ts';
import type { Stages } from '../stages.ts';
import * as approvals from '../store/approvals.ts';
import { incidentsMeantIn } from '../store/incidents.ts';
import * as requests from '../store/requests.ts';
import type { TeamDb } from '../store/tables.ts';
import { watchReader } from '../store/watch-rows.ts';
import * as watches from '../store/watches.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { WatchContext } from '../watches/context.ts';
import { noWriters } from './build-workspace.ts';
import { tellDecided } from './decorators.ts';
import type { Planners } from './planner.ts';
import type { ReadingWorkspace, TeamBase } from './process-context.ts';
import type { Reporting } from './reporting.ts';

export interface StageParts {
  readonly teamBase: TeamBase;
  readonly workspace: ReadingWorkspace;
  readonly planners: Planners;
  readonly reporting: Reporting;
  readonly starter: Starter;
  readonly figures: Figures;
  readonly config: OperatorConfig;
  /** PagerDuty's webhooks reach us. */
  readonly hasWebhooks: boolean;
  /** A way to reply to the requester, for as long as that is possible. */
  readonly replyTo: (requestId: string) => Say | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/** Runs the reads of watches, alerts and agents, without storing a run. */
export function reading(
  { teamBase, workspace, config, now, log }: StageParts,
  { tools }: Pick<ReadingWorkspace, 'tools'> = workspace,
): WatchContext['read'] {
  const { db, teamId, code } = teamBase;
  const reads = {
    ...{ ...workspace, tools, db, code, writers: noWriters, stepsAtOnce: config.limits.steps_at_once },
    ...{ now, sleep: pause, random: Math.random, log },
  };
  return (of) => readUnattended(reads, { teamId, ...of });
}

export function listingTargets(parts: StageParts): Stages['listTargets'] {
  const { policy, catalogue } = parts.workspace;
  const sleep = (ms: number) => pause(ms, undefined, { ref: false });
  const review = reviewing(parts.workspace);
  const context = { manifests: catalogue.manifests, policy, review, read: reading(parts), sleep };
  return (proposal) => listTargets(proposal, context);
}

/** Applies every rule; a plan that passes gets equal reads merged and its steps put in execution order. */
export function reviewing({ catalogue, policy }: ReadingWorkspace): Stages['review'] {
  return (draft, home) => {
    const reviewed = reviewDraft(draft, { catalogue, policy, home });
    if (reviewed.plan === null) return reviewed;
    return { plan: mergeReads(reviewed.plan, catalogue.manifests), findings: [] };
  };
}

/** An incident can be named by its number, address, service or thread. Sources check what people wrote for them. */
export function resolvingNames(
  { db }: TeamBase,
  { catalogue: { manifests, services }, policy, readers }: ReadingWorkspace,
  now: () => Date,
): Stages['resolveNames'] {
  const names = new Set(services.map(({ name }) => name));
  const meant = {
    incident: incidentMeant({
      ...{ pagerduty: readers.pagerduty, services: names },
      ofThread: (request) => incidentsMeantIn(db, request),
    }),
  };
  return (draft, request) => resolveNames(draft, request, { manifests, meant, readers, policy, now: now() });
}

export function approvalContext(parts: StageParts): ApprovalContext {
  const { teamBase, workspace, reporting, figures, replyTo, config, now, log } = parts;
  const { gateway } = teamBase;
  const { catalogue, policy, readers, tools } = workspace;
  const writeTools = writesOf(tools);
  return {
    // Looked up fresh: a removed approver must not decide.
    people: peopleDirectory(gateway.fresh, readers.pagerduty),
    ...{ ...teamBase, reporting, manifests: catalogue.manifests, now, log },
    rules: { policy, catalogue },
    operators: config.operators.map(readApprover),
    announceIn: catalogue.channels.find(({ name }) => name === catalogue.defaults.channel)?.id ?? null,
    maySee: seesRequest(teamBase),
    cardLink: (row) => cardLink(gateway, row),
    resolve: (plan, problems, of) => resolveTargets(plan, problems, writeTools, { readers, now, ...of }),
    async withKnowledge(plan, channel) {
      const known = await withKnowledge(plan, { catalogue, readers, log });
      return reviewDraft(known, { catalogue, policy, home: channel }).plan ?? plan;
    },
    answerersOf,
    replyTo,
    startBehind: (connection, runId) => parts.starter.startBehind(connection, runId),
    edited: (changes) => figures.edited(changes),
    decided: (row) => tellDecided({ figures, log }, row),
  };
}

function writesOf(tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, WriteTool> {
  const found = new Map<string, WriteTool>();
  for (const [name, tool] of tools) if (tool.effect === 'write') found.set(name, tool.tool);
  return found;
}

/** Whether a person may see a request: their own, and those in channels they can read. */
export function seesRequest({
  db,
  teamId,
  gateway,
}: TeamDb & { readonly gateway: Pick<SlackGateway, 'isIn'> }): (
  userId: string,
  requestId: string,
) => Promise<boolean> {
  return async (userId, requestId) => {
    const request = await requests.get(db, teamId, requestId);
    return request !== null && (request.requester === userId || gateway.isIn(userId, request.channel));
  };
}

/** Time limit for looking up who is on call, in milliseconds; who may approve is checked at the click. */
const onCallMs = 5_000;

/** Looks up people: Slack for persons and groups, PagerDuty and Slack together for who is on call. */
export function peopleDirectory(
  gateway: Pick<SlackGateway, 'userInfo' | 'groupMembers' | 'userByEmail'>,
  pagerduty: Pick<PagerDutyReader, 'oncall'>,
): PeopleDirectory {
  return {
    async person({ userId, home }) {
      const person = await gateway.userInfo(userId);
      const another = person !== null && home !== null && !person.homes.includes(home);
      return another ? { ...person, external: true } : person;
    },
    groupMembers: (groupId) => gateway.groupMembers(groupId),
    async onCall(service) {
      const people = await pagerduty.oncall(service, AbortSignal.timeout(onCallMs));
      const ids = await Promise.all(people.map(({ email }) => (email ? gateway.userByEmail(email) : null)));
      return ids.filter((id) => id !== null);
    },
  };
}

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

export function approvalStage(context: ApprovalContext): Stages['approval'] {
  return {
    propose: (proposal, say) => propose(proposal, context, say),
    takesMore,
    approve: (click, say) => approveCard(click, context, say),
    approveByButton: (of) => approveByButton(of, context),
    approveStanding: ({ terms, ...click }, say) => giveStanding(click, terms, context, say),
    dryRun: (click, say) => dryRun(click, context, say),
    repeat: (click, say) => repeat(click, context, say),
    reject: (click, say) => rejectCard(click, context, say),
    keepRejected: (rejected, why) => keepRejected(rejected, why, context),
    stop: (click, say) => stopRun(click, context, say),
  };
}
