import { cardAddress } from '../../blocks/card-address.ts';
import { askedBlock, cardFacts, cardTitle } from '../../blocks/card-frame.ts';
import { codeElements } from '../../blocks/code-block.ts';
import { fallbackText } from '../../blocks/escape.ts';
import { sizeOf } from '../../blocks/fit.ts';
import { folded } from '../../blocks/layout.ts';
import type { Block, Message } from '../../blocks/message.ts';
import { notesBlock } from '../../blocks/plan-notes.ts';
import { bold, code, line, lines, link, quote, rich, type Span } from '../../blocks/rich.ts';
import type { LinkHosts } from '../../core/address.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import type { Policy } from '../../core/policy.ts';
import type { Facts } from '../../core/read-results.ts';
import type { Revision } from '../../core/revision.ts';
import { progressRows, whoMay } from '../approver-words.ts';
import { isUnderPolicy } from '../basis.ts';
import { closedToAll } from '../may-approve.ts';
import { type Stopper, stoppedLine } from '../refusal-words.ts';
import type { ApprovalProgress } from '../required-approvals.ts';
import { rulingsOf } from '../rules.ts';
import { cardButtons, isWritingPlan } from './buttons.ts';
import { changesBlock, type Rejection } from './changes.ts';
import { factsLine, leadBlocks, reachBlock, readsBlock } from './lead.ts';
import { type FactsView, factsView } from './read-results.ts';
import { type CardState, stateBlock } from './state.ts';
import { inGroups, shortSteps, stepItem } from './step-item.ts';
import { type Manifests, type StepView, stepViews } from './step-view.ts';
import { waysOnward } from './ways-onward.ts';

/** Another plan that involves a service of this one. */
export interface Beside {
  readonly requestId: string;
  readonly number: number;
  readonly service: string;
  readonly summary: string;
  readonly isRunning: boolean;
}

export interface CardView {
  readonly manifests: Manifests;
  readonly state: CardState;
  /** The rules the revision was sealed under, so that the card shows who may approve. */
  readonly policy?: Policy;
  /** Where several people must approve: who has. */
  readonly progress?: ApprovalProgress;
  /** Changes since the previous revision, in plain words. */
  readonly changes?: readonly string[];
  /** The rejection that led to it. */
  readonly rejected?: Rejection | null;
  /** Who else made the same request meanwhile, and how often. */
  readonly joiners?: { readonly requesters: readonly string[]; readonly count: number };
  /** Other people's waiting or running plans for the same services. */
  readonly besides?: readonly Beside[];
  /** Who stopped all writes, and why; null or absent if they are allowed. */
  readonly stopped?: Stopper | null;
  /** Results of its reads before it was shown; absent or null if nothing was read. */
  readonly facts?: Facts | null;
  /** Hosts that results may link to. */
  readonly hosts?: LinkHosts;
}

/** JSON characters for writes, reads, notes and buttons; the rest of Slack's limit is for the surrounding blocks. */
const cardRoom = 9_500;
const messageRoom = 12_800;
const maxSteps = 15;
const maxGoal = 500;
const maxSentence = 450;
/** Maximum number of other plans named; the rest are counted. */
const maxBesides = 2;

/**
 * Renders a revision's card from its sealed bytes, the rules they name and the results of its reads, with a fallback
 * for workspaces that do not accept collapsible blocks (null if none is needed). Writes and their reasons come first,
 * then the facts, one line per read; the whole plan is one tap away. If that does not fit, the card is short and
 * Approve is replaced by "Read all to approve": its modal shows everything and approves.
 */
export function drawCard(revision: Revision, view: CardView): { message: Message; fallback: Message | null } {
  const seen = seenIn(revision, view.manifests, view.facts ?? null, view.hosts);
  const text = fallback(revision, seen, view.state);
  if (view.state.kind !== 'proposed') {
    return { message: { text, blocks: closedBlocks(revision, seen.steps, view.state) }, fallback: null };
  }
  const blocks = openBlocks(revision, view, seen);
  return {
    message: { text, blocks: blocks({ folds: true }) },
    fallback: { text, blocks: blocks({ folds: false }) },
  };
}

/** A revision's steps and facts, formatted for people. */
interface Seen {
  readonly steps: readonly StepView[];
  readonly facts: FactsView | null;
}

function seenIn(revision: Revision, manifests: Manifests, facts: Facts | null, hosts?: LinkHosts): Seen {
  return {
    steps: stepViews(revision, manifests),
    facts: facts === null ? null : factsView(revision, facts, manifests, hosts),
  };
}

/** The card of a revision open to decisions, with or without collapsible blocks. */
function openBlocks(revision: Revision, view: CardView, seen: Seen): (how: { folds: boolean }) => Block[] {
  const { steps, facts } = seen;
  // Without links, as at the click: both must agree.
  const bare = view.facts ? factsView(revision, view.facts, view.manifests) : null;
  const whole = fits(revision, view.manifests, { steps, facts: bare });
  const isClosed = isClosedToAll(revision, view);
  const top = (folds: boolean): Block[] => [
    cardTitle(revision),
    ...reachBlock(steps, facts),
    ...(whole ? leadBlocks(steps, facts, { isClosed, folds }) : [rich(shortSteps(steps), 'steps')]),
    ...(whole ? readsBlock(steps, facts) : []),
    ...(isWritingPlan(steps) && view.stopped
      ? [rich([lines([stoppedLine(view.stopped), ['It can be approved after ', code('/plan resume'), '.']])])]
      : []),
    ...besidesBlock(isWritingPlan(steps) ? (view.besides ?? []) : []),
    askedBlock(revision, goalOf(revision, whole), view.joiners),
  ];
  const rest: Block[] = [
    ...(whole ? notesBlock(revision, view.manifests) : [notWhole(steps)]),
    ...whoBlock(revision, view),
    cardFacts(revision, { open: true }),
  ];
  const onward = waysOnward(revision.sealed.plan, steps, facts, view.manifests);
  const end = (isFolded: boolean): Block[] => [
    cardButtons(revision, steps, { whole, isFolded, isClosed, facts }),
    ...onward,
  ];
  const sources = steps.flatMap(({ step }) => codeElements(step));
  const all = rich([...inGroups(steps, stepItem), ...sources], 'steps');
  const fold = folded('The whole plan', [all], 'whole_plan');
  return ({ folds }) => {
    const isShort = folds && sizeOf([...top(true), ...rest, ...end(false)]) <= messageRoom;
    const shown = top(isShort);
    const fixed = sizeOf([...shown, ...rest]);
    const mayFold = folds && whole && fixed + sizeOf([fold, ...end(true)]) <= messageRoom;
    const last = mayFold ? [fold, ...end(true)] : end(false);
    const maxSize = messageRoom - fixed - sizeOf(last);
    return [...shown, ...changesBlock(revision, view, maxSize), ...rest, ...last];
  };
}

/**
 * Only one plan at a time writes to a service, so the approver must know of the others. The card is not updated when
 * they end.
 */
function besidesBlock(besides: readonly Beside[]): Block[] {
  if (besides.length === 0) return [];
  const titles = besides.slice(0, maxBesides).flatMap(({ requestId, number, summary }, index): Span[] => {
    const title = link(cardAddress(requestId, number), cut(oneLine(summary), 150));
    return index === 0 ? [title] : ['; ', title];
  });
  const more = besides.length > maxBesides ? [` and ${besides.length - maxBesides} more`] : [];
  return [rich([line(...besideWords(besides), ...titles, ...more)], 'besides')];
}

function besideWords(besides: readonly Beside[]): Span[] {
  const services = [...new Set(besides.map(({ service }) => service))].join(' and ');
  if (besides.length > 1) {
    const state = ' were waiting or running when this was posted, and only one runs at a time: ';
    return [bold(`${besides.length} other plans for ${services}`), state];
  }
  if (!besides[0]?.isRunning) return [bold(`Also waiting for ${services}: `)];
  return [bold(`Already running for ${services}`), ', and only one plan runs at a time: '];
}

/** The card of a revision that is no longer open to decisions. */
function closedBlocks(revision: Revision, steps: readonly StepView[], state: CardState): Block[] {
  return [
    cardTitle(revision),
    stateBlock(state, revision.sealed.requestId),
    askedBlock(revision, goalOf(revision, false)),
    rich(shortSteps(steps), 'steps'),
    cardFacts(revision, { open: false }),
  ];
}

/** True when the card shows the whole revision, so that it can be approved from the card. */
export function fitsCard(revision: Revision, manifests: Manifests, facts: Facts | null): boolean {
  return fits(revision, manifests, seenIn(revision, manifests, facts));
}

function fits(revision: Revision, manifests: Manifests, { steps, facts }: Seen): boolean {
  const { plan } = revision.sealed;
  if (plan.goal.length > maxGoal || steps.length > maxSteps) return false;
  if (steps.some((step) => step.sentence.length > maxSentence)) return false;
  const parts = [
    ...reachBlock(steps, facts),
    ...leadBlocks(steps, facts),
    ...readsBlock(steps, facts),
    rich([quote(plan.goal)]),
    rich(steps.flatMap(({ step }) => codeElements(step))),
    ...notesBlock(revision, manifests),
    cardButtons(revision, steps, { whole: true, isFolded: false, isClosed: false, facts }),
  ];
  return sizeOf(parts) < cardRoom;
}

function goalOf({ sealed }: Revision, whole: boolean): string {
  return whole ? sealed.plan.goal : cut(oneLine(sealed.plan.goal), 200);
}

function notWhole(steps: readonly StepView[]): Block {
  const size = steps.length === 1 ? 'is long' : `has ${steps.length} steps`;
  const words = `This plan ${size} and does not fit here. Read all of it to approve it.`;
  return rich([line(bold(words))], 'not_whole');
}

/** Who may approve; empty if the rules have changed since the revision, which then cannot be approved. */
function whoBlock({ sealed }: Revision, { policy, manifests, progress }: CardView): Block[] {
  if (policy === undefined || !isUnderPolicy(sealed, manifests, policy)) return [];
  const rows = whoMay(sealed, manifests, policy, new Date(sealed.createdAt));
  return [rich([lines([...rows, ...progressRows(progress)])], 'who')];
}

/** Nobody may approve it at any time: where rules have hours, somebody may later. */
function isClosedToAll({ sealed }: Revision, { policy, manifests }: CardView): boolean {
  if (policy === undefined || !isUnderPolicy(sealed, manifests, policy)) return false;
  if (policy.rules.some(({ hours }) => hours !== null)) return false;
  return closedToAll(rulingsOf(sealed, manifests, policy, new Date(sealed.createdAt))) !== null;
}

function fallback({ sealed }: Revision, { steps, facts }: Seen, state: CardState): string {
  const { summary } = sealed.plan;
  if (state.kind !== 'proposed') return fallbackText(`Plan ${state.kind}: ${summary}`);
  if (facts?.prospect === 'unclear') return fallbackText(`Can’t be approved yet: ${summary}`);
  const now = facts === null ? '' : factsLine(steps, facts);
  return fallbackText(`Plan to approve: ${summary}${now === '' ? '' : `. ${now}`}`);
}
