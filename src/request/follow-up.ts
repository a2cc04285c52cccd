import { readCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { shortDigest } from '../core/canonical.ts';
import { cut } from '../core/clean-text.ts';
import { readRow } from '../core/damaged-row.ts';
import { collapsed } from '../core/for-each.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Offer } from '../core/offer.ts';
import { own } from '../core/own-property.ts';
import type { Who } from '../core/person.ts';
import { planLimits } from '../core/plan.ts';
import { certainReply } from '../core/planning.ts';
import type { Revision } from '../core/revision.ts';
import { runIdOf, type StepResult } from '../core/run.ts';
import { settle } from '../core/settle.ts';
import { type Called, capital, stepSentence, vocabularyOf } from '../core/step-words.ts';
import { offerOf, otherWays } from '../core/suggested-plan.ts';
import { isRepeatable } from '../core/targets.ts';
import { planTitle } from '../core/title.ts';
import { undoOf } from '../core/undo.ts';
import { oneStep } from '../notation/one-step.ts';
import { parse } from '../notation/parse.ts';
import * as followed from '../store/followed-incidents.ts';
import * as revisions from '../store/revisions.ts';
import { factsOf, stepResults, toStepResult } from '../store/steps.ts';
import type { RequestContext } from './context.ts';
import type { Arrival } from './intake.ts';

/** A click on a button below the result of a step. */
export interface ResultClick extends Who {
  /** The same for every delivery of the click. */
  readonly key: string;
  /** Reference of the step, as written on the button. */
  readonly value: string;
  readonly channel: string;
  readonly threadTs: string;
}

/** A click on a button for a follow-up step, or the submission of its form. */
export interface FollowUpClick extends ResultClick {
  /** The tool named by the button. */
  readonly tool: string;
  /** Filled-in values by argument; empty if there was no form. */
  readonly given: Readonly<Record<string, string>>;
}

/** A step that has ended. */
interface EndedStep {
  readonly revision: Revision;
  readonly result: StepResult;
  /** Of all steps of its run that have ended. */
  readonly results: readonly StepResult[];
}

/** An offer with the plan whose step it follows. */
export interface Offered {
  readonly offer: Offer;
  readonly revision: Revision;
  /** Names of the incidents in the step's result. */
  readonly called: readonly Called[];
}

/** The step behind a button, as stored; null when it has not ended, or the person may not see it. */
async function stepBehind(
  click: Pick<ResultClick, 'value' | 'userId'>,
  context: RequestContext,
): Promise<EndedStep | null> {
  const ref = readCardRef(click.value);
  const revision = ref?.step === undefined ? null : await seenRevision(click, context);
  if (ref === null || revision === null) return null;
  const { db, teamId } = context;
  const rows = await stepResults(db, teamId, runIdOf(ref.requestId, ref.number));
  const results = rows.flatMap((stored) => toStepResult(stored) ?? []);
  const result = results.find(({ stepId }) => stepId === ref.step);
  return result === undefined ? null : { revision, result, results };
}

/** The offer behind a button, from the stored step and not from the button itself; null if there is none. */
export async function offeredBy(
  click: Pick<FollowUpClick, 'value' | 'tool' | 'userId'>,
  context: RequestContext,
): Promise<Offered | null> {
  const step = await stepBehind(click, context);
  if (step === null) return null;
  const { revision, result, results } = step;
  const { manifests, services } = context.catalogue;
  const title = await titleOf(result, context);
  const ways = otherWays(result, { sealed: revision.sealed, results, manifests, services });
  const offer = ways.find(({ tool }) => tool === click.tool) ?? offerOf(result, click.tool, title, manifests);
  return offer === undefined ? null : { offer, revision, called: calledIn(result) };
}

/** Title of the incident in a result, as far as it is known. */
async function titleOf({ result }: StepResult, { db, teamId, damaged }: RequestContext): Promise<string> {
  const id = own(result ?? {}, 'incident');
  const row = typeof id === 'string' ? await followed.get(db, { teamId, id }) : null;
  return (row && readRow(row, followed.lifeReader, damaged)?.life?.title) ?? '';
}

/** The request of a button: a plan of one step. Null after telling the person that there is nothing to do. */
export async function followUpRequest(
  click: FollowUpClick,
  context: RequestContext,
  say: Say,
): Promise<Arrival | null> {
  const offered = await offeredBy(click, context);
  if (offered === null) {
    await say(note(['That button is out of date. Use the newest message in the thread, or ask me there.']));
    return null;
  }
  const { tool, args, asks = [] } = offered.offer;
  const asked = asks.flatMap(({ arg }) => {
    const value = own(click.given, arg);
    return value === undefined ? [] : [[arg, value] as const];
  });
  const step = { tool, args: { ...args, ...Object.fromEntries(asked) } };
  const { manifests } = context.catalogue;
  return {
    ...inThread(click),
    ...pressed(oneStep(step, manifests), manifests, offered.called),
    via: 'button',
  };
}

/** The words and the plan of a button: what its steps do, and not the call behind it. Words are asked for as they are. */
export function pressed(
  notation: string,
  manifests: ReadonlyMap<string, Manifest>,
  called: readonly Called[] = [],
): Pick<Arrival, 'text' | 'planned'> {
  const { plan } = parse(notation, manifests);
  const [first, ...others] = plan?.steps ?? [];
  if (plan === null || first === undefined) return { text: notation };
  const words = vocabularyOf(plan.steps, manifests, called);
  const isWhole = others.length === 0 && first.when === undefined;
  const said = isWhole ? capital(stepSentence(first, words)) : planTitle(plan.steps, manifests, called);
  const goal = cut(said, planLimits.goal);
  const whole = { ...plan, goal, summary: planTitle(plan.steps, manifests) };
  return { text: goal, planned: certainReply({ kind: 'plan', plan: whole }, 'person') };
}

/** The number of the incident in a result, by its id. */
function calledIn({ result }: StepResult): Called[] {
  const [value, called] = [own(result ?? {}, 'incident'), own(result ?? {}, 'name')];
  return typeof value === 'string' && typeof called === 'string' ? [{ value, called }] : [];
}

/**
 * The request that undoes a step: a plan in notation, made from the stored step and not from the button. Null after
 * telling the person that there is nothing to undo.
 */
export async function undoRequest(
  click: ResultClick,
  context: RequestContext,
  say: Say,
): Promise<Arrival | null> {
  const { manifests } = context.catalogue;
  const step = await stepBehind(click, context);
  const undo = step && undoOf(step.result, manifests);
  if (!undo) {
    await say(note(['There is nothing to undo here.']));
    return null;
  }
  return {
    ...inThread(click),
    ...pressed(oneStep(undo, manifests), manifests, calledIn(step.result)),
    via: 'command',
  };
}

/** The plan that a button is about, if its person may see it and it is the one that was shown. */
export async function seenRevision(
  { value, userId }: Pick<ResultClick, 'value' | 'userId'>,
  { db, teamId, maySee }: Pick<RequestContext, 'db' | 'teamId' | 'maySee'>,
): Promise<Revision | null> {
  const ref = readCardRef(value);
  const row = ref && (await revisions.get(db, teamId, ref.requestId, ref.number));
  const revision = row && revisions.revisionOf(row);
  if (ref === null || revision?.digest !== ref.digest) return null;
  return (await maySee(userId, ref.requestId)) ? revision : null;
}

/** The request for the fix of a cause that an answer shows as supported. Null after telling the person why there is none. */
export async function fixRequest(
  click: ResultClick,
  { db, teamId, maySee, catalogue, fixOf }: RequestContext,
  say: Say,
): Promise<Arrival | null> {
  const ref = readCardRef(click.value);
  const revision = await seenRevision(click, { db, teamId, maySee });
  const { plan } = revision?.sealed ?? {};
  const words = vocabularyOf(plan?.steps ?? [], catalogue.manifests);
  const facts = (plan && revision && (await factsOf(db, revision.sealed))) ?? [];
  const settled = settle(plan ?? {}, words, facts);
  const isSupported = settled.some(({ cause, verdict }) => cause.id === ref?.step && verdict === 'supported');
  const fix =
    plan?.situation === undefined || ref?.step === undefined || !isSupported
      ? { why: 'that button is out of date. Ask again.' }
      : await fixOf({ cause: ref.step, service: plan.situation.service });
  if ('why' in fix) {
    await say(note(['The fix is not proposed: ', fix.why]));
    return null;
  }
  return { ...inThread(click), text: fix.goal, via: 'command', planned: fix.reply };
}

/** The request for a past plan anew, with its own approval. Null after telling the person why there is none. */
export async function sameRequest(
  click: ResultClick,
  { db, teamId, maySee, catalogue }: RequestContext,
  say: Say,
): Promise<Arrival | null> {
  const revision = await seenRevision(click, { db, teamId, maySee });
  if (revision === null || !isRepeatable(revision.sealed.plan, catalogue.manifests)) {
    await say(note(['That plan cannot be made again from here.']));
    return null;
  }
  const { plan, planner, createdAt } = revision.sealed;
  const of = `${shortDigest(revision.digest)} of ${createdAt.slice(0, 10)}`;
  const notes = [`The same as plan ${of}, which was done; this one needs its own approval.`];
  const planned = certainReply({ kind: 'plan', plan: collapsed(plan) }, planner, notes);
  return { ...inThread(click), text: plan.goal, via: 'command', planned };
}

/** Its plan goes to the thread that reported the step. */
export function inThread({ key, userId: requester, home, channel, threadTs }: ResultClick) {
  return { key, requester, home, channel, threadTs, quoted: null };
}
