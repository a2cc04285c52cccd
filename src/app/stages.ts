import { setTimeout as pause } from 'node:timers/promises';
import { fixesNow } from '../alerts/evidence.ts';
import type { ApprovalContext } from '../approval/context.ts';
import { mayBeApproved } from '../approval/may-approve.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { requireMember, requireOwner } from '../approval/require-member.ts';
import type { Say } from '../blocks/message.ts';
import { buildAgents } from '../config/check-agents.ts';
import type { Who } from '../core/person.ts';
import { type AroundDeps, beforePage } from '../history/around.ts';
import { type HandoverDeps, handOver } from '../history/handover.ts';
import { reviewSources } from '../history/review.ts';
import { type PastSource, pastSources, sharedPast } from '../history/similar-elsewhere.ts';
import { postReport } from '../history/statistics-words.ts';
import { adoptIncidents, followRound, incidentChanged } from '../incidents/follow.ts';
import { fixReply } from '../plan/causes/fix.ts';
import { nearestTo } from '../plan/nearest.ts';
import { inputFields } from '../plan/playbooks/form.ts';
import { tipsFor } from '../plan/replies/tips.ts';
import { type PlanStage, planStage } from '../plan/stage.ts';
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
import type { BuiltStages } from './process-context.ts';
import { knownAround } from './reporting.ts';
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

/** The stages of the pipeline, each with the few functions it needs. */
export function buildStages(parts: StageParts): BuiltStages {
  const { teamBase, workspace, planners, reporting, figures, config, now, log } = parts;
  const { gateway } = teamBase;
  const { catalogue, readers, hosts } = workspace;
  const { library } = planners;
  const people = peopleDirectory(gateway, readers.pagerduty);
  const asking = peopleDirectory({ ...gateway, ...gateway.recent }, readers.pagerduty);
  const approval = approvalContext(parts);
  const review = reviewing(workspace);
  const plan = planning(parts, people);
  const about = historyDeps({
    ...{ ...teamBase, people, rules: approval.rules, catalogue, hosts, now },
    redraw: (revision) => reporting.asked(revision),
  });
  const watches = watching(parts, { review, about, approval });
  const fixOf: RequestContext['fixOf'] = async (of) => fixReply(of, await library.all(), catalogue);
  const request = requestContext(parts, {
    ...{ plan, watches, approval, asking, fixOf },
    fixesNow: (of) => fixesNow(of, alerts),
  });
  const past = pastSources(workspace);
  const knownWith = (elsewhere: readonly PastSource[]) =>
    knownAround({ ...teamBase, manifests: catalogue.manifests, elsewhere, hosts, log }, about.redraw);
  const storm = { keepMs: config.caches.alert_reads * 1_000, now };
  const alerts = alertContext({
    ...{ teamBase, workspace, library, config, review, watches, fixOf, log },
    readShared: reading(parts, { tools: sharedReads(workspace.tools, storm) }),
    ...{ kick: reporting.kick, known: knownWith(sharedPast(past, storm)) },
  });
  const agents = agentContext({
    ...{ teamBase, library, config, review, approval, watches, request, reporting, now, log },
  });
  const stages: FrontStages = {
    ...{ request: requestStage(request), plan, review, run: runStage(parts) },
    approval: approvalStage(approval),
    watches: {
      check: (event) => checkWatch(event, watches),
      takePlan: (planned, say) => takePlan(planned, watches, say),
    },
    alerts: alertStage(alerts),
    agents: agentStage(agents),
    incidents: incidentStage(parts, knownWith(past)),
    listTargets: listingTargets(parts),
    resolveNames: resolvingNames(teamBase, workspace, now),
  };
  const reviews = {
    ...{ ...about, ...reviewSources({ pagerduty: readers.pagerduty, gateway }), log },
    maxWrites: () => workspace.policy.caps.writes,
    draft: workspace.draft,
  };
  return {
    stages: observedStages(stages, { figures, log }),
    ...{ approval, request, watches, alerts, about, reviews, agents },
    people: { ...people, person: asking.person },
  };
}

/** Requests and questions in an hour, for each person. */
const capsOf = ({ policy: { caps } }: StageParts['workspace']) => ({
  question: caps.questionsPerHour,
  plan: caps.plansPerHour,
});

/** Planning; for a person who has asked too much in an hour, without the model. */
function planning(
  { teamBase, workspace, planners, now }: StageParts,
  { onCall }: PeopleDirectory,
): PlanStage {
  const { gateway } = teamBase;
  const zoneOf = async (userId: string) => (await gateway.userInfo(userId))?.zone ?? null;
  const context = { ...teamBase, ...workspace, ...planners, onCall, zoneOf, now, conversationIn };
  const plan = planStage(context);
  const withoutModel = planStage({ ...context, planner: planners.offline, shadow: undefined });
  const perHour = capsOf(workspace);
  return {
    ...plan,
    async make(asked, turn) {
      const isSpared = planners.hasModel && (await isOver(asked, 'question', { ...teamBase, perHour }));
      return (isSpared ? withoutModel : plan).make(asked, turn);
    },
  };
}

/** Owners and operators may change what an owner created. */
const ownersMay =
  (action: 'end_watch' | 'remove', kind: string, approval: ApprovalContext) =>
  (of: Owned, who: Who, say: Say): Promise<boolean> => {
    const click = { ...who, teamId: approval.teamId, value: of.id, about: `${kind}:${of.id}` };
    return requireOwner(action, click, of.owner, approval, say);
  };

function watching(
  parts: StageParts,
  { review, about, approval }: Pick<BuiltStages, 'about' | 'approval'> & Pick<Stages, 'review'>,
): WatchContext {
  const { workspace, reporting, now, log } = parts;
  const { pagerduty } = workspace.readers;
  const handing: HandoverDeps = {
    ...{ ...about, reporting, now, log },
    openIncidents: (services, signal) => openIncidents(services, pagerduty, signal),
  };
  return watchContext(parts, {
    review,
    handOver: (channel, hours, key) => handOver(channel, hours, key, handing),
    postReport: (channel, days, key) => postReport(channel, days, key, handing),
    mayEnd: ownersMay('end_watch', 'watch', approval),
  });
}

function requestContext(
  { teamBase, workspace, planners, reporting, config, now, log }: StageParts,
  {
    plan,
    watches,
    approval,
    asking,
    ...given
  }: Pick<BuiltStages, 'watches' | 'approval'> &
    Pick<RequestContext, 'fixOf' | 'fixesNow'> & {
      readonly plan: PlanStage;
      readonly asking: PeopleDirectory;
    },
): RequestContext {
  const { gateway, teamId } = teamBase;
  const { catalogue, policy, readers } = workspace;
  const { library, hasModel } = planners;
  const { ordersChange, isNewRequest, isQuestion, isOwnRequest } = plan;
  const { doing, handled, send, kick } = reporting;
  return {
    ...{ ...teamBase, catalogue, perHour: capsOf(workspace), agents: buildAgents(config), now, log },
    ...{ slack: gateway, hasModel, ordersChange, isNewRequest, isQuestion, isOwnRequest },
    ...{ doing, handled, send, kick, ...given },
    async readyMade() {
      const { playbooks } = await library.usable();
      return playbooks.map((one) => ({ ...one, fields: inputFields(one, catalogue) }));
    },
    maySee: seesRequest(teamBase),
    mayAsk(who, say) {
      const click = { ...who, teamId, value: '', about: 'request' };
      return requireMember('ask', click, { ...approval, people: asking }, say);
    },
    mayEndWatch: watches.mayEnd,
    mayRemovePlaybook: ownersMay('remove', 'playbook', approval),
    endWatch: (id, who, say) => endByClick({ ...who, id }, watches, say),
    changesOf: (plan) => tipsFor(plan, catalogue),
    nearest: (goal) =>
      nearestTo(goal, {
        ...{ catalogue, commands: commandWords },
        mayBeApproved: (tool) => mayBeApproved(tool, policy),
        playbooks: async () => (await library.usable()).playbooks,
      }),
    async openIncidents(signal) {
      const [first, ...others] = catalogue.services.map(({ name }) => name);
      if (first === undefined) return [];
      const filter = { states: ['triggered', 'acknowledged'], order: 'newest', limit: 5 } as const;
      return (await readers.pagerduty.incidents({ ...filter, services: [first, ...others] }, signal))
        .incidents;
    },
  };
}

function runStage({ teamBase, starter, log }: StageParts): Stages['run'] {
  // The process may end meanwhile.
  const sleep = (ms: number) => pause(ms, undefined, { ref: false });
  const context: StartContext = { ...teamBase, starter, sleep, log };
  return {
    read: (stored, say) => startReads(stored, context, say),
    start: (stored, say) => startRun(stored, context, say),
  };
}

function incidentStage(
  { teamBase, workspace, reporting, hasWebhooks, now, log }: StageParts,
  known: AroundDeps,
): Stages['incidents'] {
  const { hosts, readers, catalogue } = workspace;
  const following = {
    ...{ ...teamBase, hasWebhooks, now, log, manifests: catalogue.manifests, hosts },
    ...{ pagerduty: readers.pagerduty, kick: reporting.kick },
    before: (of: Parameters<typeof beforePage>[0]) => beforePage(of, known),
  };
  return {
    changed: (id) => incidentChanged(id, following),
    round: () => followRound(following),
    adopt: () => adoptIncidents(following),
  };
}
