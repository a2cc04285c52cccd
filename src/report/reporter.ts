import { writeCardRef } from '../blocks/card-ref.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Message } from '../blocks/message.ts';
import type { LinkHosts } from '../core/address.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent, StepResult } from '../core/run.ts';
import { undoOf } from '../core/undo.ts';
import { nextButtons, nextOf } from './next-buttons.ts';
import { cardParcel, stepKey } from './outbox-messages.ts';
import type { NewParcel, ReportPorts, StepNow } from './ports.ts';
import { type Progress, progressCard } from './progress.ts';
import { createRefresh } from './refresh.ts';
import { type Told, told } from './run-words.ts';
import { dryRunReply, finalReply, type Reply, stepReply } from './thread.ts';

type Finished = Extract<RunEvent, { type: 'finished' }>;

export interface Reporter {
  /**
   * The messages for an event: one reply per step, one final line, the final card. Keys are made of run and step, so a
   * repeated event repeats no message.
   */
  messagesFor(event: RunEvent): Promise<readonly NewParcel[]>;
  /** Call after an event is stored: the card follows shortly. */
  follow(event: RunEvent): void;
  /** Resolves when no card is being refreshed. */
  idle(): Promise<void>;
}

export interface ReporterOptions {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  readonly log: Log;
}

/** Milliseconds in which events of a run are collected for one refresh of its card. */
const gatherMs = 100;

/** Turns the events of a run into messages for the outbox. */
export function createReporter(ports: ReportPorts, { manifests, hosts, log }: ReporterOptions): Reporter {
  const cards = createRefresh({ refresh: refreshCard, gatherMs, log });

  async function messagesFor(event: RunEvent): Promise<readonly NewParcel[]> {
    const isStep = event.type === 'step_finished' && event.mode === 'run';
    if (!isStep && event.type !== 'finished') return [];
    // No older state may follow the final card.
    if (event.type === 'finished') await cards.end(event.runId);
    const revision = await ports.revision(event.teamId, event.requestId, event.number);
    if (revision === null) return [];
    const of = told(revision.sealed, manifests, hosts);
    const isPressed = await ports.isPressed(event.teamId, event.requestId);
    if (event.type !== 'finished') {
      const approval = isPressed ? await ports.approval(event.teamId, event.runId) : null;
      const said = withButtons(stepReply(of, event.result, approval), revision, event.result, manifests);
      return [reply(event, stepKey(event.runId, event.stepId), 'reply', said)];
    }
    const key = `final:${event.runId}`;
    if (event.mode === 'dry_run') return [reply(event, key, 'final', plain(dryRunReply(of, event)))];
    const life = await ports.life(event.teamId, event.runId);
    const next = nextOf(event.results, life, manifests);
    const after = cardAfter(event, revision, of, { life, next });
    // A button's request has a single step, whose reply already says everything.
    if (isPressed && event.reason === undefined) return [after];
    const stop = await ports.stop(event.teamId, event.runId);
    return [reply(event, key, 'final', plain(finalReply(of, { ...event, stop }))), after];
  }

  async function refreshCard(event: RunEvent): Promise<void> {
    const revision = await ports.revision(event.teamId, event.requestId, event.number);
    if (revision === null) return;
    const [steps, approval, stop] = await Promise.all([
      ports.steps(event.teamId, event.runId),
      ports.approval(event.teamId, event.runId),
      ports.stop(event.teamId, event.runId),
    ]);
    const of = told(revision.sealed, manifests, hosts);
    const now = { steps, approval, stopping: stop !== null, outcome: null, finishedAt: null };
    await ports.enqueue(cardParcel(revision, 'update', progressCard({ revision, told: of, ...now })));
  }

  return {
    messagesFor,
    follow(event) {
      if (event.type === 'finished') cards.forget(event.runId);
      else if (event.mode === 'run') cards.soon(event);
    },
    idle: cards.idle,
  };
}

function cardAfter(
  event: Finished,
  revision: Revision,
  of: Told,
  lived: Pick<Progress, 'life' | 'next'>,
): NewParcel {
  const steps: StepNow[] = event.results.map((result) => ({ stepId: result.stepId, running: false, result }));
  const approval = event.approval && { ...event.approval, at: new Date(event.approval.at) };
  const after = { steps, approval, outcome: event.outcome, finishedAt: event.at, stopping: false };
  return cardParcel(revision, 'update', progressCard({ revision, told: of, ...after, ...lived }));
}

/** A reply can have buttons to undo its step or to take the next one. */
function withButtons(
  said: Reply,
  revision: Revision,
  result: StepResult,
  manifests: ReporterOptions['manifests'],
): Reply {
  const undo = undoOf(result, manifests);
  const next = nextOf([result], null, manifests);
  const value = writeCardRef(revision, result.stepId);
  const isOffered = next.some(({ offer }) => offer.tool === undo?.tool);
  const back =
    undo === null || isOffered ? [] : [button({ text: undo.words, action: actionIds.undo, value })];
  const buttons = [
    ...(back.length === 0 ? [] : [actions(back, 'undo')]),
    ...(next.length === 0 ? [] : [nextButtons(revision, next)]),
  ];
  const below = (message: Message): Message => ({ ...message, blocks: [...message.blocks, ...buttons] });
  return { message: below(said.message), fallback: said.fallback && below(said.fallback) };
}

function plain(message: Message): Reply {
  return { message, fallback: null };
}

function reply(event: RunEvent, key: string, kind: NewParcel['kind'], said: Reply): NewParcel {
  const { teamId, requestId, number } = event;
  const place = { kind: 'thread', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind, parcel: { place, ...said } };
}
