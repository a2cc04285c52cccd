import { setTimeout as pause } from 'node:timers/promises';
import type { AgentContext } from '../agents/context.ts';
import type { AlertContext } from '../alerts/context.ts';
import { fixesNow } from '../alerts/evidence.ts';
import { approveByButton } from '../approval/approve-by-button.ts';
import {
  approveCard,
  cancelCard,
  cancelDamaged,
  dryRun,
  rejectCard,
  repeat,
  stopRun,
} from '../approval/card-actions.ts';
import type { ApprovalContext } from '../approval/context.ts';
import { mayBeApproved } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { propose, takesMore } from '../approval/propose.ts';
import { memberPasses, ownerPasses } from '../approval/require-member.ts';
import { giveStanding } from '../approval/standing/give.ts';
import type { Say } from '../blocks/message.ts';
import { readApprover, watchLimits } from '../config/build-catalogue.ts';
import { buildAgents } from '../config/check-agents.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { readRow } from '../core/damaged-row.ts';
import type { Log } from '../core/log.ts';
import type { Who } from '../core/person.ts';
import type { Tool, WriteTool } from '../core/tool.ts';
import type { HistoryDeps } from '../history/answers.ts';
import { handOver } from '../history/handover.ts';
import { cardLink } from '../history/plans.ts';
import type { ReviewDeps } from '../history/review.ts';
import { postReport } from '../history/statistics-words.ts';
import { adoptIncidents, followRound, incidentChanged } from '../incidents/follow.ts';
import type { Figures } from '../ops/figures.ts';
import { fixReply } from '../plan/causes/fix.ts';
import { nearestTo } from '../plan/nearest.ts';
import { inputFields } from '../plan/playbooks/form.ts';
import { planStage } from '../plan/stage.ts';
import { invitation } from '../report/undeliverable.ts';
import type { Owned, RequestContext } from '../request/context.ts';
import { answerersOf, conversationIn } from '../request/conversation.ts';
import { commandWords } from '../request/help.ts';
import { isOver } from '../request/limits.ts';
import { requestStage } from '../request/stage.ts';
import { incidentMeant } from '../review/incident-meant.ts';
import { withKnowledge } from '../review/knowledge.ts';
import { listTargets } from '../review/list-targets.ts';
import { optimise } from '../review/merge-reads.ts';
import { settle } from '../review/resolve-names.ts';
import { resolveTargets } from '../review/resolve-targets.ts';
import { reviewDraft } from '../review/review.ts';
import { readUnattended } from '../run/run-reads.ts';
import { type StartContext, type Starter, startReads, startRun } from '../run/start.ts';
import type { FrontStages, Stages } from '../stages.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import { planReader } from '../store/revisions.ts';
import { checkWatch } from '../watches/check.ts';
import type { WatchContext } from '../watches/context.ts';
import { takePlan } from '../watches/create.ts';
import { endByClick } from '../watches/end.ts';
import { agentContext, agentStage } from './agents.ts';
import { alertContext, alertStage } from './alerts.ts';
import { noWriters } from './build-workspace.ts';
import { historyDeps, openIncidents, pastSources, reviewSources } from './history.ts';
import { observedStages, tellDecided } from './metrics-decorators.ts';
import { peopleDirectory, seesRequest } from './people.ts';
import type { Planners } from './planner.ts';
import type { ReadingWorkspace, TeamBase } from './process-context.ts';
import { knownAround, type Reporting } from './reporting.ts';

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

/** The stages of the pipeline, each with the few functions it needs. */
export function buildStages(parts: StageParts): BuiltStages {
  const { teamBase, workspace, planners, reporting, starter, figures, config, hasWebhooks, now, log } = parts;
  const { gateway } = teamBase;
  const { catalogue, policy, readers } = workspace;
  const people = peopleDirectory(gateway, readers.pagerduty);
  const asking = peopleDirectory({ ...gateway, ...gateway.recent }, readers.pagerduty);
  const planning = { ...teamBase, ...workspace, ...planners, onCall: people.onCall, now, conversationIn };
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
    return ownerPasses(action, click, of.owner, { ...approval }, say);
  };
  const review = reviewing(workspace);
  const { manifests, rules } = approval;
  const about = historyDeps({
    ...{ ...teamBase, people, rules, catalogue, hosts: workspace.hosts, now },
    redraw: (revision) => reporting.asked(revision),
  });
  const handing = { ...about, reporting, openIncidents: openIncidents(readers.pagerduty), now, log };
  const reviews = {
    ...{ ...about, ...reviewSources({ pagerduty: readers.pagerduty, gateway }), log },
    maxWrites: () => rules.policy.caps.writes,
  };
  const watches = watchContext(parts, {
    review,
    handOver: (channel, hours, key) => handOver(channel, hours, key, handing),
    postReport: (channel, days, key) => postReport(channel, days, key, handing),
    mayEnd: mayChange('end_watch', 'watch'),
  });
  const fixOf: RequestContext['fixOf'] = async (of) => fixReply(of, await planners.shelf.all(), catalogue);
  const botUserId = async () => (await gateway.identity()).botUserId;
  const request: RequestContext = {
    ...{ ...teamBase, catalogue, perHour, agents: buildAgents(config), now, log },
    slack: gateway,
    hasModel: planners.hasModel,
    async readyMade() {
      const { playbooks } = await planners.shelf.usable();
      return playbooks.map((one) => ({ ...one, fields: inputFields(one, catalogue) }));
    },
    maySee: seesRequest(teamBase),
    mayAsk(who, say) {
      const click = { ...who, teamId: teamBase.teamId, value: '', about: 'request' };
      return memberPasses('ask', click, { ...approval, people: asking }, say);
    },
    mayEndWatch: watches.mayEnd,
    mayRemovePlaybook: mayChange('remove', 'playbook'),
    ordersChange: plan.ordersChange,
    isNewRequest: plan.isNewRequest,
    isQuestion: plan.isQuestion,
    isOwnRequest: plan.isOwnRequest,
    endWatch: (id, who, say) => endByClick({ ...who, id }, watches, say),
    nearest: (goal) =>
      nearestTo(goal, {
        ...{ catalogue, commands: commandWords },
        mayBeApproved: (tool) => mayBeApproved(tool, policy),
        playbooks: async () => (await planners.shelf.usable()).playbooks,
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
  const following = {
    ...{ ...teamBase, hasWebhooks, now, log, manifests, hosts: workspace.hosts },
    ...{ pagerduty: readers.pagerduty, kick: reporting.kick },
  };
  const incidents: Stages['incidents'] = {
    changed: (id) => incidentChanged(id, following),
    round: () => followRound(following),
    adopt: () => adoptIncidents(following),
  };
  const elsewhere = { elsewhere: pastSources(workspace), hosts: workspace.hosts, log };
  const alerts = alertContext({
    ...{ teamBase, workspace, shelf: planners.shelf, config, review, watches, fixOf, log },
    kick: reporting.kick,
    known: knownAround({ ...teamBase, manifests, ...elsewhere }, (revision) => reporting.asked(revision)),
  });
  const agents = agentContext({
    ...{ teamBase, shelf: planners.shelf, config, review, approval, watches, request, reporting, now, log },
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
    list: listing(parts),
    settle: settling(teamBase, catalogue, readers, now),
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

/** Runs reads that nobody waits for with a run of their own. */
function reading({ teamBase, workspace, now, log }: StageParts): WatchContext['read'] {
  const { db, teamId, code } = teamBase;
  const reads = { ...workspace, db, code, writers: noWriters, now, sleep: pause, random: Math.random, log };
  return (of) => readUnattended(reads, { teamId, ...of });
}

function listing(parts: StageParts): Stages['list'] {
  const { policy, catalogue } = parts.workspace;
  const sleep = (ms: number) => pause(ms, undefined, { ref: false });
  const review = reviewing(parts.workspace);
  const context = { manifests: catalogue.manifests, policy, review, read: reading(parts), sleep };
  return (proposal) => listTargets(proposal, context);
}

function watchContext(
  parts: StageParts,
  given: Pick<WatchContext, 'review' | 'handOver' | 'postReport' | 'mayEnd'>,
): WatchContext {
  const { teamBase, workspace, reporting, config, now, log } = parts;
  const { catalogue, readers } = workspace;
  const context = { ...teamBase, reporting, now };
  return {
    ...{ ...context, ...given, log, manifests: catalogue.manifests },
    queries: workspace.catalogue.queries ?? [],
    limits: watchLimits(config),
    pagerduty: readers.pagerduty,
    read: reading(parts),
    async cancelCard(row, reason) {
      const revision = readRow(row, planReader, teamBase.damaged);
      await (revision === null ? cancelDamaged(row, context) : cancelCard(revision, reason, context));
    },
  };
}

/** Applies every rule; a plan that passes gets equal reads merged and its steps put in execution order. */
function reviewing({ catalogue, policy }: ReadingWorkspace): Stages['review'] {
  return (draft, home) => {
    const reviewed = reviewDraft(draft, { catalogue, policy, home });
    if (reviewed.plan === null) return reviewed;
    return { plan: optimise(reviewed.plan, catalogue.manifests), findings: [] };
  };
}

/** An incident can be named by its number, address, service or thread. Sources check what people wrote for them. */
function settling(
  { db }: TeamBase,
  { manifests, services }: Catalogue,
  readers: ReadingWorkspace['readers'],
  now: () => Date,
): Stages['settle'] {
  const names = new Set(services.map(({ name }) => name));
  const meant = {
    incident: incidentMeant({
      ...{ pagerduty: readers.pagerduty, services: names },
      ofThread: (request) => incidentsOfThread(db, request),
    }),
  };
  return (draft, request) => settle(draft, request, { manifests, meant, readers, now: now() });
}

function approvalContext(parts: StageParts): ApprovalContext {
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

function approvalStage(ctx: ApprovalContext): Stages['approval'] {
  return {
    propose: (proposal, say) => propose(proposal, ctx, say),
    takesMore,
    approve: (click, say) => approveCard(click, ctx, say),
    approveByButton: (of) => approveByButton(of, ctx),
    approveStanding: ({ terms, ...click }, say) => giveStanding(click, terms, ctx, say),
    dryRun: (click, say) => dryRun(click, ctx, say),
    repeat: (click, say) => repeat(click, ctx, say),
    reject: (click, say) => rejectCard(click, ctx, say),
    stop: (click, say) => stopRun(click, ctx, say),
  };
}
