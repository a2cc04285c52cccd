import { readCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import type { Manifest, Offer } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { Revision } from '../core/revision.ts';
import type { StepResult } from '../core/run.ts';
import { offerOf } from '../core/suggested-plan.ts';
import { oneStep } from '../notation/one-step.ts';
import type { Arrival } from './intake.ts';

/** A click on a button for a follow-up step, or the submission of its form. */
export interface PressClick {
  readonly userId: string;
  readonly home: string | null;
  /** The same for every delivery of the click. */
  readonly key: string;
  /** Reference of the step that offered it, as written on the button. */
  readonly value: string;
  /** The tool named by the button. */
  readonly tool: string;
  readonly channel: string;
  readonly threadTs: string;
  /** Filled-in values by argument; empty if there was no form. */
  readonly given: Readonly<Record<string, string>>;
}

export interface PressPort {
  revision(requestId: string, number: number): Promise<Revision | null>;
  /** The result of a step in a revision's run; null when it has not ended. */
  result(requestId: string, number: number, stepId: string): Promise<StepResult | null>;
  /** Title of the incident in a result, as far as it is known. */
  titleOf(result: StepResult): Promise<string>;
  /** True for the requester, and for members of the channel where it is discussed. */
  maySee(userId: string, requestId: string): Promise<boolean>;
  readonly manifests: () => ReadonlyMap<string, Manifest>;
}

/** An offer with the step it follows. */
export interface Offered {
  readonly offer: Offer;
  readonly revision: Revision;
  readonly stepId: string;
}

/** The offer behind a button, from the stored step and not from the button itself; null if there is none. */
export async function offeredBy(
  { value, tool, userId }: Pick<PressClick, 'value' | 'tool' | 'userId'>,
  port: PressPort,
): Promise<Offered | null> {
  const ref = readCardRef(value);
  const revision = ref && (await port.revision(ref.requestId, ref.number));
  if (ref?.step === undefined || !revision || revision.digest !== ref.digest) return null;
  if (!(await port.maySee(userId, ref.requestId))) return null;
  const result = await port.result(ref.requestId, ref.number, ref.step);
  if (result === null) return null;
  const offer = offerOf(result, tool, await port.titleOf(result), port.manifests());
  return offer === undefined ? null : { offer, revision, stepId: ref.step };
}

/** The request of a button: a plan of one step. Null after telling the person that there is nothing to do. */
export async function pressRequest(click: PressClick, port: PressPort, say: Say): Promise<Arrival | null> {
  const { userId: requester, home, key, channel, threadTs, given } = click;
  const offered = await offeredBy(click, port);
  if (offered === null) {
    await say(note(['That button is out of date. Use the newest message in the thread, or ask me there.']));
    return null;
  }
  const { tool, args, asks = [] } = offered.offer;
  const asked = asks.flatMap(({ arg }) => {
    const value = own(given, arg);
    return value === undefined ? [] : [[arg, value] as const];
  });
  const text = oneStep({ tool, args: { ...args, ...Object.fromEntries(asked) } }, port.manifests());
  return { key, text, via: 'button', requester, home, channel, threadTs, quoted: null };
}
