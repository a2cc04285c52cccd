import { randomUUID } from 'node:crypto';
import { allTools } from '../../tools/all.ts';
import { expire } from '../approval/decisions.ts';
import { mayTalk } from '../approval/members.ts';
import { mend } from '../approval/mend.ts';
import type { Env } from '../config/env.ts';
import { catalogueDigest } from '../core/catalogue.ts';
import { describeError } from '../core/errors.ts';
import { looksLikeNotation } from '../core/notation/looks.ts';
import { own } from '../core/own.ts';
import type { WriteTool } from '../core/tool.ts';
import { createPipeline } from '../pipeline.ts';
import { onDeadParcel } from '../report/dead-letters.ts';
import { failed } from '../report/private.ts';
import { optimise } from '../review/optimise.ts';
import { reviewDraft } from '../review/review.ts';
import { createRunner, type Runner } from '../run/runner.ts';
import type { Stages } from '../stages.ts';
import * as requests from '../store/requests.ts';
import { createSlackEdge, type EdgeMode } from '../vendors/slack/edge.ts';
import { tellFailure } from '../vendors/slack/tell-failure.ts';
import { type ApprovalDeps, approvalStage, mendPort } from './approval-stage.ts';
import { careForAudit } from './audit-care.ts';
import { stateFolder } from './database.ts';
import { every } from './every.ts';
import { type Ground, openGround } from './ground.ts';
import { type Arrival, openInbox } from './inbox.ts';
import { tellMissedEvents } from './missed-events.ts';
import { peopleDirectory } from './people.ts';
import { planStage } from './plan-stage.ts';
import { deadLetterPort, homePort, inviting, reportStage } from './report-stage.ts';
import { type Reporting, startReporting } from './reporting.ts';
import { requestStage } from './request-stage.ts';
import { removeOld } from './retention.ts';
import { runnerDeps, runStage } from './run-stage.ts';
import { onTick, runSchedules, type ScheduleDeps, tickFailed } from './schedules.ts';
import { createVoices, handle, type SlackEventDeps, slackHandlers } from './slack-events.ts';
import { buildWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

export interface AppOptions extends WorkspaceOptions {
  /** This process may not go on: others may run its steps. */
  readonly onLost: (reason: Error) => void;
}

export interface App {
  /** Port of the HTTP door, or null with Socket Mode. */
  readonly port: number | null;
  stop(): Promise<void>;
}

/** Milliseconds between looks for cards that nobody decided on, and for what dead processes had accepted. */
const lookMs = 1_000;
/** Milliseconds between looks for what a process left half done that died between two rows. */
const mendMs = 60_000;
/** Milliseconds between looks for what is older than the operator wants to keep. */
const tidyMs = 3_600_000;

/** Builds everything, from the database up to Slack, and starts to take requests. */
export async function startApp(options: AppOptions): Promise<App> {
  const stack = new AsyncDisposableStack();
  try {
    const port = await build(options, stack);
    return { port, stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** What was built last is stopped first: Slack's door, then what was accepted, the runs, the reports, the database. */
async function build(options: AppOptions, stack: AsyncDisposableStack): Promise<number | null> {
  const { log, now, onLost } = options;
  const ground = await openGround(options, stack);
  const workspace = buildWorkspace(options, ground);
  const voices = createVoices();
  const { catalogue, policy } = workspace;
  const onDead = onDeadParcel(deadLetterPort({ ...ground, voices, log, now }));
  const reporting = startReporting({ ...ground, manifests: catalogue.manifests, policy, log, now, onDead });
  stack.defer(() => reporting.stop());

  const repeat = (ms: number, round: () => Promise<void>): void => {
    const loop = every(ms, round, log);
    stack.defer(() => loop.stop());
  };
  careForAudit({ ...ground, reporting, log, now }, auditPlaces(options), { stack, repeat });
  let runner: Runner | null = null;
  const built = buildStages(options, ground, workspace, reporting, () => started(runner));
  const { stages, approval } = built;
  const pipeline = createPipeline(stages);
  runner = await createRunner(
    runnerDeps({ ...ground, ...workspace, tools: allTools, pipeline, onLost, log, now }),
  );
  stack.defer(() => started(runner).stop());
  const { executorId: executor, forget } = runner;

  const schedules: ScheduleDeps = {
    ...{ ...ground, config: options.config, reporting, expiresMinutes: policy.expiresMinutes, log, now },
  };
  const arrivals = openInbox({
    ...{ ...ground, executor, log, now },
    tellFailure: (event, error) => tell(event, error, ground, schedules),
  });
  stack.defer(() => arrivals.idle());
  const events: SlackEventDeps = {
    ...{ ...ground, catalogue, pipeline, inbox: arrivals, people: built.people, voices, log },
    playbooks: workspace.shelf,
    openCard: approval.open,
    review: stages.review,
    request: (id) => requests.get(ground.db, ground.teamId, id),
    missed: (minute) => tellMissedEvents({ ...ground, catalogue, reporting, log }, minute),
    home: homePort({ ...ground, people: built.people, catalogue, policy }),
  };
  const work = (event: Arrival): Promise<void> =>
    event.type === 'tick' ? onTick(event, pipeline, schedules) : handle(event, events);
  stack.defer(await runSchedules(schedules, arrivals, (event) => arrivals.process(event, () => work(event))));
  const port = await openDoor(options, ground, events, stack);

  repeat(lookMs, () => arrivals.takeUp(work));
  repeat(lookMs, () => expire(approval.decisions));
  repeat(mendMs, () => mend(mendPort(built.approvalDeps)));
  const { days } = options.config.retention;
  repeat(tidyMs, () => removeOld({ ...ground, days, forget, log, now }));
  return port;
}

/** The stages of the pipeline, each with the few functions that it needs. */
function buildStages(
  { now, log }: AppOptions,
  ground: Ground,
  workspace: Workspace,
  reporting: Reporting,
  runner: () => Runner,
) {
  const { gateway } = ground;
  const { catalogue, policy, readers } = workspace;
  const people = peopleDirectory(gateway, readers.pagerduty);
  const plan = planStage({ ...ground, ...workspace, now });
  const approvalDeps: ApprovalDeps = {
    // Asked now: a removed approver must not decide.
    people: peopleDirectory(gateway.fresh, readers.pagerduty),
    ...{ ...ground, reporting, readers, manifests: catalogue.manifests, now, log },
    writeTools: writeTools(),
    rules: { policy, catalogue: catalogueDigest(catalogue) },
  };
  const approval = approvalStage(approvalDeps);
  const request = requestStage({
    ...{ ...ground, maxPerHour: policy.caps.plansPerHour, surelyChanges: plan.surelyChanges, now, log },
    isNotation: (words) => looksLikeNotation(words, catalogue),
    invitation: inviting(gateway),
    mayAsk: (who, say) => mayTalk(who, people, say),
  });
  const review: Stages['review'] = (draft, home) => {
    const reviewed = reviewDraft(draft, { catalogue, policy, home });
    if (reviewed.plan === null) return reviewed;
    return { plan: optimise(reviewed.plan, catalogue.manifests), findings: [] };
  };
  const run = runStage({ ...ground, log }, (teamId, runId) => runner().start(teamId, runId));
  const stages: Stages = { request, plan, review, approval, run, report: reportStage(reporting) };
  return { stages, approval, approvalDeps, people };
}

async function openDoor(
  { env, log, now }: AppOptions,
  { gateway }: Ground,
  events: SlackEventDeps,
  stack: AsyncDisposableStack,
): Promise<number | null> {
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = env;
  const handlers = slackHandlers(events);
  const edge = createSlackEdge({ mode: modeOf(env), token, apiUrl, handlers, gateway, log, fetch, now });
  stack.defer(() => edge.stop());
  return edge.start();
}

/** What failed is said to its person, with a reference that stands in the log. */
async function tell(
  event: Arrival,
  error: unknown,
  { gateway }: Ground,
  schedules: ScheduleDeps,
): Promise<void> {
  if (event.type === 'tick') return tickFailed(event, error, schedules);
  const { log } = schedules;
  const reference = randomUUID().slice(0, 8);
  log.error({ reference, ...describeError(error) }, 'Work for Slack failed');
  await tellFailure(gateway, event, failed(reference), log);
}

/** Where the end of the audit log is noted, and where it is posted; null for nowhere. */
function auditPlaces({ env, config }: AppOptions): { folder: string | null; channel: string | null } {
  const channel = own(config.channels, config.audit.witness_channel ?? '');
  return { folder: stateFolder(env), channel: channel?.id ?? null };
}

function modeOf(env: Env): EdgeMode {
  if (env.SLACK_APP_TOKEN) return { kind: 'socket', appToken: env.SLACK_APP_TOKEN };
  return { kind: 'http', signingSecret: env.SLACK_SIGNING_SECRET ?? '', port: env.PORT ?? 0 };
}

function started(runner: Runner | null): Runner {
  if (runner === null) throw new TypeError('the runner is not up yet');
  return runner;
}

function writeTools(): ReadonlyMap<string, WriteTool> {
  const found = new Map<string, WriteTool>();
  for (const [name, tool] of allTools) if (tool.effect === 'write') found.set(name, tool.tool);
  return found;
}
