import type { Message } from '../blocks/message.ts';
import type { LinkHosts } from '../core/address.ts';
import type { ServiceEntry } from '../core/catalogue.ts';
import type { Cause } from '../core/cause.ts';
import { codeTool } from '../core/code.ts';
import { readRow } from '../core/damaged-row.ts';
import type { Life } from '../core/incident-history.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import { showsDoing } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent } from '../core/run.ts';
import * as approvals from '../store/approvals.ts';
import * as checks from '../store/checks.ts';
import * as followed from '../store/followed-incidents.ts';
import { load } from '../store/load-run.ts';
import { cardMessage, finalKey, type NewMessage, stepKey } from '../store/outbox-messages.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import { stepResults, toStepResult } from '../store/steps.ts';
import type { TolerantDb } from '../store/tables.ts';
import { checkedReply, nextStep } from './checked-words.ts';
import { doingMessage, doingWords } from './doing.ts';
import { dryRunReply, finalReply } from './final-reply.ts';
import type { KnownRows } from './known-rows.ts';
import { unconfirmedReply } from './missed-call.ts';
import { progressCard, type RunProgress, type ShownStep } from './progress.ts';
import { createRefresh } from './refresh.ts';
import { backButtons, buttonsAfter, buttonsOfStep, nextOf, writes } from './run-buttons.ts';
import { type Wording, wordingOf } from './run-words.ts';
import { type Reply, stepReply } from './thread.ts';

type Finished = Extract<RunEvent, { type: 'finished' }>;

export interface Reporter {
  /**
   * The messages for an event: one reply at the end, the final card, and a reply per step where a plan only reads. Keys are
   * made of run and step, so a repeated event repeats no message.
   */
  messagesFor(event: RunEvent, revision: Revision): Promise<readonly NewMessage[]>;
  /** Resolves when nothing older than the end of a run will follow it. */
  end(runId: string): Promise<void>;
  /** Call after an event is stored: the card follows shortly, and the line that says what the bot is doing. */
  follow(event: RunEvent): void;
  /** Resolves when no card is being refreshed. */
  idle(): Promise<void>;
}

/** The parts of a run’s card. */
export interface RunCardDeps extends Pick<TolerantDb, 'db' | 'damaged'> {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}

export interface ReporterDeps extends RunCardDeps {
  readonly services: readonly ServiceEntry[];
  /** The operator's causes. */
  readonly causes: readonly Cause[];
  readonly rows: KnownRows;
  enqueue(message: NewMessage): Promise<void>;
  readonly log: Log;
}

/** Milliseconds in which events of a run are collected for one refresh of its card. */
const gatherMs = 100;

/** Turns the events of a run into messages for the outbox. */
export function createReporter(deps: ReporterDeps): Reporter {
  const { db, rows, manifests, services, hosts, log } = deps;
  const cards = createRefresh({ refresh, gatherMs, log });

  async function messagesFor(event: RunEvent, revision: Revision): Promise<readonly NewMessage[]> {
    const isOther = event.type === 'started' || event.type === 'step_started';
    if (isOther || (event.type === 'step_finished' && event.mode !== 'run')) return [];
    const of = wordingOf(revision.sealed, manifests, hosts);
    if (event.type === 'unconfirmed') {
      const said = plain(unconfirmedReply(of, event.stepId, services));
      return [reply(event, `unconfirmed:${event.runId}:${event.stepId}`, 'reply', said)];
    }
    if (event.type === 'checked') {
      const back = backButtons(revision, event.result, manifests);
      const said = plain(checkedReply(of, event, [...back, nextStep(revision, event.stepId, deps)]));
      const key = `checked:${event.runId}:${event.stepId}`;
      return [reply(event, key, 'reply', said), ...(await cardChecked(event, revision, deps))];
    }
    const isPressed = (await rows.request(event.teamId, event.requestId))?.via === 'button';
    if (event.type !== 'finished') {
      // The reply at the end says what a plan that writes did, but for all that code made of its inputs.
      if (!isPressed && event.result.tool !== codeTool && writes(revision, manifests)) return [];
      const approval = isPressed ? await approvals.ofRun(db, event) : null;
      const { message, fallback } = stepReply(of, event.result, approval);
      const buttons = buttonsOfStep(event.result, revision, { manifests, services, isPressed });
      const below = (one: Message): Message => ({ ...one, blocks: [...one.blocks, ...buttons] });
      const said = { message: below(message), fallback: fallback && below(fallback) };
      return [reply(event, stepKey(event.runId, event.stepId), 'reply', said)];
    }
    const key = finalKey(event.runId);
    if (event.mode === 'dry_run') return [reply(event, key, 'final', plain(dryRunReply(of, event)))];
    const life = await lifeOf(event, deps);
    const next = nextOf(event.results, life, manifests, { sealed: revision.sealed, services });
    const after = cardAfter(event, revision, of, { life, next });
    // A button's request has a single step, whose reply already says everything.
    if (isPressed && event.reason === undefined) return [after];
    const stop = await runs.cancelOf(db, event);
    const said = finalReply(of, { ...event, stop }, services);
    const buttons =
      isPressed || !writes(revision, manifests)
        ? []
        : buttonsAfter(event.results, revision, next, of, manifests);
    return [reply(event, key, 'final', plain({ ...said, blocks: [...said.blocks, ...buttons] })), after];
  }

  async function refresh(event: RunEvent): Promise<void> {
    const request = await rows.request(event.teamId, event.requestId);
    const isShown = request !== null && showsDoing(request);
    if (event.mode !== 'run' && !isShown) return;
    const [revision, steps] = await Promise.all([
      rows.revision(event.teamId, event.requestId, event.number),
      stepsNow(event, deps),
    ]);
    if (revision === null) return;
    if (isShown) await deps.enqueue(doingMessage(request, doingWords(revision, steps, manifests)));
    if (event.mode === 'run') await refreshCard(event, revision, steps);
  }

  async function refreshCard(event: RunEvent, revision: Revision, steps: ShownStep[]): Promise<void> {
    const [approval, stop] = await Promise.all([approvals.ofRun(db, event), runs.cancelOf(db, event)]);
    const of = wordingOf(revision.sealed, manifests, hosts);
    const now = { steps, approval, stopping: stop !== null, outcome: null, finishedAt: null };
    await deps.enqueue(cardMessage(revision, 'update', progressCard({ revision, wording: of, ...now })));
  }

  return {
    messagesFor,
    follow(event) {
      if (event.type === 'finished') cards.forget(event.runId);
      else if (event.type !== 'checked' && event.mode !== 'dry_run') cards.soon(event);
    },
    end: cards.end,
    idle: cards.idle,
  };
}

/** The history of the incident that a run opened, as far as it is known. */
async function lifeOf(event: RunEvent, { db, damaged }: RunCardDeps): Promise<Life | null> {
  const row = await followed.lifeOfRun(db, event);
  return row && (readRow(row, followed.lifeReader, damaged)?.life ?? null);
}

async function stepsNow({ teamId, runId }: RunEvent, { db }: RunCardDeps): Promise<ShownStep[]> {
  const rows = await stepResults(db, teamId, runId);
  return rows.map((row) => {
    const result = toStepResult(row);
    return { stepId: row.stepId, running: result === null, result };
  });
}

/** The content of a finished run's card, except for its incident's history; null when it is gone. */
export async function progressOf(
  teamId: string,
  { requestId, number, runId }: { requestId: string; number: number; runId: string },
  { db, damaged, manifests, hosts }: RunCardDeps,
): Promise<Omit<RunProgress, 'life' | 'next'> | null> {
  const [row, run, checked] = await Promise.all([
    revisions.get(db, teamId, requestId, number),
    load(db, { teamId, runId }),
    checks.ofRun(db, { teamId, runId }),
  ]);
  const revision = row && readRow(row, revisions.planReader, damaged);
  if (revision === null || run === null) return null;
  const { outcome, finishedAt, grant, cancel, results } = run;
  return {
    ...{ revision, wording: wordingOf(revision.sealed, manifests, hosts), outcome, checks: checked },
    steps: results.map((result) => ({ stepId: result.stepId, running: false, result })),
    approval: grant && { by: grant.by, how: grant.how, at: grant.createdAt },
    ...{ finishedAt: finishedAt?.toISOString() ?? null, stopping: cancel !== null },
  };
}

/** The card once more, with the outcome of a check. */
async function cardChecked(
  event: Extract<RunEvent, { type: 'checked' }>,
  revision: Revision,
  deps: ReporterDeps,
): Promise<NewMessage[]> {
  const { teamId, stepId, checked } = event;
  const progress = await progressOf(teamId, event, deps);
  if (progress === null) return [];
  const life = await lifeOf(event, deps);
  const results = progress.steps.flatMap(({ result }) => result ?? []);
  const next = nextOf(results, life, deps.manifests, {
    sealed: revision.sealed,
    services: deps.services,
  });
  // Its row is ended together with this message.
  const checks =
    progress.checks?.map((one) => (one.stepId === stepId ? { stepId, outcome: checked.outcome } : one)) ?? [];
  return [cardMessage(revision, 'update', progressCard({ ...progress, life, next, checks }))];
}

function cardAfter(
  event: Finished,
  revision: Revision,
  of: Wording,
  lived: Pick<RunProgress, 'life' | 'next'>,
): NewMessage {
  const steps: ShownStep[] = event.results.map((result) => ({
    stepId: result.stepId,
    running: false,
    result,
  }));
  const approval = event.approval && { ...event.approval, at: new Date(event.approval.at) };
  const after = { steps, approval, outcome: event.outcome, finishedAt: event.at, stopping: false };
  return cardMessage(revision, 'update', progressCard({ revision, wording: of, ...after, ...lived }));
}

function plain(message: Message): Reply {
  return { message, fallback: null };
}

function reply(event: RunEvent, key: string, kind: NewMessage['kind'], said: Reply): NewMessage {
  const { teamId, requestId, number } = event;
  const place = { kind: 'thread', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind, payload: { place, ...said } };
}
