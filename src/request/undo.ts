import { readCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Revision } from '../core/revision.ts';
import type { StepResult } from '../core/run.ts';
import { undoOf } from '../core/undo.ts';
import { oneStep } from '../notation/one-step.ts';
import type { Arrival } from './intake.ts';

/** A click on the button that undoes a step. */
export interface UndoClick {
  readonly userId: string;
  readonly home: string | null;
  /** The same for every delivery of the click. */
  readonly key: string;
  /** Reference of the step, as written on the button. */
  readonly value: string;
  readonly channel: string;
  readonly threadTs: string;
}

export interface UndoPort {
  revision(requestId: string, number: number): Promise<Revision | null>;
  /** The result of a step in a revision's run; null when it has not ended. */
  result(requestId: string, number: number, stepId: string): Promise<StepResult | null>;
  /** True for the requester, and for members of the channel where it is discussed. */
  maySee(userId: string, requestId: string): Promise<boolean>;
  readonly manifests: () => ReadonlyMap<string, Manifest>;
}

/**
 * The request that undoes a step: a plan in notation, made from the stored step and not from the button. Null after
 * telling the person that there is nothing to undo.
 */
export async function undoRequest(click: UndoClick, port: UndoPort, say: Say): Promise<Arrival | null> {
  const ref = readCardRef(click.value);
  const revision = ref && (await port.revision(ref.requestId, ref.number));
  const isOurs =
    ref?.step !== undefined &&
    revision?.digest === ref.digest &&
    (await port.maySee(click.userId, ref.requestId));
  const result = isOurs ? await port.result(ref.requestId, ref.number, ref.step ?? '') : null;
  const undo = result && undoOf(result, port.manifests());
  if (!undo) {
    await say(note(['There is nothing to undo here.']));
    return null;
  }
  const { userId: requester, home, key, channel, threadTs } = click;
  const text = oneStep(undo, port.manifests());
  return { key, text, via: 'command', requester, home, channel, threadTs, quoted: null };
}
