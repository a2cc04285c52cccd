import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import { isSaid, linked } from '../blocks/links.ts';
import type { Block, Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, codeLink, italic, lines, link, person, rich, type Span } from '../blocks/rich.ts';
import { shownTable } from '../blocks/table.ts';
import { cutWords, oneLine } from '../core/clean-text.ts';
import type { Sealed } from '../core/revision.ts';
import { type Approval, isCorrectable, type StepResult } from '../core/run.ts';
import { capital } from '../core/step-words.ts';
import { longText } from './long-text.ts';
import {
  approvedSpans,
  details,
  onlyIf,
  outcomeWords,
  resultLinks,
  shownResult,
  type Wording,
} from './run-words.ts';

/** All wording of the thread while a run lasts: one reply per step. */

/** Maximum JSON characters of a table or list; together with the rest the message stays within Slack's limit. */
const tableRoom = 9_500;
export const titles = {
  succeeded: '✓',
  skipped: '– Skipped:',
  failed: '✗ FAILED:',
  unknown: '? UNKNOWN:',
} as const;

const advice: Partial<Record<StepResult['status'], string>> = {
  failed: 'It did not happen.',
  unknown: 'It may or may not have happened, and it will not be retried. Please check.',
};

export const onlyApproved = 'Please check. It is sent again only with another approval.';

/** A message and its fallback where Slack rejects its blocks; null when it needs none. */
export interface Reply {
  readonly message: Message;
  readonly fallback: Message | null;
}

/** One step with its evidence: numbers, query, key, link, list, or why not. `approval`: if it is shown here. */
export function stepReply(wording: Wording, result: StepResult, approval: Approval | null = null): Reply {
  const headline = outcomeWords(wording, result);
  const shown = shownResult(wording, result);
  const table = shown && shownTable(shown, { caption: capital(headline), room: tableRoom });
  const text = fallbackText(`${titles[result.status]} ${headline}`);
  const approved: Span[][] = approval === null ? [] : [approvedSpans(approval)];
  const above = [...stepRows(wording, result, headline), ...approved];
  if (table === null) {
    const body = shown === null ? { rows: [], elements: [] } : longText(shown);
    const blocks = [rich([lines([...above, ...body.rows]), ...body.elements])];
    return { message: { text, blocks }, fallback: null };
  }
  const below = shown?.manifest.shows?.prose === undefined ? [] : longText(shown).elements;
  const prose = below.length === 0 ? [] : [rich(below)];
  const withList = (list: Block, of: string | null): Message => {
    const fewer = of === null ? [] : [[italic(of)]];
    return { text, blocks: [rich([lines([...above, ...fewer])]), list, ...prose] };
  };
  return {
    message: withList(table.table, table.ofTable),
    fallback: withList(table.list, table.ofList),
  };
}

function stepRows(wording: Wording, result: StepResult, headline: string): Span[][] {
  const links = resultLinks(wording, result);
  const rows: Span[][] = [[bold(`${titles[result.status]} `), ...linked(capital(headline), links)]];
  const condition = onlyIf(wording, result.stepId);
  const byCondition = result.reason?.code === 'condition_false';
  if (byCondition && condition !== null) rows.push(['only if ', condition]);
  if (result.reason && result.status !== 'succeeded') rows.push([result.reason.message]);
  const hint = isCorrectable(result) ? onlyApproved : advice[result.status];
  if (hint !== undefined) rows.push([bold(hint)]);
  return [...rows, ...evidenceRows(wording, result, capital(headline))];
}

/** Details of a step beyond its headline: notes, its query and the like, links not shown yet. */
export function evidenceRows(wording: Wording, result: StepResult, headline: string): Span[][] {
  const links = resultLinks(wording, result);
  const facts = details(wording, result).filter(({ value }) => !headline.includes(value));
  const rows = facts.map(({ name, value }): Span[] => {
    const to = links.find((one) => one.name === value);
    const short = cutWords(oneLine(value), 300);
    return [`${name}: `, to === undefined ? code(short) : codeLink(to.url, short)];
  });
  const said = [headline, ...facts.map(({ value }) => value)];
  const unsaid = links.filter((one) => !said.some((text) => isSaid(text, one)));
  const notes = (result.notes ?? []).map((note): Span[] => [italic(note)]);
  return [...notes, ...rows, ...unsaid.map(({ url, words }): Span[] => [link(url, words)])];
}

/** The location of a changed plan: its card is in the channel, and people follow the thread of the old one. */
export function movedReply(
  { requestId, number }: Pick<Sealed, 'requestId' | 'number'>,
  isAnswer = false,
): Message {
  const newer = link(
    cardAddress(requestId, number),
    isAnswer ? 'Here is the new answer' : `Revision ${number}`,
  );
  if (isAnswer) return note([newer, '.']);
  return note([bold('This plan was changed. '), newer, ' is the card to decide on.']);
}

/** A card that expired undecided; mentions the requester. */
export function expiredReply({ requester }: Pick<Sealed, 'requester'>): Message {
  const next: Span[] = /^[UW]/.test(requester) ? [person(requester), ', ask'] : ['Ask'];
  return note([
    bold('Expired.'),
    ' Nobody decided in time, so nothing ran. ',
    ...next,
    ' again for a new card.',
  ]);
}
