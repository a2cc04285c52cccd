import { isBreak } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { inOrder, partEnd } from './backwards.ts';
import {
  anythingElse,
  aside,
  auxiliary,
  beyondThat,
  isWhen,
  makesNumber,
  onlyThen,
  otherwiseTo,
  skipped,
} from './branches-said.ts';
import { andAbove, bounded, nextTo, pastNumber, sideBySide, upwards } from './comparisons-said.ts';
import {
  checkedFirst,
  each,
  finished,
  hits,
  inAddition,
  onlyWithout,
  reached,
  toldIf,
  whoIf,
  withCondition,
} from './conditions-said.ts';
import {
  asleep,
  denial,
  idle,
  keptOut,
  nothing,
  nothingElse,
  notPager,
  offLimits,
  unneeded,
} from './denials.ts';
import { givenPage, givenWord, letHave, politelyTold } from './given-to.ts';
import {
  alsoShows,
  askedOf,
  doubled,
  loggedAs,
  noteTo,
  numbered,
  onDuty,
  taken,
  ticketHolder,
  whereFound,
} from './orders-said.ts';
import {
  bracketed,
  goesOn,
  pageMessage,
  pageText,
  pasted,
  pointedQuote,
  quoteFirst,
  reportedFirst,
  saidFirst,
} from './quotes-said.ts';
import {
  allowedTime,
  heldThere,
  outOfOrder,
  pagedNoun,
  placeBehind,
  runbookFor,
  subjectNoun,
} from './reads-said.ts';
import {
  havingDone,
  madeAware,
  passive,
  receiverFirst,
  ticketVerbLast,
  verbLast,
  wished,
  wokenUp,
} from './receivers-first.ts';
import type { Rewrite } from './rewrite.ts';
import { condensed, enough, headed, intoNote, oneSummary, summaryFor, summedUp } from './summaries-said.ts';
import { corrected, withoutTakenBack } from './taken-back.ts';
import { changedFirst, commentFirst, moved, ticketFirst, written } from './targets-first.ts';
import { linked, placeFirst, thingGoes, thingReaches, verbless, writesTo } from './things-first.ts';
import { askedOn, describedFirst, pointedMove } from './tickets-pointed.ts';
import {
  alongside,
  anythingNew,
  havingClosed,
  labelled,
  namedTicket,
  openOne,
  participle,
  projectNeeds,
  soughtRunbook,
  spelledKey,
  summaryTitle,
  wanted,
} from './tickets-said.ts';

const rewrites: readonly Rewrite[] = [
  numbered,
  corrected,
  headed,
  anythingElse,
  anythingNew,
  allowedTime,
  auxiliary,
  havingClosed,
  isWhen,
  makesNumber,
  summaryTitle,
  ticketHolder,
  pageMessage,
  otherwiseTo,
  noteTo,
  outOfOrder,
  pastNumber,
  inAddition,
  pageText,
  keptOut,
  thingReaches,
  givenPage,
  describedFirst,
  pasted,
  bracketed,
  reportedFirst,
  pagedNoun,
  ticketVerbLast,
  summedUp,
  enough,
  runbookFor,
  notPager,
  askedOn,
  onDuty,
  pointedMove,
  subjectNoun,
  whereFound,
  oneSummary,
  pointedQuote,
  politelyTold,
  placeBehind,
  changedFirst,
  commentFirst,
  placeFirst,
  saidFirst,
  ticketFirst,
  upwards,
  andAbove,
  goesOn,
  openOne,
  projectNeeds,
  hits,
  writesTo,
  heldThere,
  linked,
  loggedAs,
  taken,
  reached,
  aside,
  bounded,
  written,
  nothing,
  nothingElse,
  toldIf,
  denial,
  wanted,
  idle,
  condensed,
  sideBySide,
  intoNote,
  offLimits,
  unneeded,
  each,
  askedOf,
  alsoShows,
  soughtRunbook,
  spelledKey,
  participle,
  withCondition,
  onlyThen,
  onlyWithout,
  checkedFirst,
  skipped,
  asleep,
  beyondThat,
  nextTo,
  labelled,
  finished,
  namedTicket,
  doubled,
  givenWord,
  letHave,
  passive,
  havingDone,
  madeAware,
  verbLast,
  summaryFor,
  whoIf,
  wished,
  receiverFirst,
  wokenUp,
  quoteFirst,
  thingGoes,
  verbless,
  alongside,
  moved,
];

/** "splunk: if …": where to look, in front of a condition, belongs into it. */
function withPlace(tokens: readonly Token[]): Token[] {
  const out = [...tokens];
  const colon = out.findIndex((token) => token.kind === 'mark' && token.word === ':');
  const two =
    colon > 2 &&
    out
      .slice(0, colon)
      .every((token) => /^(compare|splunk|kql|and|in|both|please|vs|with|check)$/.test(token.word));
  if (two)
    return [
      ...out.slice(colon + 1, partEnd(out, colon, /^[,;.?!]$/)),
      ...out.slice(0, colon).filter((token) => token.word !== 'compare'),
      ...out.slice(partEnd(out, colon, /^[,;.?!]$/)),
    ];
  const at = out.findIndex((token) => token.word === 'if' && token.kind === 'word');
  const place = out.slice(0, at).filter((token) => !isBreak(token));
  const system = place.every(
    (token) =>
      token.kind === 'duration' ||
      (token.kind === 'word' && /^(kql|splunk|sql|log|in|from|per|via|please|the|last)$/.test(token.word)),
  );
  const first = out[at];
  return at > 0 && first && place.length > 0 && system ? [first, ...place, ...out.slice(at + 1)] : out;
}

/** Brings orders that are said backwards, in the passive voice or without a verb to the form "verb target". */
export function rearrange(words: readonly Token[]): Token[] {
  const tokens = withoutTakenBack(words);
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (!token) break;
    const found = rewrites.map((rewrite) => rewrite(tokens, index)).find((result) => result !== null);
    const paged = found?.put[0]?.word === 'page' && found.put[0].start === found.put[0].end;
    while (paged && /^(for|the|on-call|of)$/.test(out.at(-1)?.word ?? '')) out.pop();
    out.push(...(found ? found.put : [token]));
    index += found ? found.used : 1;
  }
  return inOrder(withPlace(out));
}
