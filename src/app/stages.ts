import type { PeopleDirectory } from '../approval/ports.ts';
import { memberPasses } from '../approval/require-member.ts';
import type { Say } from '../blocks/message.ts';
import { type Catalogue, catalogueDigest } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Who } from '../core/person.ts';
import type { Tool, WriteTool } from '../core/tool.ts';
import { followRound, incidentChanged } from '../incidents/follow.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import type { Figures } from '../ops/figures.ts';
import { isOver } from '../request/limits.ts';
import { type IncidentPort, incidentMeant } from '../review/incident-meant.ts';
import { optimise } from '../review/merge-reads.ts';
import { settle } from '../review/resolve-names.ts';
import { reviewDraft } from '../review/review.ts';
import type { FrontStages, Stages } from '../stages.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import { aboutPort } from './about.ts';
import type { ApprovalDeps } from './approval-deps.ts';
import { approvalStage } from './approval-stage.ts';
import { followPort } from './following.ts';
import { handingOver } from './handover.ts';
import { countedStages, tellDecided } from './metrics-decorators.ts';
import { peopleDirectory } from './people.ts';
import { planStage } from './plan-stage.ts';
import type { Mind } from './planner.ts';
import type { Ground, ReadingWorkspace } from './process-context.ts';
import { inviting } from './report-stage.ts';
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
  readonly isTold: boolean;
  /** A way to reply to the requester, for as long as that is possible. */
  readonly voiceOf: (requestId: string) => Say | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

export interface BuiltStages {
  readonly stages: FrontStages;
  readonly approval: ReturnType<typeof approvalStage>;
  readonly approvalDeps: ApprovalDeps;
  readonly people: PeopleDirectory;
  readonly watchDeps: WatchDeps;
  readonly about: ReturnType<typeof aboutPort>;
  /** Whether a person may use the bot; a person who may not has been told. */
  mayAsk(who: Who, say: Say): Promise<boolean>;
}

/** The stages of the pipeline, each with the few functions it needs. */
export function buildStages(parts: StageParts): BuiltStages {
  const { ground, workspace, mind, reporting, starter, figures, config, isTold, now, log } = parts;
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
  const approvalDeps = approvalDepsOf(parts);
  const approval = approvalStage(approvalDeps);
  const review = reviewing(workspace);
  const { manifests, rules } = approvalDeps;
  const about = aboutPort({
    ...{ ...ground, people, manifests, rules, catalogue, hosts: workspace.hosts, now },
    redraw: (revision) => reporting.asked(revision),
  });
  const handOver = handingOver({
    ...{ ...ground, reporting, about, catalogue, now, log },
    pagerduty: readers.pagerduty,
  });
  const watchDeps: WatchDeps = {
    ...{ ...ground, config, reporting, review, workspace, gate: approval.decisions, now, log },
    ...{ pagerduty: readers.pagerduty, manifests: catalogue.manifests, handOver },
  };
  const mayAsk: BuiltStages['mayAsk'] = (who, say) => {
    const click = { ...who, teamId: ground.teamId, value: '', about: 'request' };
    return memberPasses('ask', click, { ...approval.decisions, people: asking }, say);
  };
  const request = requestStage({
    ...{ ...ground, limits, now, log },
    ...{ ordersChange: plan.ordersChange, isNewRequest: plan.isNewRequest },
    manifests: catalogue.manifests,
    hasModel: mind.hasModel,
    isNotation: (words) => looksLikeNotation(words, catalogue),
    watches: keepPort(watchDeps),
    invitation: inviting(gateway),
    mayAsk,
  });
  const run = runStage({ ...ground, log }, starter);
  const following = followPort({
    ...{ ...ground, reporting, isTold, now, log, manifests: catalogue.manifests },
    pagerduty: readers.pagerduty,
  });
  const follow: Stages['follow'] = {
    changed: (id) => incidentChanged(id, following),
    round: () => followRound(following),
    adopt: following.adopt,
  };
  const stages: FrontStages = {
    ...{ request, plan: { ...plan, make }, review, approval, run, follow },
    settle: settling(ground, catalogue, readers.pagerduty),
  };
  return {
    ...{ stages: countedStages(stages, figures), approval, approvalDeps, watchDeps, about, mayAsk },
    people: { ...people, person: asking.person },
  };
}

function approvalDepsOf(parts: StageParts): ApprovalDeps {
  const { ground, workspace, reporting, figures, voiceOf, now, log } = parts;
  const { catalogue, policy, readers, tools } = workspace;
  return {
    // Looked up fresh: a removed approver must not decide.
    people: peopleDirectory(ground.gateway.fresh, readers.pagerduty),
    ...{ ...ground, reporting, readers, manifests: catalogue.manifests, now, log },
    writeTools: writesOf(tools),
    edited: (changes) => figures.edited(changes),
    decided: (row) => tellDecided(figures, row),
    voiceOf,
    rules: { policy, catalogue: catalogueDigest(catalogue) },
    loudChannel: catalogue.channels.find(({ name }) => name === catalogue.defaults.channel)?.id ?? null,
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

function writesOf(tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, WriteTool> {
  const found = new Map<string, WriteTool>();
  for (const [name, tool] of tools) if (tool.effect === 'write') found.set(name, tool.tool);
  return found;
}
