import type { Message } from '../blocks/message.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { digestOf } from '../core/canonical.ts';
import { catalogueDigest } from '../core/catalogue.ts';
import { describeError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { reportMissedEvents } from '../report/operator-notices.ts';
import { tellFailed } from '../report/undeliverable.ts';
import { requestIdOf } from '../request/intake.ts';
import { tryPlan } from '../request/try-plan.ts';
import * as requests from '../store/requests.ts';
import type { SlackHandlers } from '../vendors/slack/events.ts';
import { tellFailure } from '../vendors/slack/report-failure.ts';
import { lookAtClock } from '../watches/clock.ts';
import { homeDeps } from './history.ts';
import { type Arrival, openInbox } from './inbox.ts';
import type { IncidentFollower } from './listen.ts';
import type { Mind } from './planner.ts';
import { removePort } from './playbooks.ts';
import type { Ground, ReadingWorkspace, Replies } from './process-context.ts';
import type { Reporting } from './reporting.ts';
import { askingPort } from './request-stage.ts';
import { resultPort } from './result-buttons.ts';
import { handle, type SlackEventDeps, slackHandlers } from './slack-events.ts';
import type { BuiltStages } from './stages.ts';
import { clockPort, endPort, keepFile, onTick, tickFailed } from './watches.ts';

export interface ArrivalParts {
  readonly config: OperatorConfig;
  readonly playbooks: readonly Playbook[];
  readonly ground: Ground;
  readonly workspace: ReadingWorkspace;
  readonly mind: Mind;
  readonly reporting: Reporting;
  readonly built: BuiltStages;
  readonly pipeline: Pipeline;
  /** Identity of this process. */
  readonly executor: string;
  /** A connection reserved for storing arrivals. */
  readonly door: Ground['db'];
  readonly replies: Replies;
  readonly now: () => Date;
  readonly log: Log;
}

export interface OpenArrivals {
  /** Handlers for Slack's events. */
  readonly handlers: SlackHandlers;
  readonly incidents: IncidentFollower;
  /** Processes events that dead processes had accepted. */
  takeUp(): Promise<void>;
  /** Runs the checks of due watches. */
  lookAtClock(): Promise<void>;
}

/** Handles a workspace's events from Slack, the clock and PagerDuty: each is stored, then processed. */
export async function openArrivals(parts: ArrivalParts, stack: AsyncDisposableStack): Promise<OpenArrivals> {
  const { config, ground, built, pipeline, executor, door, now, log } = parts;
  const watches = built.watchDeps;
  const inbox = openInbox({
    ...{ ...ground, door, executor, log, now },
    tellFailure: (event, error) => tell(event, error, parts),
  });
  stack.defer(() => inbox.idle());
  const events = eventDeps(parts, inbox);
  const work = (event: Arrival): Promise<void> => {
    if (event.type === 'tick') return onTick(event, pipeline, watches);
    if (event.type === 'pressed') return pipeline.approvedByButton(event);
    if (event.type === 'incident') return pipeline.lived(event.incident);
    return event.type === 'failed' ? pipeline.failed(event.failed) : handle(event, events);
  };
  await keepFile({ ...ground, config, standsOn: standsOn(parts), now });
  const clock = clockPort({ ...watches, executor }, (event) => inbox.process(event, () => work(event)));
  return {
    handlers: slackHandlers(events),
    incidents: {
      accept: (event) => inbox.accept(event),
      work: (event) => inbox.process(event, () => work(event)),
    },
    takeUp: () => inbox.takeUp(work),
    lookAtClock: () => lookAtClock(clock),
  };
}

/** Everything other than its goal that a file watch's plan is made from. */
function standsOn({ playbooks, workspace }: ArrivalParts): string {
  return digestOf([catalogueDigest(workspace.catalogue), jsonOf(playbooks)]);
}

function eventDeps(parts: ArrivalParts, inbox: SlackEventDeps['inbox']): SlackEventDeps {
  const { ground, workspace, mind, reporting, built, pipeline, replies, now, log } = parts;
  const { catalogue } = workspace;
  const { shelf } = mind;
  const { people, approval, stages, watchDeps, about, mayAsk } = built;
  const { manifests } = catalogue;
  return {
    ...{ ...ground, catalogue, pipeline, inbox, mayAsk, replies, log, playbooks: shelf },
    watches: endPort(watchDeps),
    saved: removePort(ground, parts.config.operators, approval, now),
    review: stages.review,
    request: (id) => requests.get(ground.db, ground.teamId, id),
    missed: (minute) => reportMissedEvents({ ...ground, catalogue, reporting, log }, minute),
    ...{ about, approval, now },
    openView: ground.gateway.openView,
    asking: askingPort({ ...ground, catalogue, usable: () => shelf.usable() }),
    press: resultPort({ ...ground, manifests }),
    handOver: watchDeps.handOver,
    tryPlan: tryPlan({ make: stages.plan.make, review: stages.review, teamId: ground.teamId, now }),
    home: homeDeps(about, { people, rules: approval.rules }, ground.gateway),
  };
}

/** Reports a processing failure to the place of the event. */
async function tell(
  event: Arrival,
  error: unknown,
  { ground, built, reporting, log }: ArrivalParts,
): Promise<void> {
  const { db, teamId, gateway } = ground;
  if (event.type === 'tick') return tickFailed(event, error, built.watchDeps);
  if (event.type === 'failed') {
    // The end of the run has been reported; there is no card for the rest.
    log.warn({ runId: event.failed.runId, ...describeError(error) }, 'No new plan after a failed run');
    return;
  }
  if (event.type === 'incident' || event.type === 'pressed') {
    // Incidents are read again anyway, and a card that was not shown is retried.
    log.warn({ key: event.key, ...describeError(error) }, 'What was told could not be worked on');
    return;
  }
  const request = { teamId, id: requestIdOf(teamId, event.key) };
  const queue = (userId: string, key: string, message: Message) =>
    reporting.send(teamId, { kind: 'person', userId }, key, message);
  await tellFailed(error, {
    close: () => requests.setState(db, { ...request, to: 'refused', from: ['planning'] }),
    tell: (message) => tellFailure(event, message, { gateway, queue, log }),
    log,
  });
}
