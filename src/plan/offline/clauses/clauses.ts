import { changesIn, isTail } from '../change/readings.ts';
import { readsOf, worth } from '../frames/reads.ts';
import { isTold, toldIn } from '../frames/told.ts';
import type { Place } from '../steps/memory.ts';
import { is, isAll, isAlone, isBound, isEmpty, lowAt, range, saysIn, type Text } from '../words/text.ts';
import { type Clause, clauseCost, type Draft, has } from './clause.ts';
import { conditionsIn } from './conditions.ts';
import { forbids } from './denials.ts';
import { leadOf } from './lead.ts';
import { goingOn, ordersIn } from './order-readings.ts';
import { remarks, reports, topics } from './statements.ts';

function readings(text: Text, span: readonly number[]): Extract<Draft, { kind: 'read' }>[] {
  return readsOf(text, span, 'list')
    .slice(0, 3)
    .map((frame) => ({ kind: 'read', frame, left: frame.left, score: worth(frame) - clauseCost }));
}

/** "should we page ops?", "who approved the last page": nothing is ordered. */
function wantsToKnow(text: Text, from: number, to: number): boolean {
  const sentence = range(0, from).findLast((index) => is(text, index, 'question ends')) ?? -1;
  if (saysIn(text, range(sentence + 1, to), 'pondering')) return true;
  const begun =
    range(0, from).findLast((index) => is(text, index, 'mark', 'condition', 'compare', 'until')) ?? -1;
  const starts = is(text, begun, 'if', 'unless') ? [from] : [from, begun + 1];
  return starts.some((start) =>
    is(text, range(start, to).find((index) => !is(text, index, 'mark')) ?? start, 'asks whether'),
  );
}

/** An order that is worth less begins with no verb. */
const unlikely = -10;

/** "list those", "show me them": what was looked up, and no look-up of its own. */
function listings(text: Text, span: readonly number[]): Draft[] {
  const says = (...tags: readonly string[]): boolean => saysIn(text, span, ...tags);
  const isListing =
    isAll(text, span, 'verb list', 'wantsBack', 'pronoun thing') &&
    says('verb list', 'wantsBack') &&
    says('pronoun thing');
  return isListing ? [{ kind: 'listing', left: [], score: span.length - clauseCost }] : [];
}

function draftsFor(text: Text, span: readonly number[], asked: boolean, place: Place): Draft[] {
  if (text.plan !== null) return changesIn(text, span, asked);
  // What is said to somebody is looked up nowhere.
  if (toldIn(text).some((told) => span.includes(told.from))) return ordersIn(text, span);
  const drafts = conditionsIn(text, span, asked);
  if (asked) return drafts;
  drafts.unshift(...forbids(text, span), ...reports(text, span), ...listings(text, span));
  const about = topics(text, span, place.to);
  // "PAY-3: …" and "incident 12 is fixed, …" show nothing.
  const announces =
    is(text, place.to - 1, 'becoming') ||
    about.some((one) => one.kind === 'topic' && (one.words !== '' || lowAt(text, place.to - 1) === ':'));
  if (!wantsToKnow(text, place.from, place.to)) drafts.push(...ordersIn(text, span), ...goingOn(text, span));
  drafts.push(
    ...readings(text, span).filter(({ frame }) => !announces || frame.verb || frame.noun),
    ...about,
  );
  const said = remarks(text, span, place);
  // "we had a deploy at 14:10.": what is told asks for nothing.
  const tells =
    is(text, span[0] ?? place.from, 'noticing') ||
    (is(text, place.from, 'teller') && is(text, place.from + 1, 'saying'));
  if (tells && said.some((one) => one.kind === 'remark' && one.isStated)) return said;
  const isPoor = ({ left, score }: Draft): boolean => left.length > 0 || score < unlikely;
  return drafts.every(isPoor) ? [...drafts, ...said] : drafts;
}

/** What a condition stands behind. */
const asking = ['if', 'unless', 'regardless'];

/** A condition without "if" is one where it is asked or leads on; at the end of a request it decides nothing. */
function fitting(draft: Draft, text: Text, clause: Pick<Clause, 'from' | 'to' | 'lead'>): number {
  const { from, to } = clause;
  const leadsOn = is(text, to - 1, 'leadsTo');
  if (draft.kind === 'read' && isAlone(text, from, 'exists') && leadsOn) return -2;
  // "create a ticket …, with priority P2": what stands last says more of the order.
  if (draft.kind === 'condition' && lowAt(text, from) === 'with' && to === text.words.length) return -3;
  if (text.plan !== null || draft.kind !== 'condition' || has(clause, ...asking)) return 0;
  const says = (what: string): boolean => draft.tests.every(({ kind }) => kind === what);
  const last = to === text.words.length;
  if (says('versus') || (last && text.watched && isBound(text, from))) return 0;
  if (is(text, from, 'wanting')) return -3;
  if (lowAt(text, to - 1) === '?' && !last) return 1;
  const joins = has(clause, 'and', 'or');
  // Behind an "if" a condition goes on with "and", "or" or "but".
  const goesOn = (joins || has(clause, 'but')) && saysIn(text, range(0, from), 'if', 'unless');
  // "which P1s are unassigned and older than 4h": all of it says which.
  if (joins && !goesOn && says('minutes')) return -20;
  // "KYC-61 is finished, …", "1182 is over. …" states something; a state is asked, or leads on with a mark.
  const isNamed = draft.subject !== null || is(text, from, 'teller');
  const states = isNamed && (says('state') || says('over'));
  if (states && !leadsOn && !goesOn) return -3;
  if (!last || joins || goesOn) return 0;
  if (says('exists')) return -3;
  return saysIn(text, range(from, from + 4), 'asking') ? -1.5 : -20;
}

/** The readings of the words between two boundaries, each with what it leaves unexplained. */
export function clausesOf(text: Text, from: number, to: number): Clause[] {
  const { lead, start } = leadOf(text, from, to);
  let end = to;
  // "… at 22:00 and | also post it": what joins the next clause is no part of this one.
  const isOver = (index: number): boolean =>
    (is(text, index, 'mark') && lowAt(text, index) !== '+') ||
    (end < text.words.length && lowAt(text, index) === 'and');
  while (end > start && isOver(end - 1) && !isTold(text, end - 1)) end -= 1;
  // "post it to #ops instead", "page payments too": in a change no words of a text.
  if (text.plan !== null) end = range(start + 1, end).find((at) => isTail(text, at)) ?? end;
  // "post it either way": whatever came of the condition before, as in front.
  const always = range(start + 1, end).find((at) => is(text, at, 'always')) ?? end;
  if (always < end) {
    lead.add('always');
    end = always;
  }
  const span = range(start, end);
  const common = { lead, from, to };
  const asked = has(common, ...asking);
  if (isEmpty(text, span)) {
    const isMark = has(common, 'so', 'else');
    const score = isMark ? start - from : asked ? -6 : 0;
    return [{ kind: isMark ? 'mark' : 'empty', ...common, left: [], score }];
  }
  const drafts = draftsFor(text, span, asked && !(text.plan && lead.has('ifFirst')), common);
  // What cannot be read at all is asked about beside what can.
  const left = span.filter((index) => !is(text, index, 'empty'));
  if (drafts.length === 0) return [{ kind: 'empty', ...common, left, score: -2 - 2 * left.length }];
  return drafts.map((draft) => ({
    ...draft,
    ...common,
    score: draft.score + Math.min(start - from, 1) + fitting(draft, text, common),
  }));
}
