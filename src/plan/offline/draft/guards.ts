import { ofKind, type Token } from '../words/token.ts';
import { toldStatement } from '../writes/messages.ts';
import { type Compare, type DraftCondition, type DraftStep, isCompare, readsOf } from './draft.ts';
import { ask, type Work } from './work.ts';

const writing = /^(slack\.|pagerduty\.(page|note|ack|resolve)|jira\.(comment|transition|create))/;

export function isWriteStep(step: DraftStep): boolean {
  return writing.test(step.tool);
}

/** What a kind of write is aimed at: two of them with "or" in between leave open which one is meant. */
const aims: readonly (readonly [RegExp, RegExp])[] = [
  [/^slack\./, /^(channel|user)$/],
  [/^pagerduty\.page$/, /^service$/],
  [/^pagerduty\./, /^(id|number)$/],
  [/^jira\.(comment|transition)$/, /^key$/],
  [/^jira\.create$/, /^(project|priority)$/],
];

/** The words of an order in front of the text that it carries, and behind a quotation. */
function headOf(tokens: readonly Token[]): readonly Token[] {
  const told = toldStatement(tokens)?.[0];
  const opening = tokens.findIndex(
    (token, index) =>
      index > 0 &&
      (token.kind === 'quote' ||
        token === told ||
        token.word === ':' ||
        (token.kind === 'word' && /^(saying|about|that|titled|because|whether|if)$/.test(token.word))),
  );
  if (opening < 0) return tokens;
  const quote = tokens.findLastIndex((token) => token.kind === 'quote');
  return [...tokens.slice(0, opening), ...(quote < 0 ? [] : tokens.slice(quote + 1))];
}

/** True for "X or Y", where both are of a kind that the write is aimed at. */
function isChoice(head: readonly Token[], step: DraftStep): boolean {
  return head.some((token, index) => {
    if (token.kind !== 'word' || !/^(or|either)$/.test(token.word)) return false;
    const before = head[index - 1]?.kind ?? '';
    const after = head[index + 1]?.kind ?? '';
    return aims.some(
      ([tool, kind]) =>
        tool.test(step.tool) && kind.test(after) && (kind.test(before) || token.word === 'either'),
    );
  });
}

/** "close A after B is done": two targets that are not listed side by side may not be meant alike. */
function isScattered(head: readonly Token[], step: DraftStep): boolean {
  const kind = /^jira\.(comment|transition)$/.test(step.tool) ? 'key' : null;
  if (kind === null) return false;
  const places = head.flatMap((token, index) => (token.kind === kind ? [index] : []));
  return places.some((place, index) => {
    const next = places[index + 1];
    if (next === undefined) return false;
    return !head
      .slice(place + 1, next)
      .every((token) =>
        /^(,|and|&|also|both|then|on|the|ticket|plus|\/|to|or|then also|oh|please|too|well|as well)$/.test(
          token.word,
        ),
      );
  });
}

/** Words that restrict an order, and that no part of a plan can express. */
const restricts =
  /\b(?:depending on|depends on|until|till|while|except(?: for)?|excluding|whichever|whoever is (?:free|closest|available)|subject to|pending|(?:right )?(?:after|before) (?:the|our|my|your|his|her|their|a|they|he|she|we|it|everyone|everybody|someone|somebody)\b(?! (?:others?|rest))|supposing|(?:and|or) (?:maybe|perhaps|possibly))\b|['’]s (?:manager|boss|supervisor|customers?)\b/;
/** Questions about an order, and reports of it: nobody asks for it to be done. */
const asksAbout =
  /^(?:and |but |so |well |hey |hi |, |please )*(?:how|why|did|didn't|does|was|were|has|have|had|should (?:i|we)|shall (?:i|we)|must (?:i|we)|do (?:i|we) (?:need|have)|who|what|when did|when will|when was|where|is it (?:ok|okay|safe|wise)|would it)\b/;
const reports =
  /^(?:and |but |so |well |, )*(?:i|we|he|she|they|someone|somebody|nobody|@[\w.-]+|§) (?:(?:have|has|had|'ve|was|were|am|are|is|will|would|did|'ll|'m) )?(?:already|just now|going to|about to|myself|not|will|won't|had to|did)\b|\bmyself\b|^(?:i|we)(?:'ll|'d| will| would have| am going to| are going to)\b(?! (?:need|like|want))|^(?:and |so |just |please )*(?:pretend|imagine|simulate|suppose|hypothetically)\b/;
const someTime =
  /\b(?:tomorrow|tonight|later(?: on| today)?|next (?:week|month|monday|tuesday|wednesday|thursday|friday)|in (?:a few|some|several|an?) (?:minutes?|hours?|days?|while)|this (?:evening|afternoon)|at (?:noon|midnight|night)|(?:on|only|every) (?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:on |at |only )?(?:weekdays|weekends)|during (?:office|business|working) hours|out of hours)\b/;
const repeats =
  /\b(?:twice|thrice|repeatedly|again and again|over and over|several times|a few times|\d+ ?(?:x|times)|two times|three times|hourly|daily|weekly|periodically|regularly)\b/;

/** The words as written; names say nothing about time or condition. */
function rawOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      /^(word|mark|number|duration|clock|user)$/.test(token.kind) ? token.raw.toLowerCase() : '§',
    )
    .join(' ');
}

/** "at 15:00", "in 10 minutes": a plan runs when it is approved. */
function isTimed(head: readonly Token[]): boolean {
  return head.some((token, index) => {
    const before = head[index - 1]?.raw.toLowerCase() ?? '';
    if (token.kind === 'clock')
      return /^(at|by|around|@)\b/.test(`${before} `) || /^(at|by|around)\b/i.test(token.raw);
    return token.kind === 'duration' && /^(in|after|every|for)$/.test(before);
  });
}

function questionFor(head: readonly Token[], step: DraftStep): { missing: string; question: string } | null {
  const said = rawOf(head);
  if (asksAbout.test(said) || reports.test(said))
    return { missing: 'goal', question: 'Should that be done now, or is it only something to know?' };
  if (isChoice(head, step))
    return { missing: 'target', question: 'The request leaves a choice. Which one of them is meant?' };
  if (isScattered(head, step))
    return { missing: 'target', question: 'Several tickets are named. Which of them should be changed?' };
  if (restricts.test(said))
    return {
      missing: 'condition',
      question: 'Under which condition exactly should it happen? Please say “if …” and what to look at.',
    };
  if (someTime.test(said) || isTimed(head))
    return {
      missing: 'time',
      question: 'A plan runs as soon as it is approved, not at a later time. Should it be done now?',
    };
  if (repeats.test(said))
    return { missing: 'goal', question: 'A plan does a thing once. Is once what you want?' };
  return null;
}

const pronoun =
  /^(?:about )?(?:it|this|that|them|these|those|so|the same|this one|that one|him|her|(?:the )?usual(?: thing| message| text| stuff)?|something|stuff|things|some message|why|what happened|what is going on|what's going on)$/i;
const noStatus =
  /^(?:the )?(?:next|previous|right|correct|usual|appropriate|some|any|another|other|same|whatever|proper|final|following)\b|\b(?:or|and|but|don't)\b/i;

/** A text of a pronoun alone, a status that is none: the words point at something that is not there. */
function emptyValue(step: DraftStep): { missing: string; question: string } | null {
  const { text, status } = step.args;
  const aims = [step.args.user, step.args.channel].map((aim) =>
    typeof aim === 'string' ? aim.replace(/^[@#]/, '') : '',
  );
  if (typeof text === 'string' && (pronoun.test(text.trim()) || aims.includes(text.trim().toLowerCase())))
    return { missing: 'what', question: 'What should the message say?' };
  if (step.tool === 'jira.transition' && typeof status === 'string' && noStatus.test(status))
    return { missing: 'status', question: 'Which status should the ticket be moved to?' };
  return null;
}

/** "page auth's manager": somebody else than who is on call for the service. */
function someoneElse(step: DraftStep, goal: string): { missing: string; question: string } | null {
  const { service } = step.args;
  if (step.tool !== 'pagerduty.page' || typeof service !== 'string') return null;
  const name = service.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const whose = new RegExp(
    `(?<![\\w-])${name}['’]s (?!on-?\\s?call|oncall|pager|engineer|duty|responder|primary|service|team)\\p{L}`,
    'iu',
  );
  if (!whose.test(goal)) return null;
  return {
    missing: 'service',
    question: `Only whoever is on call can be paged. Is that meant: the on-call of ${service}?`,
  };
}

/** Asks when the words of an order hold more than the writes that were made of it say. */
export function guardOrder(tokens: readonly Token[], added: readonly DraftStep[], work: Work): void {
  const writes = added.filter(isWriteStep);
  const readsToo = added.length > writes.length;
  const head = headOf(tokens);
  if (writes.some((step) => step.when === null && isVagueBreach(work))) {
    ask(work, ['condition'], 'What should be looked at: a ticket, a project, or a search in the logs?');
    return;
  }
  const [first] = tokens;
  if (writes.length > 0 && first?.kind === 'clock' && /^(?:at|by|around)\b/i.test(first.raw)) {
    ask(work, ['time'], 'A plan runs as soon as it is approved, not at a later time. Should it be done now?');
    return;
  }
  for (const step of writes) {
    const timed = readsToo || step.tool === 'jira.create' || ofKind(head, 'query').length > 0;
    const doubt =
      someoneElse(step, work.goal) ??
      emptyValue(step) ??
      (timed && !isChoice(head, step) ? null : questionFor(head, step));
    if (doubt) {
      ask(work, [doubt.missing], doubt.question);
      return;
    }
  }
}

/** "if something breaks": no ticket, no project and no word of an SLA. */
function isVagueBreach(work: Work): boolean {
  if (
    work.condition === null ||
    /\b(?:sla|breach|overdue|deadline|violat|due|tickets?|late)/i.test(work.goal)
  )
    return false;
  return readsOf(work.condition).some(
    (step) => step.tool === 'jira.sla' && step.args.key === undefined && step.args.project === undefined,
  );
}

function bounds(condition: DraftCondition): Compare[] {
  if (isCompare(condition)) return [condition];
  return 'all' in condition ? condition.all.flatMap(bounds) : [];
}

/** True when no number can be on both sides: "more than 10 and fewer than 5". */
export function isImpossible(condition: DraftCondition | null): boolean {
  if (condition === null || isCompare(condition)) return false;
  const all = bounds(condition);
  return all.some((low) =>
    all.some((high) => {
      const same =
        low.left.length === 1 && high.left.length === 1 && low.left[0]?.step === high.left[0]?.step;
      if (!same || low.left[0]?.field !== high.left[0]?.field) return false;
      if (low.op === '==' && high.op === '==') return low.right !== high.right;
      if (typeof low.right !== 'number' || typeof high.right !== 'number') return false;
      const touches = /=$/.test(low.op) && /=$/.test(high.op);
      const opposed = /^>/.test(low.op) && /^(<|==)/.test(high.op);
      return opposed && (low.right > high.right || (low.right === high.right && !touches));
    }),
  );
}

/** Tool and arguments as text; a result of another step by the place of that step. */
function sameness(step: DraftStep, work: Work): string {
  const place = (_name: string, value: unknown): unknown => {
    const at = work.steps.findIndex((other) => Object.is(other, value));
    return at >= 0 ? at : value;
  };
  return `${step.tool} ${JSON.stringify(step.args, place)}`;
}

/** Equal writes, such as one said in two ways, are made once. */
export function withoutRepeats(work: Work): void {
  const seen = new Map<string, DraftStep>();
  const gone = new Map<DraftStep, DraftStep>();
  for (const step of work.steps) {
    if (!isWriteStep(step)) continue;
    const key = sameness(step, work);
    const same = seen.get(key);
    if (same && same.when === step.when) gone.set(step, same);
    else seen.set(key, step);
  }
  if (gone.size === 0) return;
  work.steps.splice(0, work.steps.length, ...work.steps.filter((step) => !gone.has(step)));
  for (const step of work.steps)
    for (const need of [...step.needs]) {
      const same = gone.get(need);
      if (!same) continue;
      step.needs.delete(need);
      if (same !== step) step.needs.add(same);
    }
}
