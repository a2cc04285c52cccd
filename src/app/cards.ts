import { z } from 'zod';
import { type CardView, renderCard } from '../approval/card.ts';
import type { CardState } from '../approval/card-state.ts';
import type { Progress } from '../approval/consent.ts';
import { diffPlans } from '../approval/diff.ts';
import type { LinkHosts } from '../core/address.ts';
import { type Facts, prospectOf } from '../core/facts.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Policy } from '../core/policy.ts';
import { type Revision, unseal } from '../core/revision.ts';
import { renderAnswer } from '../report/answer.ts';
import { cardKey, cardStateKey, movedKey } from '../report/deliver.ts';
import { told } from '../report/evidence.ts';
import type { NewParcel } from '../report/ports.ts';
import { type Ending, movedReply } from '../report/thread.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as steps from '../store/steps.ts';
import type { Db } from '../store/tables.ts';

export interface CardDeps {
  readonly db: Db;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly policy: Policy;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}

/** What a revision came from, as the store keeps it. */
const originSchema = z.object({ from: z.int().nullish(), inWords: z.boolean().nullish() });

/** What the reads of a revision came to, and why when they could not be made. */
export type Reads = Pick<Ending, 'results' | 'reason'> & { readonly at: string };

/**
 * A new revision is shown: its card, or its answer when its reads leave nothing to write. It comes first, so that what
 * follows can say where it is: the last words on the card that it replaces, and in the thread of what it came from.
 */
export async function shownParcels(
  deps: CardDeps,
  revision: Revision,
  reads: Reads | null,
): Promise<NewParcel[]> {
  const { db, manifests } = deps;
  const { teamId, requestId, number, plan } = revision.sealed;
  const [row, previous, request, joiners] = await Promise.all([
    revisions.get(db, teamId, requestId, number),
    number > 1 ? revisions.get(db, teamId, requestId, number - 1) : null,
    requests.get(db, teamId, requestId),
    requests.joinersOf(db, teamId, requestId),
  ]);
  const { from, inWords } = originSchema.parse(row?.origin ?? {});
  const base = from == null ? null : await openedBase(deps, revision, from);
  const changes = base === null ? [] : diffPlans(base.sealed.plan, plan, manifests);
  const replaced = previous?.state === 'superseded' ? unseal(previous.bytes, previous.digest) : null;
  // A card in the thread where it was asked for is followed by the next one there.
  const followed = inWords === true && request?.threadTs === null ? (replaced ?? base) : null;
  const isAnswer = reads !== null && prospectOf(plan, reads.results, manifests) === 'nothing';
  return [
    isAnswer
      ? answerParcel(deps, revision, reads, changes)
      : cardParcel(deps, revision, { kind: 'proposed' }, { changes, facts: reads?.results ?? null, joiners }),
    ...(replaced === null ? [] : [cardParcel(deps, replaced, { kind: 'superseded', byNumber: number })]),
    ...(followed === null ? [] : [movedParcel(revision, followed, isAnswer)]),
  ];
}

async function openedBase({ db }: CardDeps, { sealed }: Revision, from: number): Promise<Revision | null> {
  const row = await revisions.get(db, sealed.teamId, sealed.requestId, from);
  return row && unseal(row.bytes, row.digest);
}

export function cardParcel(
  { manifests, policy }: CardDeps,
  revision: Revision,
  state: CardState,
  { changes = [], facts = null, joiners }: Pick<CardView, 'changes' | 'facts' | 'joiners'> = {},
): NewParcel {
  const view = { manifests, policy, state, changes, facts, ...(joiners === undefined ? {} : { joiners }) };
  const open = state.kind === 'proposed';
  const message = renderCard(revision, view);
  const fallback = open ? renderCard(revision, { ...view, folds: false }) : null;
  return parcelOf(revision, open ? 'card' : 'update', { message, fallback });
}

/** The card of an open revision on which some have agreed. */
export function progressParcel(
  { manifests, policy }: CardDeps,
  revision: Revision,
  { progress, facts }: { progress: Progress; facts: Facts | null },
): NewParcel {
  const view = { manifests, policy, state: { kind: 'proposed' }, progress, facts } as const;
  const message = renderCard(revision, view);
  return parcelOf(revision, 'update', { message, fallback: renderCard(revision, { ...view, folds: false }) });
}

/** The card of an open revision for which somebody else has asked, too. */
export async function askedParcel(deps: CardDeps, revision: Revision): Promise<NewParcel> {
  const { teamId, requestId } = revision.sealed;
  const [facts, joiners] = await Promise.all([
    steps.factsOf(deps.db, revision.sealed),
    requests.joinersOf(deps.db, teamId, requestId),
  ]);
  const { parcel } = cardParcel(deps, revision, { kind: 'proposed' }, { facts, joiners });
  return parcelOf(revision, 'update', parcel);
}

function answerParcel(
  { manifests, hosts }: CardDeps,
  revision: Revision,
  reads: Reads,
  changes: readonly string[],
): NewParcel {
  const answer = renderAnswer(revision, told(revision.sealed, manifests, hosts), { ...reads, changes });
  return parcelOf(revision, 'card', answer);
}

function parcelOf(
  { sealed }: Revision,
  kind: 'card' | 'update',
  { message, fallback }: Pick<NewParcel['parcel'], 'message' | 'fallback'>,
): NewParcel {
  const { teamId, requestId, number } = sealed;
  const key = kind === 'card' ? cardKey(requestId, number) : cardStateKey(requestId, number);
  const place = { kind: 'card', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind, parcel: { place, message, fallback } };
}

function movedParcel({ sealed }: Revision, old: Revision, isAnswer: boolean): NewParcel {
  const { teamId, requestId, number } = old.sealed;
  const place = { kind: 'thread', requestId, number } as const;
  const parcel = { place, message: movedReply(sealed, isAnswer), fallback: null };
  return { teamId, conversation: requestId, key: movedKey(requestId, number), kind: 'reply', parcel };
}
