import { askedBlock, cardFacts, cardTitle } from '../blocks/card-frame.ts';
import { writeCardRef } from '../blocks/card-ref.ts';
import { fallbackText } from '../blocks/escape.ts';
import { sizeOf } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button, confirmation } from '../blocks/layout.ts';
import { limits } from '../blocks/limits.ts';
import type { Block, Message } from '../blocks/message.ts';
import { bold, bullets, italic, line, lines, ordered, quote, rich, type Span } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/inert.ts';
import { type Policy, policyDigest } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import { sayCriterion, vocabularyOf } from '../core/words.ts';
import { type CardState, stateBlock } from './card-state.ts';
import type { Progress } from './consent.ts';
import { shortItem, stepItem } from './step-item.ts';
import { type Manifests, type StepView, stepViews } from './step-view.ts';
import { progressRows, whoMay } from './who-may.ts';
import { isWritingPlan, writesOf } from './writes.ts';

export interface CardView {
  readonly manifests: Manifests;
  readonly state: CardState;
  /** The rules that the revision was sealed under, so that the card says who may approve. */
  readonly policy?: Policy;
  /** Where several people have to agree: who has. */
  readonly progress?: Progress;
  /** What is different from the revision before, in plain words. */
  readonly changes?: readonly string[];
}

/** Room for steps, notes and buttons as JSON; the rest of Slack's limit is for what stands around them. */
const cardRoom = 9_500;
const messageRoom = 12_800;
const mostSteps = 15;
const longestGoal = 500;
const longestSentence = 450;
const mostShort = 20;
const mostChanges = 12;

/**
 * The card of a revision, made of its sealed bytes and of the rules that they name. When the whole does not fit, the card is short
 * and Approve is replaced by "Read all to approve": the modal behind it shows everything and has the yes.
 */
export function renderCard(revision: Revision, view: CardView): Message {
  const steps = stepViews(revision, view.manifests);
  const open = view.state.kind === 'proposed';
  const whole = fitsCard(revision, view.manifests);
  const top: Block[] = [
    cardTitle(revision),
    ...(open ? [] : [stateBlock(view.state, revision.sealed.requestId)]),
    askedBlock(revision, goalOf(revision, whole && open)),
  ];
  const rest: Block[] = [
    rich([open && whole ? ordered(steps.map(stepItem)) : ordered(shortSteps(steps))], 'steps'),
    ...(open ? openParts(revision, view.manifests, steps, whole) : []),
    ...(open ? whoBlock(revision, view) : []),
    cardFacts(revision, { open }),
    ...(open ? [buttons(revision, steps, whole)] : []),
  ];
  const room = messageRoom - sizeOf([...top, ...rest]);
  const blocks = [...top, ...(open ? changesBlock(view.changes ?? [], room) : []), ...rest];
  return { text: fallback(revision, view.state), blocks };
}

/** True when the card shows all of the revision, so that it can be approved from the card. */
export function fitsCard(revision: Revision, manifests: Manifests): boolean {
  const { plan } = revision.sealed;
  const steps = stepViews(revision, manifests);
  if (plan.goal.length > longestGoal || steps.length > mostSteps) return false;
  if (steps.some((step) => step.sentence.length > longestSentence)) return false;
  const parts = [
    rich([ordered(steps.map(stepItem)), quote(plan.goal)]),
    ...notesBlock(revision, manifests),
    buttons(revision, steps, true),
  ];
  return sizeOf(parts) < cardRoom;
}

function goalOf({ sealed }: Revision, whole: boolean): string {
  return whole ? sealed.plan.goal : cut(oneLine(sealed.plan.goal), 200);
}

function shortSteps(steps: readonly StepView[]): ReturnType<typeof shortItem>[] {
  const shown = steps.slice(0, mostShort).map(shortItem);
  const rest = steps.length - shown.length;
  return rest > 0 ? [...shown, line(italic(`and ${rest} more steps`))] : shown;
}

/** As many changes as there is room for; the plan itself is below them in any case. */
function changesBlock(changes: readonly string[], room: number): Block[] {
  const blockOf = (count: number): Block => {
    const shown = changes.slice(0, count).map((change) => line(cut(oneLine(change), 300)));
    const rest = changes.length - count;
    const more = rest > 0 ? [line(italic(`and ${rest} more changes`))] : [];
    return rich([line(bold('Changed:')), bullets([...shown, ...more])], 'changes');
  };
  for (let count = Math.min(changes.length, mostChanges); count > 0; count -= 1) {
    const block = blockOf(count);
    if (sizeOf([block]) <= room) return [block];
  }
  return [];
}

function openParts(
  revision: Revision,
  manifests: Manifests,
  steps: readonly StepView[],
  whole: boolean,
): Block[] {
  if (whole) return notesBlock(revision, manifests);
  const words = `This plan has ${steps.length} steps and does not fit here. Read all of it to approve it.`;
  return [rich([line(bold(words))], 'not_whole')];
}

/** Guesses, answers, assumptions, notes and criteria: everything beside the steps. */
function notesBlock({ sealed }: Revision, manifests: Manifests): Block[] {
  const { plan } = sealed;
  const words = vocabularyOf(plan.steps, manifests);
  const guessed = plan.inputs.filter((input) => input.source === 'default');
  const asked = plan.inputs.filter((input) => input.source === 'asked');
  const named = (list: typeof plan.inputs): string =>
    list.map((input) => `${input.name.replaceAll('_', ' ')} ${input.value}`).join(', ');
  const rows: Span[][] = [
    ...longTitle(sealed.plan.summary),
    ...(guessed.length > 0 ? [[bold('Guessed: '), named(guessed)]] : []),
    ...(asked.length > 0 ? [['Answered: ', named(asked)]] : []),
    ...plan.assumptions.map((assumption) => [`Assumes: ${assumption}`]),
    ...plan.success.map((criterion) => [`Must hold at the end: ${sayCriterion(criterion, words)}`]),
    ...sealed.notes.map((note) => [note]),
  ];
  return rows.length === 0 ? [] : [rich([bullets(rows.map((row) => line(...row)))], 'notes')];
}

/** A summary that the title of the card has no room for, in full. */
function longTitle(summary: string): Span[][] {
  return summary.length > limits.header ? [['In full: ', summary]] : [];
}

/** Who may approve; nothing where the rules are no longer those of the revision, which then cannot be approved. */
function whoBlock({ sealed }: Revision, { policy, manifests, progress }: CardView): Block[] {
  if (policy === undefined || policyDigest(policy) !== sealed.policy) return [];
  const { yeses, missing } = progress ?? { yeses: [], missing: [] };
  const rows = whoMay(sealed.plan, manifests, policy, new Date(sealed.createdAt));
  return [rich([lines([...rows, ...progressRows(yeses, missing)])], 'who')];
}

function buttons(revision: Revision, steps: readonly StepView[], whole: boolean): Block {
  const value = writeCardRef(revision);
  const writing = isWritingPlan(steps);
  const confirm = confirmation({
    title: writing ? 'Approve and run this?' : 'Run these reads?',
    text: confirmText(steps),
    yes: writing ? 'Approve and run' : 'Run',
    no: 'Not yet',
  });
  const yes = whole
    ? button({ text: 'Approve', action: actionIds.approve, value, style: 'primary', confirm })
    : button({ text: 'Read all to approve', action: actionIds.details, value, style: 'primary' });
  return actions(
    [
      yes,
      button({ text: 'Edit', action: actionIds.edit, value }),
      ...(writing ? [button({ text: 'Dry run', action: actionIds.dryRun, value })] : []),
      button({ text: 'Reject', action: actionIds.reject, value, style: 'danger' }),
    ],
    'buttons',
  );
}

/** Names every write, with what cannot be taken back, in the 300 characters of Slack's dialog. */
export function confirmText(steps: readonly StepView[]): string {
  const writes = writesOf(steps);
  if (writes.length === 0) return 'It only reads. Nothing is changed and nobody is told outside this thread.';
  const named = writes.map(
    (write) => `${write.what}${write.conditional ? ' (if its condition holds)' : ''}.`,
  );
  const undo = [...new Set(writes.map((write) => write.undo?.split('. ')[0]).filter(Boolean))];
  const full = [...named, ...undo.map((text) => `${text?.replace(/\.$/, '')}.`)].join(' ');
  if (full.length <= 300) return full;
  const short = named.join(' ');
  if (short.length <= 300) return short;
  const each = Math.max(20, Math.floor(250 / Math.min(writes.length, 5)) - 2);
  const first = writes.slice(0, 5).map((write) => `${cut(write.what, each)}.`);
  return cut(`${writes.length} writes: ${first.join(' ')}${writes.length > 5 ? ' And more.' : ''}`, 300);
}

function fallback({ sealed }: Revision, state: CardState): string {
  const prefix = state.kind === 'proposed' ? 'Plan to approve' : `Plan ${state.kind}`;
  return fallbackText(`${prefix}: ${sealed.plan.summary}`);
}
