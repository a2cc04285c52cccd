import type { AgentContext } from '../agents/context.ts';
import { deskFor } from '../agents/desk.ts';
import { sayFor as sayForAgent, type Worker } from '../agents/propose.ts';
import { sayFor as sayForCard } from '../alerts/requests.ts';
import { alertsFailed } from '../alerts/words.ts';
import { type Message, tellNobody } from '../blocks/message.ts';
import { alertDoors, buildAlertRules } from '../config/build-alerts.ts';
import { buildAgents, tokenHash } from '../config/check-agents.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { type AlertsEvent, labelsIn, pagerdutyDoor } from '../core/alert.ts';
import { digestOf } from '../core/canonical.ts';
import { type Catalogue, catalogueDigest } from '../core/catalogue.ts';
import { describeError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { tellFailed } from '../report/undeliverable.ts';
import { requestIdOf } from '../request/intake.ts';
import { answerAgent } from '../store/agents.ts';
import * as requests from '../store/requests.ts';
import type { AlertTaker } from '../vendors/alerts/route.ts';
import type { Caller } from '../vendors/http/agent-door.ts';
import type { SlackHandlers } from '../vendors/slack/events.ts';
import { tellFailure } from '../vendors/slack/report-failure.ts';
import { openChecks } from '../watches/clock.ts';
import { reportFailure, sayFor } from '../watches/report.ts';
import { syncSchedules } from '../watches/schedules.ts';
import { type Arrival, openInbox } from './inbox.ts';
import type { IncidentAlerts, IncidentFollower } from './listen.ts';
import type { EventContext, TeamBase, WorkspaceOptions } from './process-context.ts';
import { handle, slackHandlers } from './slack-events.ts';

export interface OpenArrivals {
  /** Handlers for Slack's events. */
  readonly handlers: SlackHandlers;
  readonly incidents: IncidentFollower;
  readonly alerts: readonly AlertTaker[];
  readonly agents: readonly Caller[];
  /** Processes events that dead processes had accepted. */
  takeUp(): Promise<void>;
  /** Runs the checks of due watches. */
  checkWatches(): Promise<void>;
}

/** The process that handles the events. */
interface Process {
  /** Its identity. */
  readonly executor: string;
  /** A connection reserved for storing arrivals. */
  readonly door: TeamBase['db'];
  readonly playbooks: readonly Playbook[];
  /** The raw environment. */
  readonly variables: WorkspaceOptions['variables'];
}

/** Handles a workspace's events from Slack, the clock and PagerDuty: each is stored, then processed. */
export async function openArrivals(
  context: EventContext,
  { executor, door, playbooks, variables }: Process,
  stack: AsyncDisposableStack,
): Promise<OpenArrivals> {
  const { config, catalogue, watches, now } = context;
  const inbox = openInbox({
    ...{ ...context, door, executor },
    tellFailure: (event, error) => tell(event, error, context),
  });
  stack.defer(() => inbox.idle());
  const accept = (event: Arrival) => inbox.accept(event);
  const work = (event: Arrival) => inbox.process(event, () => enter(event, context));
  const checks = openChecks({ executor, check: work }, watches);
  stack.defer(() => checks.stop());
  // Everything other than its goal that a schedule's plan is made from.
  const standsOn = digestOf([catalogueDigest(catalogue), jsonOf(playbooks)]);
  await syncSchedules(context, config, standsOn, now());
  return {
    handlers: slackHandlers(context, inbox, { accept, work }),
    incidents: {
      ...{ teamId: context.teamId, accept, work },
      alerts: incidentAlerts({ config, catalogue }, { accept, work }),
    },
    alerts: alertTakers({ config, variables }, { accept, work }),
    agents: agentCallers({ config, variables }, context.agents, { executor, work }),
    takeUp: () => inbox.takeUp((event) => enter(event, context)),
    checkWatches: checks.startDue,
  };
}

/** An event enters the flow. */
function enter(event: Arrival, context: EventContext): Promise<void> {
  const { pipeline, watches, alerts, agents } = context;
  switch (event.type) {
    case 'tick':
      return pipeline.watchDue(event, sayFor(event, watches));
    case 'pressed':
      return pipeline.approvedByButton(event, tellNobody);
    case 'incident':
      return pipeline.incidentChanged(event.incident);
    case 'alerts':
      return pipeline.alertsArrived(event);
    case 'alert_card':
      return pipeline.alertCardDue(event, sayForCard(event, alerts));
    case 'agent':
      return pipeline.agentProposed(event, sayForAgent(event, agents));
    case 'failed':
      return pipeline.runFailed(event.failed, tellNobody);
    default:
      return handle(event, context);
  }
}

/** Reports a processing failure to the place of the event. */
async function tell(event: Arrival, error: unknown, context: EventContext): Promise<void> {
  const { db, teamId, gateway, watches, alerts, reporting, log } = context;
  if (event.type === 'tick') return reportFailure(event, error, watches);
  if (event.type === 'failed') {
    // The end of the run has been reported; there is no card for the rest.
    log.warn({ runId: event.failed.runId, ...describeError(error) }, 'No new plan after a failed run');
    return;
  }
  if (event.type === 'agent') {
    const { request: id, key } = event;
    log.error({ key, ...describeError(error) }, 'A proposal of an agent could not be worked on');
    await requests.setState(db, { teamId, id, to: 'refused', from: ['planning'] });
    const message = 'That failed on our side. Propose again with a new key; the operator has it in the log.';
    return answerAgent(db, { teamId, id }, { code: describeError(error).code, message });
  }
  if (event.type === 'alerts' || event.type === 'alert_card') {
    log.error({ key: event.key, ...describeError(error) }, 'An alert could not be worked on');
    const channel = alerts.rules.unmatched;
    // Where nobody can be told it is worked on again.
    if (channel === null) throw error;
    const message = alertsFailed(describeError(error).message);
    return reporting.send(
      teamId,
      { kind: 'channel', channel, threadTs: null },
      `${event.key}:failed`,
      message,
    );
  }
  if (event.type === 'incident' || event.type === 'pressed') {
    // Incidents are read again anyway, and a card that was not shown is retried.
    log.warn({ key: event.key, ...describeError(error) }, 'What was told could not be worked on');
    return;
  }
  const request = { teamId, id: requestIdOf(teamId, event.key) };
  const queue = (userId: string, key: string, message: Message) =>
    reporting.send(teamId, { kind: 'person', userId }, key, message);
  const tapped = event.type === 'action' && event.message !== null ? event.message : null;
  await tellFailed(error, {
    tapped: tapped && (await gateway.linkTo(tapped.channel, tapped.ts)),
    close: () => requests.setState(db, { ...request, to: 'refused', from: ['planning'] }),
    tell: (message) => tellFailure(event, message, { gateway, queue, log }),
    log,
  });
}

/** The operator's doors with their secrets, for a workspace that takes their deliveries. */
function alertTakers(
  { config, variables }: Pick<WorkspaceOptions, 'config' | 'variables'>,
  { accept, work }: Pick<AlertTaker, 'accept' | 'work'>,
): AlertTaker[] {
  const needed = labelsIn(buildAlertRules(config).rules);
  return alertDoors(config, variables).map((door) => ({ door, needed, accept, work }));
}

/** Null when no rule names PagerDuty's door. */
function incidentAlerts(
  { config, catalogue }: { readonly config: OperatorConfig; readonly catalogue: Catalogue },
  { accept, work }: Pick<AlertTaker, 'accept' | 'work'>,
): IncidentAlerts | null {
  if (!config.alerts.rules.some(({ doors }) => doors?.includes(pagerdutyDoor))) return null;
  return {
    work,
    async accept(alert, key) {
      const { service_id: id } = alert.labels;
      const known = catalogue.services.find(({ pagerdutyId }) => pagerdutyId === id)?.name;
      const labels = { ...alert.labels, ...(known === undefined ? {} : { service: known }) };
      const about = { type: 'alerts', key: `alerts:${key}`, door: pagerdutyDoor, unread: 0 } as const;
      const event: AlertsEvent = { ...about, alerts: [{ ...alert, labels }] };
      return (await accept(event)) ? event : null;
    },
  };
}

/** The agents of a workspace with the hashes of their tokens. */
function agentCallers(
  { config, variables }: Pick<WorkspaceOptions, 'config' | 'variables'>,
  context: AgentContext,
  worker: Worker,
): Caller[] {
  return buildAgents(config).flatMap((agent) => {
    const entry = config.agents[agent.name];
    const hash = entry === undefined ? null : tokenHash(entry, (variable) => variables[variable]);
    return hash === null ? [] : [{ hash, desk: deskFor(agent, context, worker) }];
  });
}
