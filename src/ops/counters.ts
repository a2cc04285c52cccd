import { Counter, Histogram, type Registry } from 'prom-client';
import { rowKinds } from '../core/damaged-row.ts';
import { answers, decisions, modes, outcomes, planners, refusals, vias } from './labels.ts';

const callSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Slack waits 3 s. */
const acknowledgementSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const cardSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60];
const workSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const statementSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const decisionSeconds = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400];

/** Histograms, with buckets that fit what each one times. */
function createTimes(registry: Registry) {
  const registers = [registry];
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ) => new Histogram({ name: `countersign_${name}`, help, labelNames: [...labelNames], buckets, registers });
  return {
    planning: histogram('planning_seconds', 'Time a planner took.', ['planner'], callSeconds),
    decisionTime: histogram(
      'decision_seconds',
      'From the card to the decision of a person.',
      ['decision'],
      decisionSeconds,
    ),
    acknowledging: histogram(
      'slack_acknowledgement_seconds',
      'From the arrival of something from Slack to its acknowledgement; Slack waits 3 s.',
      [],
      acknowledgementSeconds,
    ),
    cardTime: histogram('card_seconds', 'From a request to its card or answer.', [], cardSeconds),
    stepTime: histogram('step_seconds', 'Steps that ran, with their attempts.', ['tool'], workSeconds),
    runTime: histogram('run_seconds', 'From the first step of a run to its end.', ['mode'], workSeconds),
    statementTime: histogram(
      'database_seconds',
      'Statements, with what the way to the database takes.',
      ['outcome'],
      statementSeconds,
    ),
    callTime: histogram('vendor_call_seconds', 'Calls of vendors.', ['vendor', 'outcome'], callSeconds),
  };
}

export function createCounters(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `countersign_${name}`, help, labelNames: [...labelNames], registers });
  return {
    ...createTimes(registry),
    repeats: counter('repeated_writes_total', 'Writes made twice under one key; always 0.', ['tool']),
    requests: counter('requests_total', 'Requests taken in, by the way they came.', ['via']),
    plans: counter('plans_total', 'Answers of planners: plan, clarify, refuse or failed.', [
      'planner',
      'outcome',
    ]),
    refusals: counter('refusals_total', 'Requests turned down, by reason or rule of the review.', ['reason']),
    damaged: counter('damaged_rows_total', 'Stored rows that somebody changed, each once.', ['kind']),
    decisions: counter(
      'decisions_total',
      'What became of plans: approved, rejected, expired, superseded (edited) or cancelled.',
      ['decision', 'planner'],
    ),
    edits: counter('edits_total', 'What people changed in plans before they ran.', ['tool', 'slot']),
    runs: counter('runs_total', 'Runs that ended.', ['mode', 'outcome']),
    steps: counter('steps_total', 'Steps that ended; a page is a write of pagerduty.page.', [
      'mode',
      'tool',
      'effect',
      'status',
    ]),
    callErrors: counter('vendor_errors_total', 'Calls of vendors that failed.', ['vendor', 'call', 'code']),
    tokens: counter('model_tokens_total', 'Tokens; cached ones are prompt tokens, too.', ['model', 'kind']),
    usd: counter('model_usd_total', 'US dollars for models at list price.', ['model']),
  };
}

export type Counters = ReturnType<typeof createCounters>;

export function beginWithZero(counters: Counters): void {
  counters.repeats.inc({ tool: '' }, 0);
  for (const kind of rowKinds) counters.damaged.inc({ kind }, 0);
  for (const via of vias) counters.requests.inc({ via }, 0);
  counters.plans.inc({ planner: 'none', outcome: 'failed' }, 0);
  for (const reason of refusals) counters.refusals.inc({ reason }, 0);
  for (const planner of planners) {
    counters.planning.zero({ planner });
    for (const outcome of answers) counters.plans.inc({ planner, outcome }, 0);
    for (const decision of decisions) counters.decisions.inc({ decision, planner }, 0);
  }
  for (const decision of ['approved', 'rejected']) counters.decisionTime.zero({ decision });
  for (const mode of modes) counters.runTime.zero({ mode });
  for (const outcome of ['ok', 'error']) counters.statementTime.zero({ outcome });
  for (const mode of modes) for (const outcome of outcomes) counters.runs.inc({ mode, outcome }, 0);
}
