import { approveByButton } from '../approval/approve-by-button.ts';
import { approveCard, dryRun, rejectCard, repeat, stopRun } from '../approval/card-actions.ts';
import type { ApprovalContext } from '../approval/context.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { propose, takesMore } from '../approval/propose.ts';
import { memberPasses } from '../approval/require-member.ts';
import { giveStanding } from '../approval/standing/give.ts';
import type { Say } from '../blocks/message.ts';
import { readApprover } from '../config/build-catalogue.ts';
import { type Catalogue, catalogueDigest } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Who } from '../core/person.ts';
import type { Tool, WriteTool } from '../core/tool.ts';
import type { HistoryDeps } from '../history/answers.ts';
import { handOver } from '../history/handover.ts';
import { cardLink } from '../history/plans.ts';
import { adoptIncidents, followRound, incidentChanged } from '../incidents/follow.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import type { Figures } from '../ops/figures.ts';
import { invitation } from '../report/undeliverable.ts';
import { answerersOf } from '../request/conversation.ts';
import { isOver } from '../request/limits.ts';
import { type IncidentPort, incidentMeant } from '../review/incident-meant.ts';
import { optimise } from '../review/merge-reads.ts';
import { settle } from '../review/resolve-names.ts';
import { resolveTargets } from '../review/resolve-targets.ts';
import { reviewDraft } from '../review/review.ts';
import type { FrontStages, Stages } from '../stages.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import { historyDeps, openIncidents } from './history.ts';
import { countedStages, tellDecided } from './metrics-decorators.ts';
import { peopleDirectory, seesRequest } from './people.ts';
import { planStage } from './plan-stage.ts';
import type { Mind } from './planner.ts';
import type { Ground, ReadingWorkspace } from './process-context.ts';
import type { Reporting } from './reporting.ts';
import { hourlyLimits, requestStage } from './request-stage.ts';
import { runStage, type Starter } from './run-stage.ts';
import { keepPort, type WatchDeps } from './watches.ts';

export interface StageParts {
  readonly ground: Ground;
  readonly workspace: ReadingWorkspace;
  readonly mind: Mind;
  readonly reporting: Reporting;
  readonly starter: Starter;
  readonly figures: Figures;
  readonly config: WatchDeps['config'];
  /** PagerDuty's webhooks reach us. */
  readonly hasWebhooks: boolean;
  /** A way to reply to the requester, for as long as that is possible. */
  readonly voiceOf: (requestId: string) => Say | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

export interface BuiltStages {
  readonly stages: FrontStages;
  readonly approval: ApprovalContext;
  readonly people: PeopleDirectory;
  readonly watchDeps: WatchDeps;
  readonly about: HistoryDeps;
  /** Whether a person may use the bot; a person who may not has been told. */
  mayAsk(who: Who, say: Say): Promise<boolean>;
}

/** The stages of the pipeline, each with the few functions it needs. */
export function buildStages(parts: StageParts): BuiltStages {
  const { ground, workspace, mind, reporting, starter, figures, config, hasWebhooks, now, log } = parts;
  const { gateway } = ground;
  const { catalogue, policy, readers } = workspace;
  const people = peopleDirectory(gateway, readers.pagerduty);
  const asking = peopleDirectory({ ...gateway, ...gateway.recent }, readers.pagerduty);
  const limits = hourlyLimits(ground, policy);
  const planning = { ...ground, ...workspace, ...mind, onCall: people.onCall, now };
  const plan = planStage(planning);
  const withoutModel = planStage({ ...planning, planner: mind.offline });
  const make: Stages['plan']['make'] = async (asked, turn) => {
    const isSpared = mind.hasModel && (await isOver(asked, 'question', limits));
    return (isSpared ? withoutModel : plan).make(asked, turn);
  };
  const approval = approvalContext(parts);
  const review = reviewing(workspace);
  const { manifests, rules } = approval;
  const about = historyDeps({
    ...{ ...ground, people, rules, catalogue, hosts: workspace.hosts, now },
    redraw: (revision) => reporting.asked(revision),
  });
  const handing = { ...about, reporting, openIncidents: openIncidents(readers.pagerduty), now, log };
  const watchDeps: WatchDeps = {
    ...{ ...ground, config, reporting, review, workspace, gate: approval, now, log },
    ...{ pagerduty: readers.pagerduty, manifests: catalogue.manifests },
    handOver: (channel, hours, key) => handOver(channel, hours, key, handing),
  };
  const mayAsk: BuiltStages['mayAsk'] = (who, say) => {
    const click = { ...who, teamId: ground.teamId, value: '', about: 'request' };
    return memberPasses('ask', click, { ...approval, people: asking }, say);
  };
  const botUserId = async () => (await gateway.identity()).botUserId;
  const request = requestStage({
    ...{ ...ground, limits, now, log },
    ...{ ordersChange: plan.ordersChange, isNewRequest: plan.isNewRequest },
    manifests: catalogue.manifests,
    hasModel: mind.hasModel,
    isNotation: (words) => looksLikeNotation(words, catalogue),
    watches: keepPort(watchDeps),
    invitation: (error, channel) => invitation(error, channel, botUserId),
    mayAsk,
  });
  const run = runStage({ ...ground, log }, starter);
  const following = {
    ...{ ...ground, hasWebhooks, now, log, manifests, hosts: workspace.hosts },
    ...{ pagerduty: readers.pagerduty, kick: reporting.kick },
  };
  const follow: Stages['follow'] = {
    changed: (id) => incidentChanged(id, following),
    round: () => followRound(following),
    adopt: () => adoptIncidents(following),
  };
  const stages: FrontStages = {
    ...{ request, plan: { ...plan, make }, review, approval: approvalStage(approval), run, follow },
    settle: settling(ground, catalogue, readers.pagerduty),
  };
  return {
    ...{ stages: countedStages(stages, figures), approval, watchDeps, about, mayAsk },
    people: { ...people, person: asking.person },
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

/** An incident can be named by its number, address, service or thread. */
function settling(
  { db }: Ground,
  { manifests, services }: Catalogue,
  pagerduty: IncidentPort['pagerduty'],
): Stages['settle'] {
  const names = new Set(services.map(({ name }) => name));
  const meant = {
    incident: incidentMeant({
      ...{ pagerduty, services: names },
      ofThread: (request) => incidentsOfThread(db, request),
    }),
  };
  return (draft, request) => settle(draft, request, { manifests, meant });
}

function approvalContext(parts: StageParts): ApprovalContext {
  const { ground, workspace, reporting, figures, voiceOf, config, now, log } = parts;
  const { gateway } = ground;
  const { catalogue, policy, readers, tools } = workspace;
  const writeTools = writesOf(tools);
  return {
    // Looked up fresh: a removed approver must not decide.
    people: peopleDirectory(gateway.fresh, readers.pagerduty),
    ...{ ...ground, reporting, manifests: catalogue.manifests, now, log },
    rules: { policy, catalogue: catalogueDigest(catalogue) },
    operators: config.operators.map(readApprover),
    announceIn: catalogue.channels.find(({ name }) => name === catalogue.defaults.channel)?.id ?? null,
    maySee: seesRequest(ground),
    cardLink: (row) => cardLink(gateway, row),
    resolve: (plan, problems, of) => resolveTargets(plan, problems, writeTools, { readers, now, ...of }),
    answerersOf,
    replyTo: voiceOf,
    edited: (changes) => figures.edited(changes),
    decided: (row) => tellDecided(figures, row),
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
    giveStanding: (click, terms, say) => giveStanding(click, terms, ctx, say),
    dryRun: (click, say) => dryRun(click, ctx, say),
    repeat: (click, say) => repeat(click, ctx, say),
    reject: (click, say) => rejectCard(click, ctx, say),
    stop: (click, say) => stopRun(click, ctx, say),
  };
}
