import type { LinkHosts } from '../core/address.ts';
import type { Cause } from '../core/cause.ts';
import { readRow } from '../core/damaged-row.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { type Facts, prospectOf } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent, StepResult } from '../core/run.ts';
import { settle } from '../core/settle.ts';
import { cardMessage, type Drawn, type NewMessage, threadMessage } from '../store/outbox-messages.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { RevisionRow, TolerantDb } from '../store/tables.ts';
import { renderAnswer } from './answer.ts';
import type { Ending } from './final-reply.ts';
import type { KnownRows } from './known-rows.ts';
import { type Wording, wordingOf } from './run-words.ts';
import { type KnownAround, renderSituation } from './situation.ts';
import { movedReply } from './thread.ts';

/** Results of a revision's reads, and why if they could not be made. `at` is ISO 8601. */
export type Reads = Pick<Ending, 'results' | 'reason'> & { readonly at: string };

/** Functions of the approval stage. */
export interface CardPort {
  /** The card of an open revision. */
  card(revision: Revision, facts: Facts | null): Promise<Drawn>;
  /** The final state of a card. */
  superseded(revision: Revision, byNumber: number): Drawn;
  /** Changes since the first request, in plain words. */
  changes(revision: Revision): Promise<readonly string[]>;
  /** True for the single write that a button requested, if it would be made. */
  approvesItself(revision: Revision, facts: Facts): boolean;
}

export interface ShowDeps extends Pick<TolerantDb, 'db' | 'damaged'> {
  readonly rows: KnownRows;
  readonly cards: CardPort;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  /** The operator's causes. */
  readonly causes: readonly Cause[];
  /** The bot's own records of a service. */
  around(of: {
    readonly service: string;
    readonly channel: string;
    readonly requestId: string;
    readonly words: string;
  }): Promise<KnownAround>;
}

/** After its reads a plan becomes a card or an answer; a button's request is already approved. */
export async function shownAfter(
  event: RunEvent,
  revision: Revision,
  deps: ShowDeps,
): Promise<readonly NewMessage[]> {
  if (event.type !== 'finished') return [];
  const { teamId, requestId, number, results } = event;
  const mayApprove = deps.cards.approvesItself(revision, results);
  if (mayApprove && (await deps.rows.request(teamId, requestId))?.via === 'button') return [];
  // One that was damaged meanwhile could not be approved, and one that was stopped is closed.
  const [row, messages] = await Promise.all([
    revisions.get(deps.db, teamId, requestId, number),
    shownMessages(revision, event, deps),
  ]);
  const stored = row && readRow(row, revisions.planReader, deps.damaged);
  return stored === null || row?.state === 'rejected' ? [] : messages;
}

/**
 * The messages for a new revision: its card, or its answer if its reads leave nothing to write. It comes first, so that
 * the others can link to it: the final state of the card it replaces, and the message in the thread it came from. An
 * answer to a follow-up stands in the thread of the first answer.
 */
export async function shownMessages(
  revision: Revision,
  reads: Reads | null,
  deps: ShowDeps,
): Promise<NewMessage[]> {
  const { cards, manifests } = deps;
  const { number, plan } = revision.sealed;
  const { base, replaced, isAskedBelowCard } = await lineageOf(revision, deps);
  const isAnswer = reads !== null && prospectOf(plan, reads.results, manifests) === 'nothing';
  const drawn = isAnswer
    ? await answer(revision, reads, deps)
    : await cards.card(revision, reads?.results ?? null);
  const below = isAnswer && isAskedBelowCard ? await answerAbove(base, deps) : null;
  const followed = isAskedBelowCard && below === null ? (replaced ?? base) : null;
  return [
    cardMessage(revision, 'card', drawn, below),
    ...(replaced === null ? [] : [cardMessage(replaced, 'update', cards.superseded(replaced, number))]),
    ...(followed === null ? [] : [movedMessage(revision, followed, isAnswer)]),
  ];
}

async function answer(revision: Revision, reads: Reads, deps: ShowDeps): Promise<Drawn> {
  const { cards, manifests, hosts } = deps;
  const wording = wordingOf(revision.sealed, manifests, hosts);
  const read = { ...reads, changes: await cards.changes(revision) };
  const { plan } = revision.sealed;
  const { situation } = plan;
  const isFix = plan.steps.some(({ tool }) => manifests.get(tool)?.effect === 'write');
  if (situation === undefined || isFix) return renderAnswer(revision, wording, read);
  const around = await knownAround(situation, revision, wording, reads.results, deps);
  return renderSituation(revision, wording, read, { causes: deps.causes, around });
}

const nothingKnown: KnownAround = { elements: [], again: [], last: new Map() };

async function knownAround(
  { service }: NonNullable<Plan['situation']>,
  { sealed: { teamId, requestId, plan } }: Revision,
  { words }: Wording,
  results: readonly StepResult[],
  { rows, around }: ShowDeps,
): Promise<KnownAround> {
  const request = await rows.request(teamId, requestId);
  if (request === null) return nothingKnown;
  const supported = settle(plan, words, results).filter(({ verdict }) => verdict === 'supported');
  const asked = [plan.goal, ...supported.map(({ cause }) => cause.sentence)].join(' ');
  return around({ service, channel: request.channel, requestId, words: asked });
}

function movedMessage({ sealed }: Revision, old: Revision, isAnswer: boolean): NewMessage {
  const { requestId, number } = old.sealed;
  return threadMessage(old.sealed, `moved:${requestId}:${number}`, movedReply(sealed, isAnswer));
}

/** The number of the answer that begins the thread in which another one was asked for; null if it was a card. */
async function answerAbove(base: Revision | null, { db }: ShowDeps): Promise<number | null> {
  if (base === null) return null;
  const { teamId, requestId } = base.sealed;
  let first: number | null = null;
  for (let number: number | null = base.sealed.number; number !== null; ) {
    const row: RevisionRow | null = await revisions.get(db, teamId, requestId, number);
    if (row?.state !== 'answered') break;
    first = number;
    number = revisions.originOf(row).from;
  }
  return first;
}

/** The origin of a revision. */
interface Lineage {
  /** The revision it changes. */
  readonly base: Revision | null;
  /** The one before, if this one replaced it. */
  readonly replaced: Revision | null;
  /** It was requested in the thread of a card posted in the channel. */
  readonly isAskedBelowCard: boolean;
}

async function lineageOf({ sealed }: Revision, { db, damaged }: ShowDeps): Promise<Lineage> {
  const { teamId, requestId, number } = sealed;
  if (number === 1) return { base: null, replaced: null, isAskedBelowCard: false };
  const [row, previous, request] = await Promise.all([
    revisions.get(db, teamId, requestId, number),
    revisions.get(db, teamId, requestId, number - 1),
    requests.get(db, teamId, requestId),
  ]);
  const { from, inWords } = revisions.originOf(row);
  const base = from === null ? null : await revisions.get(db, teamId, requestId, from);
  return {
    base: base && readRow(base, revisions.planReader, damaged),
    replaced: previous?.state === 'superseded' ? readRow(previous, revisions.planReader, damaged) : null,
    isAskedBelowCard: inWords && request?.threadTs === null,
  };
}
