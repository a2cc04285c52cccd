import { setTimeout as pause } from 'node:timers/promises';
import type { AgentContext } from '../agents/context.ts';
import type { AlertContext } from '../alerts/context.ts';
import { fixesNow } from '../alerts/evidence.ts';
import type { ApprovalContext } from '../approval/context.ts';
import { mayBeApproved } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { requireMember, requireOwner } from '../approval/require-member.ts';
import type { Say } from '../blocks/message.ts';
import { buildAgents } from '../config/check-agents.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Who } from '../core/person.ts';
import { beforePage } from '../history/around.ts';
import { type HandoverDeps, handOver } from '../history/handover.ts';
import { type PastSource, pastSources, sharedPast } from '../history/like-elsewhere.ts';
import { type ReviewDeps, reviewSources } from '../history/review.ts';
import { postReport } from '../history/statistics-words.ts';
import type { HistoryDeps } from '../history/status.ts';
import { adoptIncidents, followRound, incidentChanged } from '../incidents/follow.ts';
import type { Pipeline } from '../pipeline.ts';
import { fixReply } from '../plan/causes/fix.ts';
import { nearestTo } from '../plan/nearest.ts';
import { inputFields } from '../plan/playbooks/form.ts';
import type { Library } from '../plan/playbooks/library.ts';
import { planStage } from '../plan/stage.ts';
import { invitation } from '../report/undeliverable.ts';
import type { Owned, RequestContext } from '../request/context.ts';
import { conversationIn } from '../request/conversation.ts';
import { commandWords } from '../request/help.ts';
import { isOver } from '../request/limits.ts';
import { requestStage } from '../request/stage.ts';
import { sharedReads } from '../run/run-reads.ts';
import { type StartContext, startReads, startRun } from '../run/start.ts';
import type { FrontStages, Stages } from '../stages.ts';
import { openIncidents } from '../vendors/pagerduty/life.ts';
import { checkWatch } from '../watches/check.ts';
import type { WatchContext } from '../watches/context.ts';
import { takePlan } from '../watches/create.ts';
import { endByClick } from '../watches/end.ts';
import { agentContext, agentStage, alertContext, alertStage, watchContext } from './arrival-contexts.ts';
import { observedStages } from './decorators.ts';
import type { Replies, TeamBase } from './process-context.ts';
import { knownAround, type Reporting } from './reporting.ts';
import {
  approvalContext,
  approvalStage,
  historyDeps,
  listingTargets,
  peopleDirectory,
  reading,
  resolvingNames,
  reviewing,
  type StageParts,
  seesRequest,
} from './stage-contexts.ts';

export interface BuiltStages {
  readonly stages: FrontStages;
  readonly approval: ApprovalContext;
  readonly people: PeopleDirectory;
  readonly request: RequestContext;
  readonly watches: WatchContext;
  readonly alerts: AlertContext;
  readonly agents: AgentContext;
  readonly about: HistoryDeps;
  readonly reviews: ReviewDeps;
}

/** Dependencies of the handlers of a workspace’s events. */
export interface EventContext extends TeamBase, BuiltStages {
  readonly pipeline: Pipeline;
  readonly config: OperatorConfig;
  readonly catalogue: Catalogue;
  readonly library: Library;
  readonly reporting: Reporting;
  readonly replies: Replies;
  readonly now: () => Date;
  readonly log: Log;
}

/** The stages of the pipeline, each with the few functions it needs. */
export function buildStages(parts: StageParts): BuiltStages {
  const { teamBase, workspace, planners, reporting, starter, figures, config, hasWebhooks, now, log } = parts;
  const { gateway } = teamBase;
  const { catalogue, policy, readers } = workspace;
  const people = peopleDirectory(gateway, readers.pagerduty);
  const asking = peopleDirectory({ ...gateway, ...gateway.recent }, readers.pagerduty);
  const zoneOf = async (userId: string) => (await gateway.userInfo(userId))?.zone ?? null;
  const planning = {
    ...teamBase,
    ...workspace,
    ...planners,
    onCall: people.onCall,
    zoneOf,
    now,
    conversationIn,
  };
  const perHour = { question: policy.caps.questionsPerHour, plan: policy.caps.plansPerHour };
  const plan = planStage(planning);
  const withoutModel = planStage({ ...planning, planner: planners.offline, shadow: undefined });
  const make: Stages['plan']['make'] = async (asked, turn) => {
    const isSpared = planners.hasModel && (await isOver(asked, 'question', { ...teamBase, perHour }));
    return (isSpared ? withoutModel : plan).make(asked, turn);
  };
  const approval = approvalContext(parts);
  /** Owners and operators may. */
  const mayChange = (action: 'end_watch' | 'remove', kind: string) => (of: Owned, who: Who, say: Say) => {
    const click = { ...who, teamId: teamBase.teamId, value: of.id, about: `${kind}:${of.id}` };
    return requireOwner(action, click, of.owner, { ...approval }, say);
  };
  const review = reviewing(workspace);
  const { manifests, rules } = approval;
  const about = historyDeps({
    ...{ ...teamBase, people, rules, catalogue, hosts: workspace.hosts, now },
    redraw: (revision) => reporting.asked(revision),
  });
  const handing: HandoverDeps = {
    ...{ ...about, reporting, now, log },
    openIncidents: (services, signal) => openIncidents(services, readers.pagerduty, signal),
  };
  const reviews = {
    ...{ ...about, ...reviewSources({ pagerduty: readers.pagerduty, gateway }), log },
    maxWrites: () => rules.policy.caps.writes,
    draft: workspace.draft,
  };
  const watches = watchContext(parts, {
    review,
    handOver: (channel, hours, key) => handOver(channel, hours, key, handing),
    postReport: (channel, days, key) => postReport(channel, days, key, handing),
    mayEnd: mayChange('end_watch', 'watch'),
  });
  const fixOf: RequestContext['fixOf'] = async (of) => fixReply(of, await planners.library.all(), catalogue);
  const botUserId = async () => (await gateway.identity()).botUserId;
  const request: RequestContext = {
    ...{ ...teamBase, catalogue, perHour, agents: buildAgents(config), now, log },
    slack: gateway,
    hasModel: planners.hasModel,
    async readyMade() {
      const { playbooks } = await planners.library.usable();
      return playbooks.map((one) => ({ ...one, fields: inputFields(one, catalogue) }));
    },
    maySee: seesRequest(teamBase),
    mayAsk(who, say) {
      const click = { ...who, teamId: teamBase.teamId, value: '', about: 'request' };
      return requireMember('ask', click, { ...approval, people: asking }, say);
    },
    mayEndWatch: watches.mayEnd,
    mayRemovePlaybook: mayChange('remove', 'playbook'),
    ordersChange: plan.ordersChange,
    isNewRequest: plan.isNewRequest,
    isQuestion: plan.isQuestion,
    isOwnRequest: plan.isOwnRequest,
    doing: reporting.doing,
    handled: reporting.handled,
    endWatch: (id, who, say) => endByClick({ ...who, id }, watches, say),
    nearest: (goal) =>
      nearestTo(goal, {
        ...{ catalogue, commands: commandWords },
        mayBeApproved: (tool) => mayBeApproved(tool, policy),
        playbooks: async () => (await planners.library.usable()).playbooks,
      }),
    async openIncidents(signal) {
      const [first, ...others] = catalogue.services.map(({ name }) => name);
      if (first === undefined) return [];
      const filter = { states: ['triggered', 'acknowledged'], order: 'newest', limit: 5 } as const;
      return (await readers.pagerduty.incidents({ ...filter, services: [first, ...others] }, signal))
        .incidents;
    },
    fixOf,
    fixesNow: (of) => fixesNow(of, alerts),
    invitation: (error, channel) => invitation(error, channel, botUserId),
  };
  // The process may end meanwhile.
  const sleep = (ms: number) => pause(ms, undefined, { ref: false });
  const starting: StartContext = { ...teamBase, starter, sleep, log };
  const run: Stages['run'] = {
    read: (stored, say) => startReads(stored, starting, say),
    start: (stored, say) => startRun(stored, starting, say),
  };
  const storm = { keepMs: config.caches.alert_reads * 1_000, now };
  const known = (elsewhere: readonly PastSource[]) =>
    knownAround({ ...teamBase, manifests, elsewhere, hosts: workspace.hosts, log }, about.redraw);
  const past = pastSources(workspace);
  const alerts = alertContext({
    ...{ teamBase, workspace, library: planners.library, config, review, watches, fixOf, log },
    readShared: reading(parts, { tools: sharedReads(workspace.tools, storm) }),
    ...{ kick: reporting.kick, known: known(sharedPast(past, storm)) },
  });
  const following = {
    ...{ ...teamBase, hasWebhooks, now, log, manifests, hosts: workspace.hosts },
    ...{ pagerduty: readers.pagerduty, kick: reporting.kick },
    before: (of: Parameters<typeof beforePage>[0]) => beforePage(of, known(past)),
  };
  const incidents: Stages['incidents'] = {
    changed: (id) => incidentChanged(id, following),
    round: () => followRound(following),
    adopt: () => adoptIncidents(following),
  };
  const agents = agentContext({
    ...{
      teamBase,
      library: planners.library,
      config,
      review,
      approval,
      watches,
      request,
      reporting,
      now,
      log,
    },
  });
  const stages: FrontStages = {
    ...{ request: requestStage(request), plan: { ...plan, make }, review, run, incidents },
    approval: approvalStage(approval),
    watches: {
      check: (event) => checkWatch(event, watches),
      takePlan: (planned, say) => takePlan(planned, watches, say),
    },
    alerts: alertStage(alerts),
    agents: agentStage(agents),
    listTargets: listingTargets(parts),
    resolveNames: resolvingNames(teamBase, workspace, now),
  };
  return {
    ...{
      stages: observedStages(stages, { figures, log }),
      approval,
      request,
      watches,
      alerts,
      about,
      reviews,
      agents,
    },
    people: { ...people, person: asking.person },
  };
}
