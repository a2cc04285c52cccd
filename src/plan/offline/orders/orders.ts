import type { Work } from '../draft/work.ts';
import { startsWrite, verbAt } from '../words/grammar.ts';
import { lineOf, ofKind, type Token } from '../words/token.ts';
import { writeCreate } from '../writes/jira.ts';
import { literalText } from '../writes/messages.ts';
import { writeIncident, writeNote, writePage } from '../writes/pagerduty.ts';
import { add, noteOrComment, notify } from './message.ts';
import { readOrderOf } from './read.ts';
import { assigns, change } from './ticket.ts';

type Handler = (tokens: readonly Token[], work: Work, verb: string, line: string) => void;

const tell: Handler = (tokens, work, verb, line) => notify(tokens, verb, line, work);
const annotate: Handler = (tokens, work, _verb, line) => noteOrComment(tokens, line, work);
const alter: Handler = (tokens, work, verb, line) => change(tokens, verb, line, work);

/** "ask X to check Y": what stands behind "to" is the message. */
const put: Handler = (tokens, work, verb, line) => {
  const said = tokens.map((token) =>
    token.kind === 'word' && /^(to|if)$/.test(token.word) ? { ...token, word: 'saying' } : token,
  );
  notify(said, verb, line, work);
};

/** "create" makes tickets, but also pages, incidents (which are pages) and summaries. */
const create: Handler = (tokens, work, _verb, line) => {
  // "new bug for POS …, please create": said twice.
  const again =
    /^(?:please )*create(?: (?:it|that|please))*$/.test(line) && work.steps.at(-1)?.tool === 'jira.create';
  if (again) return;
  // "make PAY-12 a P2", "make WEB-7 done": a change of a ticket that is there.
  if (
    /^make$/i.test(tokens.find((token) => token.word === 'create')?.raw ?? '') &&
    /\bcreate §key/.test(line)
  ) {
    change(tokens, 'move', line.replace('create', 'move'), work);
    return;
  }
  const placed =
    /§prio\d+ (?:in §proj|for|about|on)\b|§prio\d+ in §proj/.test(line) &&
    !/\bincidents?\b/i.test(tokens.map((token) => token.raw).join(' '));
  const incident = /\bincident\b/.test(line) && !/\bticket\b/.test(line) && !placed;
  const pages =
    /^(?:\S+ )*?create (?:(?:a|an|the|high|low|new|urgent|high urgency|low urgency|pagerduty) )*page\b/.test(
      line,
    );
  if (pages || (incident && !/\bsummary\b/.test(line))) writePage(tokens, work);
  else if (/\bsummary\b/.test(line)) readOrderOf(tokens, 'summarize', work);
  else if (
    /\b(list|count|runbook|on-call)\b/.test(line) &&
    !/\b(ticket|bug|story|task|epic|titled)\b|§quote/.test(line)
  )
    readOrderOf(tokens, 'list', work);
  else writeCreate(tokens, work);
};

const other: Handler = (tokens, work, verb, line) => {
  if (assigns(tokens, work) || urges(line, work)) return;
  const isNew = verb === '' && /^(?:(?:a|please) )*new\b/.test(line);
  const inside = verb === '' ? reportedAt(tokens) : -1;
  if (inside > 0) orderOf(tokens.slice(inside), work);
  else if (
    verb === 'show' &&
    /\b(update|heads-up|notice|shout|message)\b/.test(
      tokens.map((token) => token.raw.toLowerCase()).join(' '),
    ) &&
    !/\b(ticket|incident|log)\b/.test(line)
  )
    notify(tokens, 'tell', line, work);
  else if (isNew && (/\b(titled|about|for|:)|§quote/.test(line) || namesOne(tokens)))
    writeCreate(tokens, work);
  else readOrderOf(tokens, verb, work);
};

/** "Page auth. High urgency.": a slot of the page that has just been asked for. */
function urges(line: string, work: Work): boolean {
  const urgency = line.match(/^(?:please )*(high|low)(?: |-)urgency(?: please)?$/)?.[1];
  const page = work.steps.at(-1);
  if (urgency === undefined || page?.tool !== 'pagerduty.page') return false;
  page.args = { ...page.args, urgency };
  return true;
}

/** "new ticket in CARR on …": one that is to be made; "new tickets in CARR" are looked for. */
function namesOne(tokens: readonly Token[]): boolean {
  const raw = tokens.map((token) => token.raw.toLowerCase()).join(' ');
  return /^(?:please |a )*new (?:p[1-5] )?(?:ticket|bug|issue|task|story|jira)\b(?!s)/.test(raw);
}

/** "my lead said to create …", "I should tell #ops": the order inside of what is told. */
function reportedAt(tokens: readonly Token[]): number {
  const at = tokens.findIndex(
    (_, index) =>
      index > 0 &&
      startsWrite(tokens, index) &&
      verbAt(tokens, index) === index &&
      /^(to|should|must|can|could|i|we|you|someone|please)$/.test(tokens[index - 1]?.word ?? ''),
  );
  const names = tokens
    .slice(0, Math.max(at, 0))
    .some((token) => /^(project|key|priority|service|quote|query|code)$/.test(token.kind));
  return names ? -1 : at;
}

const handlers: Readonly<Record<string, Handler>> = {
  page: (tokens, work) => {
    writePage(tokens, work);
  },
  notify: tell,
  tell,
  post: tell,
  let: tell,
  ask: put,
  comment: annotate,
  note: annotate,
  create,
  move: alter,
  close: alter,
  resolve: alter,
  reopen: alter,
  start: alter,
  finish: alter,
  block: alter,
  ack: (tokens, work, _verb, line) => {
    const acked = writeIncident('pagerduty.ack', tokens, work);
    const said = /\b(saying|note)\b/.test(line) && ofKind(tokens, 'quote').length > 0;
    if (acked.length > 0 && said) writeNote(tokens, work, literalText(tokens, work.goal));
  },
  add: (tokens, work, _verb, line) => add(tokens, line, work),
};

/** "page auth, not checkout, about the webhooks": who is left out, between commas. */
function withoutAside(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      token.word === ',' &&
      tokens[index + 1]?.kind === 'word' &&
      excluding.test(tokens[index + 1]?.raw ?? ''),
  );
  const next = tokens[at + 2]?.word === 'the' ? at + 3 : at + 2;
  const end = tokens[next + 1]?.word === 'on-call' ? next + 2 : next + 1;
  const thing = /^(channel|user|service|key)$/.test(tokens[next]?.kind ?? '');
  return at > 0 && thing && tokens[end]?.word === ','
    ? [...tokens.slice(0, at), ...tokens.slice(end + 1)]
    : tokens;
}

/** "tell @bo, but not #ops": who is left out is neither told nor spoken of. */
function withoutExcluded(all: readonly Token[]): readonly Token[] {
  const tokens = withoutAside(all);
  const at = tokens.findIndex((token, index) => {
    if (token.kind !== 'word' || !excluding.test(token.raw)) return false;
    let next = index + 1;
    while (/^(to|in|for|on|the)$/.test(tokens[next]?.word ?? '')) next += 1;
    return /^(channel|user|service|key)$/.test(tokens[next]?.kind ?? '') && next >= tokens.length - 2;
  });
  if (at <= 0) return tokens;
  const before = tokens.slice(0, at);
  while (/^(,|but|and)$/.test(before.at(-1)?.word ?? '')) before.pop();
  return before;
}

const excluding =
  /^(?:but )?(?:not|except|except for|excluding|without|minus|nor|never|leave out|just not|not to|not in|other than|apart from|rather than|instead of)$/i;

/** "put that number into #leads so they stop asking": why it is wanted is no part of the message. */
function withoutPurpose(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      token.raw.toLowerCase() === 'so' &&
      /^(they|we|i|he|she|people|everyone|nobody|that)$/.test(tokens[index + 1]?.raw.toLowerCase() ?? ''),
  );
  const head = tokens.slice(0, Math.max(at, 0));
  const points = head.some((token) =>
    /^(that|it|result|count|list|summary|this|them|link)$/.test(token.word),
  );
  const told = head.some((token) => token.kind === 'quote' || token.word === ':' || token.word === 'saying');
  const sent = head.some((token) => /^(channel|user|key|id)$/.test(token.kind));
  return sent && points && !told ? head : tokens;
}

/** Carries out one order: adds its steps to the plan, or notes what is missing. */
export function orderOf(all: readonly Token[], work: Work): void {
  const tokens = withoutExcluded(withoutPurpose(all));
  const at = verbAt(tokens, 0);
  const verb = at >= 0 ? (tokens[at]?.word ?? '') : '';
  const handler = handlers[verb] ?? other;
  handler(tokens, work, verb, lineOf(tokens));
}
