import type { Message } from '../blocks/message.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { RunEvent } from '../core/run.ts';
import { cardStateKey } from './deliver.ts';
import { told } from './evidence.ts';
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
 * made of run and step, so an event that comes twice says nothing twice.
 */
export function createReporter(
  ports: ReportPorts,
  manifests: ReadonlyMap<string, Manifest>,
  log: Log,
): Reporter {
  const cards = createRefresh({ refresh: refreshCard, gatherMs, log });

  async function report(event: RunEvent): Promise<void> {
    if (event.mode === 'run' && event.type !== 'step_finished' && event.type !== 'finished') {
      return cards.soon(event);
    }
    const revision = await ports.revision(event.teamId, event.requestId, event.number);
    if (revision === null) return;
    const of = told(revision.sealed, manifests);
    if (event.mode === 'dry_run') {
      if (event.type === 'finished') await sayFinal(event, dryRunReply(of, event));
      return;
    }
    if (event.type === 'step_finished') {
      await reply(event, `reply:${event.runId}:${event.stepId}`, 'reply', stepReply(of, event.result));
      cards.soon(event);
    }
    if (event.type === 'finished') {
      await sayFinal(event, finalReply(of, event));
      await cards.last(event);
    }
  }

  async function refreshCard(event: RunEvent): Promise<void> {
    const revision = await ports.revision(event.teamId, event.requestId, event.number);
    if (revision === null) return;
    const [steps, approval, isStopping] = await Promise.all([
      ports.steps(event.teamId, event.runId),
      ports.approval(event.teamId, event.runId),
      ports.isStopping(event.teamId, event.runId),
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
    const key = cardStateKey(requestId, number);
    await ports.enqueue({ teamId, conversation: requestId, key, kind: 'update', parcel: { place, ...card } });
  }

  const sayFinal = (event: Finished, message: Message): Promise<void> =>
    reply(event, `final:${event.runId}`, 'final', message);

  async function reply(event: RunEvent, key: string, kind: ParcelKind, message: Message): Promise<void> {
    const { teamId, requestId, number } = event;
    const place = { kind: 'thread', requestId, number } as const;
    const parcel = { place, message, fallback: null };
    await ports.enqueue({ teamId, conversation: requestId, key, kind, parcel });
  }

  return { report, idle: cards.idle };
}
