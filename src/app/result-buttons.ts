import { actionIds } from '../blocks/ids.ts';
import type { Modal, Say } from '../blocks/message.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { readRow } from '../core/damaged-row.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { Who } from '../core/person.ts';
import { runIdOf } from '../core/run.ts';
import type { Pipeline } from '../pipeline.ts';
import { requestIdOf } from '../request/intake.ts';
import { offeredBy, type PressPort } from '../request/press.ts';
import { type PressPlace, pressForm, readPressForm, readPressPlace } from '../request/press-form.ts';
import type { UndoPort } from '../request/undo.ts';
import * as followed from '../store/followed-incidents.ts';
import * as revisions from '../store/revisions.ts';
import { stepResults, toStepResult } from '../store/steps.ts';
import type { ActionEvent, SubmitAnswer, SubmitEvent } from '../vendors/slack/events.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { seesRequest } from './people.ts';
import { revisionOf, type SoundBooks } from './stored-requests.ts';

/** Stored step results, for the buttons below them. */
export function resultPort({
  db,
  teamId,
  damaged,
  manifests,
  gateway,
}: SoundBooks & { readonly gateway: Pick<SlackGateway, 'isIn'> } & {
  readonly manifests: ReadonlyMap<string, Manifest>;
}): UndoPort & PressPort {
  return {
    async revision(requestId, number) {
      return revisionOf(await revisions.get(db, teamId, requestId, number));
    },
    async result(requestId, number, stepId) {
      const rows = await stepResults(db, teamId, runIdOf(requestId, number));
      const row = rows.find((one) => one.stepId === stepId);
      return row === undefined ? null : toStepResult(row);
    },
    async titleOf({ result }) {
      const id = own(result ?? {}, 'incident');
      const row = typeof id === 'string' ? await followed.get(db, { teamId, id }) : null;
      return (row && readRow(row, followed.lifeReader, damaged)?.life?.title) ?? '';
    },
    maySee: seesRequest({ db, teamId, gateway }),
    manifests: () => manifests,
  };
}

export interface PressDeps {
  readonly catalogue: Catalogue;
  readonly press: PressPort;
  readonly pipeline: Pick<Pipeline, 'pressed'>;
  mayAsk(who: Who, say: Say): Promise<boolean>;
  /** Stores a way to reply to somebody, for later messages. */
  readonly replies: { set(requestId: string, say: Say): unknown };
}

/** A button for a follow-up step: handled at once, or after the form it opens. */
export async function onNext(
  { actionId, actor, key, value, message }: ActionEvent,
  { press, catalogue, pipeline, replies, mayAsk }: PressDeps,
  open: (form: Modal) => Promise<void>,
  say: Say,
): Promise<void> {
  if (message === null) return;
  const { channel, ts, threadTs } = message;
  const tool = actionId.slice(actionIds.next.length);
  const place: PressPlace = { value, tool, channel, threadTs: threadTs ?? ts };
  const offered = await offeredBy({ ...place, userId: actor.userId }, press);
  if (offered !== null && (offered.offer.asks ?? []).length > 0) {
    if (await mayAsk(actor, say)) await open(pressForm(offered, place, catalogue));
    return;
  }
  replies.set(requestIdOf(actor.teamId, key), say);
  await pipeline.pressed({ ...actor, ...place, key, given: {} }, say);
}

/** The form behind such a button. */
export async function onNextForm(
  { view, actor, key }: SubmitEvent,
  { press, catalogue, pipeline, replies }: PressDeps,
  say: Say,
): Promise<SubmitAnswer> {
  const nothing: SubmitAnswer = { answer: { kind: 'close' }, work: async () => undefined };
  const place = readPressPlace(view.privateMetadata);
  const offered = place && (await offeredBy({ ...place, userId: actor.userId }, press));
  if (!place || !offered) return nothing;
  const read = readPressForm(new Map(Object.entries(view.values)), offered, catalogue);
  if (!read.ok) return { ...nothing, answer: { kind: 'errors', errors: read.errors } };
  replies.set(requestIdOf(actor.teamId, key), say);
  return { ...nothing, work: () => pipeline.pressed({ ...actor, ...place, key, given: read.given }, say) };
}
