import type { Manifest } from '../core/manifest.ts';
import type { RunEvent } from '../core/run.ts';
import type { Message } from '../slack/blocks/message.ts';
import { cardKey } from './deliver.ts';
import { type Told, told } from './evidence.ts';
import type { ParcelKind, ReportPorts } from './ports.ts';
import { progressCard } from './progress.ts';
import { createRefresh } from './refresh.ts';
import { dryRunReply, finalReply, stepReply } from './thread.ts';

type Finished = Extract<RunEvent, { type: 'finished' }>;

export interface Reporter {
  /** Resolves when the replies are in the outbox, at the end of a run also the card. */
  report(event: RunEvent): Promise<void>;
  /** Resolves when no card is being refreshed. */
  idle(): Promise<void>;
}

/** Milliseconds in which events of a run are gathered for one refresh of its card. */
const gatherMs = 100;

/**
 * Turns what a run tells into messages of the outbox: the card in place, one reply a step, one final line. Keys are
 * made of run and step, so an event that comes twice says nothing twice. `stopping` tells whether a stop was asked.
 */
export function createReporter(
  ports: ReportPorts,
  manifests: ReadonlyMap<string, Manifest>,
  stopping: (teamId: string, runId: string) => Promise<boolean>,
  log: { warn(facts: object, message: string): void },
): Reporter {
  const cards = createRefresh({ refresh: refreshCard, gatherMs, log });

  async function report(event: RunEvent): Promise<void> {
    if (event.mode === 'run' && event.type !== 'step_finished' && event.type !== 'finished') {
      return cards.soon(event);
    }
    const revision = await ports.revision(event.teamId, event.requestId, event.number);
    if (revision === null) return;
    const of = told(revision.sealed, manifests);
    if (event.mode === 'dry_run') return reportDry(event, of);
    if (event.type === 'step_finished') {
      await reply(event, `reply:${event.runId}:${event.stepId}`, 'reply', stepReply(of, event.result));
      cards.soon(event);
    }
    if (event.type === 'finished') {
      await reply(event, `final:${event.runId}`, 'final', finalReply(of, ending(event)));
      await cards.last(event);
    }
  }

  async function refreshCard(event: RunEvent): Promise<void> {
    const revision = await ports.revision(event.teamId, event.requestId, event.number);
    if (revision === null) return;
    const [steps, approval, isStopping] = await Promise.all([
      ports.steps(event.teamId, event.runId),
      ports.approval(event.teamId, event.runId),
      stopping(event.teamId, event.runId),
    ]);
    const finished = event.type === 'finished' ? event : null;
    const card = progressCard({
      revision,
      told: told(revision.sealed, manifests),
      steps,
      approval,
      outcome: finished?.outcome ?? null,
      finishedAt: finished?.at ?? null,
      stopping: isStopping,
    });
    const { teamId, requestId, number } = event;
    const place = { kind: 'card', requestId, number } as const;
    const key = `${cardKey(requestId, number)}:state`;
    await ports.enqueue({ teamId, conversation: requestId, key, kind: 'update', parcel: { place, ...card } });
  }

  async function reportDry(event: RunEvent, of: Told): Promise<void> {
    if (event.type !== 'finished') return;
    await reply(event, `final:${event.runId}`, 'final', dryRunReply(of, ending(event)));
  }

  async function reply(event: RunEvent, key: string, kind: ParcelKind, message: Message): Promise<void> {
    const { teamId, requestId, number } = event;
    const place = { kind: 'thread', requestId, number } as const;
    await ports.enqueue({
      teamId,
      conversation: requestId,
      key,
      kind,
      parcel: { place, message, fallback: null },
    });
  }

  return { report, idle: cards.idle };
}

function ending(event: Finished) {
  const { outcome, results, criteria, reason, mode } = event;
  return { outcome, results, criteria, reason, dryRun: mode === 'dry_run' };
}
