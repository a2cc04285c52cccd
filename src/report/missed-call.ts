import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, type Span } from '../blocks/rich.ts';
import type { ServiceEntry } from '../core/catalogue.ts';
import type { Step } from '../core/plan.ts';
import type { RunOutcome, StepResult } from '../core/run.ts';
import type { Wording } from './run-words.ts';

/** A call that a finished run should have made, and did not or possibly did not. */
export interface MissedCall {
  /** "Nobody was paged": the first thing to read. */
  readonly words: string;
  /** Nobody knows: "Unknown whether anybody was paged". */
  readonly isInDoubt: boolean;
  /** The steps concerned. */
  readonly steps: ReadonlySet<string>;
}

type Fate = 'called' | 'missed' | 'in_doubt' | 'not_due';

/** Null when everybody was called who should have been. Manifests declare which tools call people. */
export function missedCall(
  of: Wording,
  outcome: RunOutcome | null,
  results: readonly StepResult[],
): MissedCall | null {
  if (outcome === null) return null;
  const strayed = strayedCall(of, results);
  if (strayed !== null || outcome === 'done') return strayed;
  const calls = of.sealed.plan.steps.flatMap((step) => {
    const called = of.words.scope.get(step.id)?.calls;
    return called === undefined ? [] : [{ id: step.id, called, fate: fateOf(step, outcome, results) }];
  });
  const [first] = calls;
  if (first === undefined) return null;
  const such = (wanted: Fate) => new Set(calls.filter(({ fate }) => fate === wanted).map(({ id }) => id));
  const [called, missed, inDoubt] = [such('called'), such('missed'), such('in_doubt')];
  if (missed.size > 0 && (called.size > 0 || inDoubt.size === 0)) {
    const whom = called.size > 0 ? 'Not everybody' : 'Nobody';
    return { words: `${whom} was ${first.called}`, isInDoubt: false, steps: missed };
  }
  if (inDoubt.size === 0) return null;
  const whom = called.size > 0 ? 'everybody' : 'anybody';
  return { words: `Unknown whether ${whom} was ${first.called}`, isInDoubt: true, steps: inDoubt };
}

/** A call that reached other people than those of its target. */
function strayedCall({ words }: Wording, results: readonly StepResult[]): MissedCall | null {
  const strayed = results.flatMap(({ stepId, status, result }) => {
    const manifest = words.scope.get(stepId);
    const isStray = status === 'succeeded' && result !== null && manifest?.strays?.(result) === true;
    return isStray ? [{ id: stepId, called: manifest.calls ?? 'called' }] : [];
  });
  const [first] = strayed;
  if (first === undefined) return null;
  const steps = new Set(strayed.map(({ id }) => id));
  return { words: `The wrong people were ${first.called}`, isInDoubt: false, steps };
}

/** Skipped because a condition or a person said so: nothing is missing. */
const meant = new Set(['condition_false', 'condition_changed', 'need_skipped', 'cancelled', 'dry_run']);

function fateOf(step: Step, outcome: RunOutcome, results: readonly StepResult[]): Fate {
  const result = results.find(({ stepId }) => stepId === step.id);
  // The run was refused, or closed before it got to this step.
  if (result === undefined) return outcome === 'cancelled' ? 'not_due' : 'missed';
  if (result.status === 'succeeded') return 'called';
  if (result.status === 'unknown') return 'in_doubt';
  if (result.status === 'failed') return 'missed';
  return meant.has(result.reason?.code ?? '') ? 'not_due' : 'missed';
}

/** While a call is not confirmed: whom it was to reach, and how to do so without it. */
export function unconfirmedReply(of: Wording, stepId: string, services: readonly ServiceEntry[]): Message {
  const { label = '', people = [] } = of.sealed.targets.find(({ step }) => step === stepId) ?? {};
  const whom = people.map(({ name }) => name).join(' and ') || label;
  const phone = phoneSpans(of, new Set([stepId]), services);
  return note([
    bold('Not confirmed yet: '),
    `there is no answer yet, so nobody may have been ${of.words.scope.get(stepId)?.calls ?? 'called'}. I keep trying. `,
    `If it can’t wait, reach ${whom} yourself`,
    ...(phone.length === 0 ? ['.'] : [': call ', ...phone, '.']),
  ]);
}

/** The telephone numbers of the services that these steps were to call. */
export function phoneSpans(
  { sealed }: Wording,
  steps: ReadonlySet<string>,
  services: readonly ServiceEntry[],
): Span[] {
  const named = new Set(sealed.targets.flatMap(({ step, value }) => (steps.has(step) ? [value] : [])));
  const numbers = services.flatMap(({ name, phone }) => (named.has(name) && phone ? [phone] : []));
  // As text: Slack refuses a whole message for a link that is no web address.
  return numbers.flatMap((number, index): Span[] => [index === 0 ? '' : ' or ', bold(number)]);
}
