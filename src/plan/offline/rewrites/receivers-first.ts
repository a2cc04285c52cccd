import { startsWrite } from '../words/grammar.ts';
import { isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { type Rewrite, startsOrder } from './rewrite.ts';

/** Whoever is told, at the start of an order: a channel, a person, a service's on-call, "its on-call". */
function receiverAt(tokens: readonly Token[], index: number): { end: number; put: Token[] } | null {
  let at = index;
  while (/^(the|a|its|their|our|whoever)$/.test(tokens[at]?.word ?? '')) at += 1;
  const token = tokens[at];
  if (isReceiver(token)) return at === index ? listAt(tokens, at) : null;
  if (token?.kind === 'service') {
    const oncall = tokens[at + 1];
    return oncall?.word === 'on-call' ? { end: at + 2, put: [token, oncall] } : { end: at + 1, put: [token] };
  }
  if (token?.word !== 'on-call' || token.kind !== 'word') return null;
  const service = /^(for|of)$/.test(tokens[at + 1]?.word ?? '') ? tokens[at + 2] : undefined;
  return service?.kind === 'service' ? { end: at + 3, put: [token, service] } : { end: at + 1, put: [token] };
}

/** "@bo and #ops both": several receivers next to each other. */
export function listAt(tokens: readonly Token[], index: number): { end: number; put: Token[] } {
  const put: Token[] = [];
  let at = index;
  for (
    let token = tokens[at];
    token && (isReceiver(token) || (/^(and|,)$/.test(token.word) && isReceiver(tokens[at + 1])));
    token = tokens[at]
  ) {
    put.push(token);
    at += 1;
  }
  return { end: at, put };
}

const modal =
  /^(should|must|to|will|shall|has|can|could|please|also|then|now|just|only|is|are|be|being|really|each|both|needs|need|wants|want|gets|get|getting|got|receive|receives|have|had|would|like|see)$/;

const woken = /^(paged|woken|called|rung|page|pinged out of bed)$/;

const informed =
  /^(hear|know|learn|told|informed|notified|alerted|pinged|messaged|warned|updated|dm'd|dmed|nudged|tell|notify)$/;

const given =
  /^(a|an|the|its|all|this|that|these|those|it|them|what|whatever|our|how many|every|everything)$/;

/** What is said behind the receiver: that it is paged, that it is told, or what it is given. */
function verbBehind(
  tokens: readonly Token[],
  from: number,
): { verb: 'page' | 'tell' | 'post'; end: number } | null {
  let at = from;
  while (modal.test(tokens[at]?.raw.toLowerCase() ?? '')) at += 1;
  const modals = tokens.slice(from, at).map((token) => token.raw.toLowerCase());
  if (modals.length === 0) return null;
  const next = tokens[at];
  const raw = next?.raw.toLowerCase() ?? '';
  const passive = modals.some((text) => /^(be|get|gets|getting|is|are|being|got)$/.test(text));
  if (woken.test(raw) && passive) return { verb: 'page', end: at + 1 };
  if (informed.test(raw)) {
    const about =
      /^(about|of)$/.test(tokens[at + 1]?.word ?? '') && /^(it|this|that)$/.test(tokens[at + 2]?.word ?? '');
    return { verb: 'tell', end: about ? at + 3 : at + 1 };
  }
  const gives = modals.some((text) =>
    /^(gets|get|needs|need|wants|want|receive|receives|have|see|like)$/.test(text),
  );
  const paged =
    /^(page|wake-up call|call)$/.test(tokens[at + 1]?.word ?? '') &&
    /^(page|call)$/i.test(tokens[at + 1]?.raw ?? '');
  if (gives && /^(a|the)$/.test(next?.word ?? '') && paged) return { verb: 'page', end: at + 2 };
  const thing =
    next !== undefined &&
    (given.test(next.word) ||
      /^(list|count|summary|link|result|which|who)$/.test(next.word) ||
      /^(project|priority|number|quote)$/.test(next.kind));
  return gives && thing ? { verb: 'post', end: at } : null;
}

/** Behind an `if` that has no order yet: "once PAY is past 40 tickets @bo gets a message". */
function inCondition(tokens: readonly Token[], index: number): boolean {
  const start =
    tokens.findLastIndex(
      (token, at) => at < index && token.kind === 'mark' && /^[;.?!,:]$/.test(token.word),
    ) + 1;
  const before = tokens.slice(start, index);
  return (
    before.some((token) => token.word === 'if' && token.kind === 'word') &&
    !before.some((_, at) => startsWrite(before, at))
  );
}

/** "#ops wants the list", "its on-call gets paged", "@bo should hear about it": whoever is told stands first. */
export const receiverFirst: Rewrite = (tokens, index) => {
  const begins = startsOrder(tokens[index - 1]) || (isReceiver(tokens[index]) && inCondition(tokens, index));
  const receiver = begins ? receiverAt(tokens, index) : null;
  const found = receiver && verbBehind(tokens, receiver.end);
  const like = tokens[index];
  if (!receiver || !found || !like) return null;
  const service = !receiver.put.some(isReceiver);
  if (found.verb === 'page' && !service)
    return { put: [word('tell', like), ...receiver.put], used: found.end - index };
  if (found.verb === 'post' && service && !receiver.put.some((token) => token.word === 'on-call'))
    return null;
  return { put: [word(found.verb, like), ...receiver.put], used: found.end - index };
};

/** "make @bo aware": nothing is created. */
export const madeAware: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const receiver = /^(make|keep)s?$/i.test(token?.raw ?? '') ? receiverAt(tokens, index + 1) : null;
  const aware = receiver && /^(aware|informed|posted|updated)$/i.test(tokens[receiver.end]?.raw ?? '');
  return token && receiver && aware
    ? { put: [word('tell', token), ...receiver.put], used: receiver.end - index + 1 }
    : null;
};

/** "I want #ops to hear about it": the wish adds nothing to the order. */
export const wished: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const found = token?.kind === 'word' && token.word === 'show' ? receiverFirst(tokens, index + 1) : null;
  return found ? { put: found.put, used: found.used + 1 } : null;
};

/** "Blocked gets payout-worker paged", "get its on-call out of bed": whom, between two words of one verb. */
export const wokenUp: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(get|gets|have|has|drag|haul|pull)$/i.test(token.raw)) return null;
  const receiver = receiverAt(tokens, index + 1);
  if (!receiver || receiver.put.some(isReceiver)) return null;
  const raw = tokens.slice(receiver.end, receiver.end + 3).map((other) => other.raw.toLowerCase());
  const bed = raw.join(' ').match(/^(?:out of bed|out of|up)/) && /\bbed\b|^up\b/.test(raw.join(' '));
  const used = woken.test(raw[0] ?? '') ? 1 : bed ? raw.findIndex((text) => /^(bed|up)$/.test(text)) + 1 : 0;
  return used > 0 ? { put: [word('page', token), ...receiver.put], used: receiver.end + used - index } : null;
};

/** "auth paged, and the link sent to @bo": what shall have been done. */
export const havingDone: Rewrite = (tokens, index) => {
  const like = tokens[index];
  if (!like || !startsOrder(tokens[index - 1])) return null;
  const receiver = receiverAt(tokens, index);
  const raw = (at: number): string => tokens[at]?.raw.toLowerCase() ?? '';
  if (receiver && !receiver.put.some(isReceiver) && /^(paged|woken)$/.test(raw(receiver.end)))
    return { put: [word('page', like), ...receiver.put], used: receiver.end - index + 1 };
  const sent = tokens
    .slice(index, index + 6)
    .findIndex((_, place) => /^(sent|posted|shared|forwarded|announced)$/.test(raw(index + place)));
  const thing = tokens.slice(index, index + Math.max(sent, 0));
  const at = index + sent;
  const fits =
    thing.some((token) => /^(link|ticket|list|summary|result|count)$/.test(token.word)) &&
    /^(to|in|into)$/.test(tokens[at + 1]?.word ?? '');
  return sent > 0 && fits && isReceiver(tokens[at + 2])
    ? { put: [word('post', like), ...thing], used: sent + 1 }
    : null;
};

/** "@jonas Bescheid geben", "den Dienst von auth alarmieren": German puts the verb behind. */
export const verbLast: Rewrite = (tokens, index) => {
  const receiver = receiverAt(tokens, index);
  const verb = receiver ? tokens[receiver.end] : undefined;
  const said =
    /^(?:bescheid geben|informieren|benachrichtigen|alarmieren|anpiepsen|wecken|anpingen|pagen|schreiben)$/i.test(
      verb?.raw ?? '',
    );
  return receiver && verb && said ? { put: [verb, ...receiver.put], used: receiver.end - index + 1 } : null;
};

/** "VER-12 kommentieren", "OPS-3 schließen": the same for tickets. */
export const ticketVerbLast: Rewrite = (tokens, index) => {
  const key = tokens[index];
  const verb = tokens[index + 1];
  const said = /^(?:kommentieren|schließen|schliessen|wieder öffnen)$/i.test(verb?.raw ?? '');
  if (key?.kind !== 'key' || !verb || !said) return null;
  const comments = /^komm/i.test(verb.raw);
  return {
    put: [word(comments ? 'comment' : 'close', verb), ...(comments ? [word('on', verb)] : []), key],
    used: 2,
  };
};

export const told: Readonly<Record<string, string>> = {
  tell: 'tell',
  told: 'tell',
  informed: 'tell',
  notified: 'tell',
  alerted: 'tell',
  messaged: 'tell',
  pinged: 'tell',
  notify: 'tell',
  page: 'page',
  paged: 'page',
  woken: 'page',
};

/** "@tomasz to be told", "ops-api should be paged": an order in the passive voice. */
export const passive: Rewrite = (tokens, index) => {
  const wish = /^(show|please)$/.test(tokens[index]?.word ?? '') && tokens[index]?.kind === 'word';
  const target = tokens[wish ? index + 1 : index];
  if (!target || !/^(channel|user|service)$/.test(target.kind)) return null;
  const first = wish ? index + 2 : index + 1;
  let at = first;
  while (
    /^(to|should|must|has|needs|is|are|will|shall|on-call|please|also|the)$/.test(tokens[at]?.word ?? '')
  )
    at += 1;
  const has = /^(have|get|has)$/.test(tokens[index - 1]?.raw.toLowerCase() ?? '') && at === first;
  if (has) at -= 1;
  const verb = has || tokens[at]?.word === 'be' ? told[tokens[at + 1]?.raw.toLowerCase() ?? ''] : undefined;
  if (verb === undefined || (at === first && !has)) return null;
  const fits = verb === 'page' ? target.kind === 'service' : true;
  return fits
    ? { put: [word(target.kind === 'service' ? 'page' : verb, target), target], used: at - index + 2 }
    : null;
};
