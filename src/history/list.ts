import { sizeOf } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button } from '../blocks/layout.ts';
import type { Block } from '../blocks/message.ts';
import { bold, bullets, code, line, lines, link, person, rich, type Span, time } from '../blocks/rich.ts';
import { shortDigest } from '../core/canonical.ts';
import { cut, cutWords, oneLine } from '../core/clean-text.ts';
import type { Revision, RevisionState } from '../core/revision.ts';
import type { RunOutcome } from '../core/run.ts';
import { outcomeTitles } from '../report/progress.ts';
import { stopButton } from '../report/run-buttons.ts';

/** Wording of plan lists, in answers and in the App Home. */

/** The state of a plan. Times are ISO 8601. */
export type PlanState =
  | { readonly kind: 'waiting'; readonly until: string }
  | { readonly kind: 'running'; readonly since: string }
  | { readonly kind: 'ended'; readonly outcome: RunOutcome; readonly at: string }
  | {
      readonly kind: 'rejected' | 'expired' | 'cancelled' | 'superseded';
      readonly by: string | null;
      readonly at: string;
    };

/** A stored plan with its last run. */
interface Stored {
  readonly state: RevisionState;
  readonly expiresAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  /** Null until its run has ended. */
  readonly outcome: RunOutcome | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export function planStateOf({
  state,
  expiresAt,
  decidedBy,
  decidedAt,
  outcome,
  startedAt,
  finishedAt,
}: Stored): PlanState {
  const at = (decidedAt ?? expiresAt).toISOString();
  if (state === 'proposed') return { kind: 'waiting', until: expiresAt.toISOString() };
  // Its reads were all it needed.
  if (state === 'answered') return { kind: 'ended', outcome: outcome ?? 'done', at };
  if (state !== 'approved') return { kind: state, by: decidedBy, at };
  if (outcome === null)
    return { kind: 'running', since: (startedAt ?? decidedAt ?? expiresAt).toISOString() };
  return { kind: 'ended', outcome, at: (finishedAt ?? startedAt ?? expiresAt).toISOString() };
}

/** A plan with the channel of its request. */
export interface Listed {
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  /** The newest revision of its request, or one that ran; null if the stored plan is damaged. */
  readonly revision: Revision | null;
  readonly channel: string;
  readonly requester: string;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly state: PlanState;
  /** Where its card is; null where there is none. */
  readonly card: { readonly channel: string; readonly ts: string } | null;
  /** Address of its card, or null. Fetched only when it is shown. */
  link(): Promise<string | null>;
}

/** Shown in a list for a plan whose row was tampered with. */
export const damagedPlan = 'Damaged: what is stored of this plan was changed, so it cannot run';

/** A plan as one line. */
export interface Line {
  readonly digest: string;
  readonly summary: string;
  readonly requester: string;
  readonly state: PlanState;
  /** Address of the card from Slack, if there is one. */
  readonly link: string | null;
}

/** `asked`: include the requester. */
export function planLine(of: Line, { asked }: { asked: boolean }): ReturnType<typeof line> {
  const title = cut(oneLine(of.summary), 120);
  const who: Span[] = asked ? [' · ', ...requesterWords(of.requester)] : [];
  return line(
    ...planStateWords(of.state),
    ' · ',
    of.link === null ? title : link(of.link, title),
    ...(isAwaited(of) ? [' · its card follows'] : []),
    ...who,
    ' · ',
    code(shortDigest(of.digest)),
  );
}

/** A card that is not there, or was deleted, is on its way while its plan waits. */
export function isAwaited({ link: address, state }: Pick<Line, 'link' | 'state'>): boolean {
  return address === null && state.kind === 'waiting';
}

export function requesterWords(requester: string): Span[] {
  const [, kind, name] = /^(schedule|alert|agent):(.*)$/s.exec(requester) ?? [];
  if (kind === undefined) return ['asked by ', person(requester)];
  if (kind === 'agent') return [`proposed by the agent “${name}”`];
  return [kind === 'alert' ? `by the alert rule “${name}”` : `by the schedule “${name}”`];
}

const words = {
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
  superseded: 'Replaced',
} as const;

export function planStateWords(state: PlanState): Span[] {
  if (state.kind === 'waiting') return [bold('Waiting'), ' until ', time(state.until)];
  if (state.kind === 'running') return [bold('Running'), ' since ', time(state.since)];
  if (state.kind === 'ended') return [bold(outcomeTitles[state.outcome]), ', ', time(state.at)];
  const by: Span[] = state.by === null || state.by === 'system' ? [] : [' by ', person(state.by)];
  return [bold(words[state.kind]), ...by, ', ', time(state.at)];
}

/** Card addresses are fetched only where they are shown. */
export function linesOf(all: readonly Listed[]): Promise<Line[]> {
  return Promise.all(
    all.map(async ({ revision, digest, requester, state, link: linkOf }) => ({
      ...{ requester, state, digest },
      summary: revision?.sealed.plan.summary ?? damagedPlan,
      link: await linkOf(),
    })),
  );
}

/** The first `max` plans as a list. `asked`: include the requester. */
export async function planSection(
  title: string,
  all: readonly Listed[],
  { none, max, asked = true }: { none: string; max: number; asked?: boolean },
): Promise<Section> {
  const shown = await linesOf(all.slice(0, max));
  return { title, items: shown.map((one) => planLine(one, { asked })), none, count: all.length };
}

/** A list under its title, or the wording for an empty one. */
function section({ title, items, none, count, isCut }: Section, kept: number): Block {
  if (items.length === 0)
    return rich([
      lines([[bold(title)], [isCut ? 'None of those that were looked at, and there may be more.' : none]]),
    ]);
  const more = count - kept;
  const rest = isCut ? atLeast(more) : more > 0 ? `and ${more} more` : null;
  return rich([line(bold(title)), bullets(items.slice(0, kept)), ...(rest === null ? [] : [line(rest)])]);
}

function atLeast(more: number): string {
  return more > 0 ? `and at least ${more} more` : 'and perhaps more';
}

/** Lines under a title, possibly only some of them; `none` is the wording for an empty list. */
export interface Section {
  readonly title: string;
  readonly items: readonly ReturnType<typeof line>[];
  readonly none: string;
  readonly count: number;
  /** There may be more than were counted. */
  readonly isCut?: boolean;
}

/** Maximum JSON characters for blocks; the rest of Slack's limit is a margin. */
export const messageRoom = 12_800;

/**
 * Sections by importance, between other blocks. If they do not all fit, the last ones are shortened first, down to three
 * lines and then to one.
 */
export function fittedSections(
  sections: readonly Section[],
  { head = [], tail = [] }: { readonly head?: readonly Block[]; readonly tail?: readonly Block[] } = {},
): Block[] {
  const kept = sections.map(({ items }) => items.length);
  const blocks = (): Block[] => [
    ...head,
    ...sections.map((one, index) => section(one, kept[index] ?? 0)),
    ...tail,
  ];
  for (const least of [3, 1]) {
    for (let last = sections.length - 1; last >= 0 && sizeOf(blocks()) > messageRoom; ) {
      const lines = kept[last] ?? 0;
      if (lines > least) kept[last] = lines - 1;
      else last -= 1;
    }
  }
  return blocks();
}

/** A button for older entries. `value` comes back with the click. */
export function olderButton(value: string): Block {
  return actions([button({ text: 'Older', action: actionIds.older, value })], 'older');
}

/** More would be a wall of buttons; each is on its card, too. */
const maxCancels = 5;
/** Slack's limit for the text of a button. */
const maxLabel = 75;

/** For the person's own plans that wait. */
export function cancelButtons(viewer: string, all: readonly Listed[]): Block[] {
  return all
    .filter((one) => one.requester === viewer && one.state.kind === 'waiting')
    .slice(0, maxCancels)
    .map((one, nth) => {
      const title = one.revision?.sealed.plan.summary ?? damagedPlan;
      return stopButton(one, `cancel_${nth}`, { text: cutWords(oneLine(`Cancel: ${title}`), maxLabel) });
    });
}
