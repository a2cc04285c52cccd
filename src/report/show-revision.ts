import type { LinkHosts } from '../core/address.ts';
import type { Manifest } from '../core/manifest.ts';
import { type Facts, prospectOf } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent } from '../core/run.ts';
import { renderAnswer } from './answer.ts';
import { cardParcel, type Drawn, movedKey, threadParcel } from './outbox-messages.ts';
import type { NewParcel } from './ports.ts';
import { told } from './run-words.ts';
import { type Ending, movedReply } from './thread.ts';

/** Results of a revision's reads, and why if they could not be made. `at` is ISO 8601. */
export type Reads = Pick<Ending, 'results' | 'reason'> & { readonly at: string };

/** The origin of a revision. */
export interface Lineage {
  /** The revision it changes. */
  readonly base: Revision | null;
  /** The one before, if this one replaced it. */
  readonly replaced: Revision | null;
  /** It was requested in the thread of a card posted in the channel. */
  readonly isAskedBelowCard: boolean;
}

export interface ShowPort {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  lineage(revision: Revision): Promise<Lineage>;
  /** Changes since the first request, in plain words. */
  changes(revision: Revision): Promise<readonly string[]>;
  /** The card of an open revision. */
  card(revision: Revision, facts: Facts | null): Promise<Drawn>;
  /** The final state of a card. */
  superseded(revision: Revision, byNumber: number): Drawn;
}

/** For showing a plan after its reads. */
export interface ShowAfterPort extends ShowPort {
  revision(teamId: string, requestId: string, number: number): Promise<Revision | null>;
  /** A button's request, which the click approves. */
  isPressed(revision: Revision, results: Facts): Promise<boolean>;
}

/** After its reads a plan becomes a card or an answer; a button's request is already approved. */
export async function shownAfter(event: RunEvent, port: ShowAfterPort): Promise<readonly NewParcel[]> {
  if (event.type !== 'finished') return [];
  const { teamId, requestId, number, results } = event;
  const revision = await port.revision(teamId, requestId, number);
  if (revision === null || (await port.isPressed(revision, results))) return [];
  return shownParcels(revision, event, port);
}

/**
 * The messages for a new revision: its card, or its answer if its reads leave nothing to write. It comes first, so that
 * the others can link to it: the final state of the card it replaces, and the message in the thread it came from.
 */
export async function shownParcels(
  revision: Revision,
  reads: Reads | null,
  port: ShowPort,
): Promise<NewParcel[]> {
  const { manifests } = port;
  const { number, plan } = revision.sealed;
  const { base, replaced, isAskedBelowCard } = await port.lineage(revision);
  const followed = isAskedBelowCard ? (replaced ?? base) : null;
  const isAnswer = reads !== null && prospectOf(plan, reads.results, manifests) === 'nothing';
  const drawn = isAnswer
    ? await answer(revision, reads, port)
    : await port.card(revision, reads?.results ?? null);
  return [
    cardParcel(revision, 'card', drawn),
    ...(replaced === null ? [] : [cardParcel(replaced, 'update', port.superseded(replaced, number))]),
    ...(followed === null ? [] : [movedParcel(revision, followed, isAnswer)]),
  ];
}

async function answer(revision: Revision, reads: Reads, port: ShowPort): Promise<Drawn> {
  const { manifests, hosts } = port;
  const changes = await port.changes(revision);
  return renderAnswer(revision, told(revision.sealed, manifests, hosts), { ...reads, changes });
}

function movedParcel({ sealed }: Revision, old: Revision, isAnswer: boolean): NewParcel {
  const { requestId, number } = old.sealed;
  return threadParcel(old.sealed, movedKey(requestId, number), movedReply(sealed, isAnswer));
}
