import type { Manifest } from '../../core/manifest.ts';
import { type Frame, fillFrame, type Text, takesOf } from './frames.ts';
import type { Phrase } from './lexicon.ts';
import { makesOfResults, readsOf, toolsIn, worth } from './reads.ts';
import {
  existsIn,
  moreThanIn,
  overIn,
  quantitiesIn,
  type Said,
  statesIn,
  type Test,
  thanIn,
  versusIn,
} from './tests.ts';

/** What an order that sends words takes them from. */
export type Carries =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'said' }
  | { readonly kind: 'result' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'read'; readonly frame: Frame }
  | { readonly kind: 'reads'; readonly frames: readonly Frame[] }
  /** The result of something that is made of other results: a summary of tickets. */
  | { readonly kind: 'made'; readonly frame: Frame; readonly of: Carries }
  /** The result of what was looked up goes to the person whom another look-up names. */
  | { readonly kind: 'oncall'; readonly frame: Frame };

interface Common {
  /** Connectors and conditions in front: "and", "then", "if", "unless" … */
  readonly lead: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
  readonly score: number;
  /** Tokens that mean something and that the clause does not explain. */
  readonly left: readonly number[];
}

export type Clause = Common &
  (
    | { readonly kind: 'order'; readonly frame: Frame; readonly carries: Carries }
    | { readonly kind: 'read'; readonly frame: Frame }
    | {
        readonly kind: 'condition';
        readonly subject: Frame | null;
        readonly tests: readonly Test[];
        readonly any: boolean;
      }
    | { readonly kind: 'mark'; readonly mark: 'else' | 'so' }
    | { readonly kind: 'forbid'; readonly tools: readonly string[]; readonly frame: Frame | null }
    | { readonly kind: 'remark'; readonly words: string }
    | { readonly kind: 'empty' }
  );

type Roles = ReadonlySet<string>;

function rolesAt(text: Text, index: number, length = 1): Roles {
  const senses = text.phrases[index]?.find((phrase) => phrase.length === length)?.senses ?? [];
  return new Set(
    senses.flatMap(({ role, of }) =>
      role === 'condition' || role === 'pronoun' ? [role, `${role} ${of}`] : [role],
    ),
  );
}

const isThing = (text: Text, index: number): boolean =>
  text.entities[index]?.some(({ kind }) => !['unknown', 'number', 'time'].includes(kind)) ?? false;
const carriesNothing = (text: Text, index: number): boolean =>
  text.tokens[index]?.kind === 'mark' || (rolesAt(text, index).has('nothing') && !isThing(text, index));

const startsSentence = (text: Text, index: number): boolean =>
  index === 0 || text.tokens[index - 1]?.kind === 'mark' || rolesAt(text, index - 1).has('condition');

const heads = new Set(['verb', 'exists', 'negation', 'readonly', 'value']);

/** "page ops should PAY have more than 5": a condition that begins with its verb. */
export function isInverted(text: Text, index: number): boolean {
  if (text.tokens[index]?.low !== 'should') return false;
  const before = text.entities[index - 1]?.some(({ kind }) => kind === 'channel' || kind === 'user') ?? false;
  return (
    !before &&
    (isThing(text, index + 1) ||
      /^(?:there|any|the|more|it|they|splunk|kql|pagerduty)$/u.test(text.tokens[index + 1]?.low ?? ''))
  );
}

/** "if there are any, …" points back; "if there are any open P1s" asks something of its own. */
export function isMarker(
  text: Text,
  at: number,
  { length, senses }: Phrase,
  to = text.tokens.length,
): boolean {
  const points =
    senses.some(({ role, of }) => role === 'condition' && (of === 'so' || of === 'else')) &&
    length > 1 &&
    text.tokens[at]?.low === 'if';
  if (!points || at + length >= to) return true;
  const next = at + length;
  return (
    text.tokens[next]?.kind === 'mark' ||
    (text.phrases[next]?.some((one) =>
      one.senses.some(({ role, of }) => role === 'verb' && text.lexicon.tools.get(of)?.effect === 'write'),
    ) ??
      false)
  );
}

/** Connectors and politeness in front of a clause, and where it begins. */
function leadOf(text: Text, from: number, to: number): { lead: Set<string>; start: number } {
  const lead = new Set<string>();
  let at = from;
  while (at < to) {
    const phrase = text.phrases[at]?.find(
      (one) =>
        at + one.length <= to &&
        one.senses.some(({ role }) => role === 'condition') &&
        isMarker(text, at, one, to),
    );
    const head = text.phrases[at]?.some(
      ({ length, senses }) =>
        length > (phrase?.length ?? 0) && senses.some(({ role }) => role === 'verb' || role === 'readonly'),
    );
    if (phrase && !head) {
      for (const { role, of } of phrase.senses)
        if (role === 'condition' && (of !== 'ifFirst' || startsSentence(text, at) || isInverted(text, at)))
          lead.add(of === 'ifFirst' ? 'if' : of);
      at += phrase.length;
      continue;
    }
    const longest = text.phrases[at]?.find(({ length }) => at + length <= to);
    const empty =
      longest?.senses.some(({ role }) => role === 'nothing') &&
      !longest.senses.some(({ role }) => heads.has(role))
        ? longest
        : undefined;
    if (isThing(text, at) || (!empty && text.tokens[at]?.kind !== 'mark')) break;
    if (
      text.tokens[at]?.kind === 'mark' &&
      text.phrases[at]?.some(({ senses }) => senses.some(({ role }) => role === 'compare'))
    )
      break;
    at += empty?.length ?? 1;
  }
  return { lead, start: at };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_one, at) => from + at);

const messageArg = (tool: Manifest): string | undefined =>
  Object.keys(tool.args.shape).find(
    (arg) => takesOf(tool, arg) === 'message' || takesOf(tool, arg) === 'results',
  );

function isAll(text: Text, span: readonly number[], roles: readonly string[]): boolean {
  let at = 0;
  let seen = false;
  while (at < span.length) {
    const index = span[at] as number;
    const phrase = text.phrases[index]?.find(
      ({ length, senses }) =>
        span[at + length - 1] === index + length - 1 && senses.some(({ role }) => roles.includes(role)),
    );
    if (phrase) seen = true;
    else if (!carriesNothing(text, index) && !rolesAt(text, index).has('condition and')) return false;
    at += phrase?.length ?? 1;
  }
  return seen;
}

/** The words of the request from one token to another, without the marks at their ends. */
export function wordsOf(text: Text, indexes: readonly number[]): string {
  const [first, last] = [indexes[0], indexes.at(-1)];
  if (first === undefined || last === undefined) return '';
  const said = text.goal.slice(text.tokens[first]?.start, text.tokens[last]?.end);
  return said.replace(/^[\s,;:.–—-]+|[\s,;:.–—-]+$/gu, '');
}

const softCues = /^(?:know|about|with|of|for|on|regarding|re|as)$/u;

interface Carried {
  readonly carries: Carries;
  readonly left: readonly number[];
  readonly cost: number;
}

/** What an order sends: said in quotes or behind a cue, the result, another look-up, or nothing yet. */
function carriedBy(text: Text, frame: Frame, span: readonly number[]): Carried {
  const arg = messageArg(frame.tool);
  const rest = span.filter((index) => !frame.used.has(index));
  if (arg === undefined) return { carries: { kind: 'nothing' }, left: frame.left, cost: 0 };
  if (frame.slots.has(arg)) return fromCue(text, frame, span, rest);
  if (isAll(text, rest, ['result', 'pronoun'])) return { carries: { kind: 'result' }, left: [], cost: 0 };
  if (frame.left.length === 0 && !isAll(text, rest, ['result', 'pronoun', 'noun']))
    return { carries: { kind: 'nothing' }, left: [], cost: 0 };
  return lookedUp(text, frame, rest) ?? unmarked(text, frame, rest);
}

/** "a summary of the open tickets": what is sent is made of results itself. */
function madeFrom(text: Text, frame: Frame, rest: readonly number[]): Carried | null {
  if (makesOfResults(frame.tool)) return null;
  for (const tool of makersIn(text, rest)) {
    const inner = fillFrame(text, tool, rest);
    const of = carriedBy(text, inner, rest);
    if (of.left.length === 0)
      return { carries: { kind: 'made', frame: inner, of: of.carries }, left: [], cost: 0 };
  }
  return null;
}

function makersIn(text: Text, span: readonly number[]): Manifest[] {
  const said = ['verb', 'noun'] as const;
  return [...text.lexicon.tools.values()].filter(
    (tool) =>
      makesOfResults(tool) &&
      span.some((index) =>
        text.phrases[index]?.some(({ senses }) =>
          senses.some(({ role, of }) => of === tool.name && said.some((one) => one === role)),
        ),
      ),
  );
}

/** Words behind a cue are the text, unless they say exactly what to look up: "about" what is there, or a list "of" it. */
function fromCue(text: Text, frame: Frame, span: readonly number[], rest: readonly number[]): Carried {
  const spoken = [...frame.spoken];
  const first = spoken[0] ?? 0;
  if (spoken.length > 0 && softCues.test(text.tokens[first - 1]?.low ?? '')) {
    const heard = new Set([...frame.used].filter((index) => !frame.spoken.has(index) && index !== first - 1));
    const after = span.filter((index) => !heard.has(index));
    if (isAll(text, after, ['result', 'pronoun'])) return { carries: { kind: 'result' }, left: [], cost: 0 };
    const looked = lookedUp(text, { ...frame, used: heard }, after);
    if (looked) return looked;
  }
  if ('user' in frame.tool.args.shape && !frame.slots.has('user') && !frame.slots.has('channel')) {
    const person = readsOf(text, rest, 'list').find(
      ({ tool, left }) => tool.name === 'pagerduty.oncall' && left.length === 0,
    );
    if (person) return { carries: { kind: 'oncall', frame: person }, left: [], cost: 0 };
  }
  const pointing = isAll(text, rest, ['result', 'pronoun']);
  return { carries: { kind: 'said' }, left: pointing ? [] : frame.left, cost: 0 };
}

/** "alert the on-call", "notify the on-call" pages them. */
function pages(text: Text, frame: Frame): boolean {
  return [...frame.used].some((index) =>
    text.phrases[index]?.some(({ senses }) =>
      senses.some(({ role, of }) => role === 'verb' && of === 'pagerduty.page'),
    ),
  );
}

/** What an order sends, where its words say exactly what has to be looked up for it. */
function lookedUp(text: Text, frame: Frame, rest: readonly number[]): Carried | null {
  const read = readsOf(text, rest, 'list').find(({ left }) => left.length === 0);
  if (read) {
    const person =
      read.tool.name === 'pagerduty.oncall' &&
      !pages(text, frame) &&
      'user' in frame.tool.args.shape &&
      !frame.slots.has('user') &&
      !frame.slots.has('channel');
    return { carries: { kind: person ? 'oncall' : 'read', frame: read }, left: [], cost: 0 };
  }
  return madeFrom(text, frame, rest) ?? several(text, rest);
}

/** "the open bugs together with the incidents": two look-ups in one message. */
function several(text: Text, rest: readonly number[]): Carried | null {
  for (const [at, index] of rest.entries()) {
    if (
      !rolesAt(text, index).has('condition and') &&
      !text.phrases[index]?.some(({ senses }) =>
        senses.some(({ role, of }) => role === 'condition' && of === 'and'),
      )
    )
      continue;
    const frames = [rest.slice(0, at), rest.slice(at + 1)].map((part) =>
      readsOf(text, part, 'list').find(({ left }) => left.length === 0),
    );
    const [one, two] = frames;
    if (one && two && one.tool !== undefined)
      return { carries: { kind: 'reads', frames: [one, two] }, left: [], cost: 0 };
  }
  return null;
}

/** "tell #ops the disk is full": what follows the target is the text, when the order begins with its verb. */
function unmarked(text: Text, frame: Frame, rest: readonly number[]): Carried {
  const none: Carried = { carries: { kind: 'nothing' }, left: frame.left, cost: 0 };
  const last = Math.max(-1, ...frame.filling);
  const first = Math.min(...frame.used);
  const after = rest.filter((index) => index > last);
  const telling = /^(?:tell|inform|notify|remind|page|warn|ask|alert|wake|message|dm)/u.test(
    text.tokens[first]?.low ?? '',
  );
  const plain =
    telling &&
    frame.verb &&
    frame.filling.size > 0 &&
    after.length > 1 &&
    frame.left.every((index) => index > last);
  const held = after.some((index) =>
    text.phrases[index]?.some(({ senses }) =>
      senses.some(
        ({ role, of }) =>
          role === 'vague' || (role === 'condition' && (of === 'if' || of === 'unless' || of === 'and')),
      ),
    ),
  );
  if (!plain || held) return none;
  return { carries: { kind: 'text', text: wordsOf(text, after) }, left: [], cost: 0.5 + 0.5 * after.length };
}

type Draft = {
  readonly clause: Clause extends infer C
    ? C extends Clause
      ? Omit<C, 'lead' | 'from' | 'to'>
      : never
    : never;
};

function worthOf(carries: Carries): number {
  if (carries.kind === 'made')
    return worth(carries.frame) + 2 * carries.frame.left.length + worthOf(carries.of);
  if (carries.kind === 'reads') return carries.frames.reduce((sum, frame) => sum + worth(frame), 0);
  return carries.kind === 'read' || carries.kind === 'oncall' ? worth(carries.frame) : 0;
}

/** Each clause has to earn its place: a request is not cut into more orders than it has. */
const clauseCost = 1;

/** Every write that the words may order, each with what it sends. */
function ordersIn(text: Text, span: readonly number[]): Draft[] {
  const verbs = toolsIn(text, span, 'write', 'verb');
  const tools = verbs.length > 0 ? verbs : toolsIn(text, span, 'write', 'noun');
  const headed = tools.length === 0;
  const named = headed ? headless(text, span) : tools;
  return [...named, ...makersIn(text, span)].flatMap((tool) => {
    const frame = fillFrame(text, tool, span);
    if (frame.filling.size === 0 && !frame.verb && !makesOfResults(tool)) return [];
    const { carries, left, cost } = carriedBy(text, frame, span);
    const explained =
      worth({ ...frame, left }) +
      worthOf(carries) +
      (carries.kind === 'text' ? span.length - frame.used.size : 0);
    const verb = frame.verb
      ? 0.5
      : makesOfResults(tool) || headed
        ? -1
        : tool.name === 'jira.create'
          ? -20
          : -3;
    return [
      {
        clause: {
          kind: 'order',
          frame,
          carries,
          left,
          score: explained - cost + verb + lateVerb(text, frame, span) - clauseCost,
        },
      },
    ];
  });
}

/** "open P1s" lists, "open a P1" creates: a verb that is also a state needs an article behind it. */
function isAdjective(text: Text, index: number, frame: Frame): boolean {
  const states = text.phrases[index]?.some(
    ({ length, senses }) =>
      length === 1 && senses.some(({ role, of }) => role === 'value' && of === 'jira.count'),
  );
  if (!states || frame.tool.name !== 'jira.create') return false;
  const next = text.tokens[index + 1]?.low ?? '';
  const one = frame.slots.has('summary') && /^(?:p[1-5]|sev\S*|bug|task|story|ticket|issue)$/u.test(next);
  return !one && !/^(?:an?|another|new)$/u.test(next);
}

/** "PAY-3 → Done", "list to #ops": a thing and where it goes, without a verb. */
function headless(text: Text, span: readonly number[]): Manifest[] {
  const has = (...kinds: string[]): boolean =>
    span.some((index) => text.entities[index]?.some(({ kind }) => kinds.includes(kind)));
  const names = [
    ...(has('channel', 'user') ? ['slack.post'] : []),
    ...(has('issue') && span.some((index) => /^(?:to|->|→|=>)$/u.test(text.tokens[index]?.low ?? ''))
      ? ['jira.transition']
      : []),
  ];
  return names.map((name) => text.lexicon.tools.get(name)).filter((tool) => tool !== undefined);
}

/** An order says its verb early; what stands before it is its target or what it sends. */
function lateVerb(text: Text, frame: Frame, span: readonly number[]): number {
  const first = span.find((index) => !carriesNothing(text, index));
  if (first === undefined) return 0;
  const starts = text.phrases[first]?.some(({ senses }) =>
    senses.some(
      ({ role, of }) =>
        of === frame.tool.name && (role === 'verb' || (role === 'noun' && makesOfResults(frame.tool))),
    ),
  );
  if (starts) return isAdjective(text, first, frame) ? -20 : 0.5;
  const target = [...frame.slots.keys()].some((arg) =>
    ['channel', 'user', 'key', 'incident', 'service'].includes(
      takesOf(frame.tool, arg) === 'issue' ? 'key' : arg,
    ),
  );
  return frame.filling.has(first) && target ? 0 : -4;
}

function readings(text: Text, span: readonly number[]): Draft[] {
  return readsOf(text, span, 'list')
    .slice(0, 3)
    .map((frame) => ({
      clause: { kind: 'read', frame, left: frame.left, score: worth(frame) - clauseCost },
    }));
}

function without(span: readonly number[], said: readonly Said[]): number[] {
  const gone = new Set(said.flatMap(({ tokens }) => tokens));
  return span.filter((index) => !gone.has(index));
}

/** A condition of some tests, with whatever the rest of its words look up; null when they are about what was said before. */
function condition(
  text: Text,
  span: readonly number[],
  said: readonly Said[],
  subjectSpan: readonly number[],
  only?: string,
): Draft[] {
  const tokens = new Set(said.flatMap((one) => one.tokens)).size;
  const tests = said.map(({ test }) => test);
  const any = span.some((index) => rolesAt(text, index).has('condition or'));
  const rest = subjectSpan.filter((index) => !(any && rolesAt(text, index).has('condition or')));
  const drafts: Draft[] = [];
  const pointing = rest.every(
    (index) =>
      carriesNothing(text, index) ||
      ['pronoun', 'result', 'condition and'].some((role) => rolesAt(text, index).has(role)),
  );
  if (pointing)
    drafts.push({
      clause: {
        kind: 'condition',
        subject: null,
        tests,
        any,
        left: [],
        score: tokens + 0.2 * rest.length - 0.5,
      },
    });
  const frames = only === undefined ? readsOf(text, rest, 'number') : subjectsFor(text, rest, only);
  const bare = tests.some(({ kind }) => kind === 'exists');
  for (const frame of frames.filter(({ slots }) => !bare || slots.size > 0).slice(0, 2)) {
    const score = tokens + worth(frame) - 0.7;
    drafts.push({ clause: { kind: 'condition', subject: frame, tests, any, left: frame.left, score } });
  }
  return drafts;
}

const stateTool = ({ test }: Said): string =>
  test.kind === 'state' && ['breached', 'at_risk', 'ok'].includes(test.value) ? 'jira.sla' : 'jira.get';

/** "GEO-2 is breached" is about its SLA, whether it says so or not. */
function subjectsFor(text: Text, span: readonly number[], name: string): Frame[] {
  const tool = text.lexicon.tools.get(name);
  const frame = tool && fillFrame(text, tool, span);
  return frame && (frame.slots.has('key') || frame.noun) ? [frame] : [];
}

function conditionsIn(text: Text, span: readonly number[], asked: boolean): Draft[] {
  const quantities = quantitiesIn(text, span);
  const than = moreThanIn(text, span) ?? thanIn(text, span);
  const exists = existsIn(text, span);
  const drafts = quantities.length > 0 ? condition(text, span, quantities, without(span, quantities)) : [];
  const numbers = quantities.filter(({ test }) => test.kind === 'number');
  if (numbers.length > 0 && numbers.length < quantities.length)
    drafts.push(...condition(text, span, numbers, without(span, numbers)));
  if (than) drafts.push(...condition(text, span, [than.said], than.before));
  const versus = versusIn(text, span);
  if (versus) drafts.push(...condition(text, span, [versus.said], versus.before));
  const over = quantities.length === 0 && !than ? overIn(text, span) : null;
  if (over) drafts.push(...condition(text, span, [over], without(span, [over])));
  for (const said of statesIn(text, span))
    drafts.push(...condition(text, span, [said], without(span, [said]), stateTool(said)));
  if (exists) drafts.push(...condition(text, span, [exists], without(span, [exists])));
  if (asked && quantities.length === 0) {
    const there: Said = { test: { kind: 'exists', some: true }, tokens: [] };
    drafts.push(
      ...condition(text, span, [there], span).filter(
        ({ clause }) => clause.kind === 'condition' && clause.subject !== null,
      ),
    );
  }
  return drafts;
}

/** "don't page anyone", "no notifications": tools that are ruled out. */
function forbids(text: Text, span: readonly number[]): Draft[] {
  const writes = [...text.lexicon.tools.values()]
    .filter(({ effect }) => effect === 'write')
    .map(({ name }) => name);
  if (isAll(text, span, ['readonly']))
    return [{ clause: { kind: 'forbid', tools: writes, frame: null, left: [], score: span.length } }];
  const first = span.find((index) => !carriesNothing(text, index));
  const denied = span.find((index) =>
    text.phrases[index]?.some(({ senses }) => senses.some(({ role }) => role === 'negation')),
  );
  const nobody =
    denied !== undefined &&
    denied - (first ?? 0) === 1 &&
    /^(?:nobody|noone|none|no)$/u.test(text.tokens[denied]?.low ?? '');
  if (first === undefined || (denied !== first && !nobody)) return [];
  const tools = new Set<string>();
  const left: number[] = [];
  for (const index of span) {
    const verbs = (text.phrases[index] ?? []).flatMap(({ senses }) =>
      senses
        .filter(({ role, of }) => (role === 'verb' || role === 'noun') && writes.includes(of))
        .map(({ of }) => of),
    );
    const near = index - first <= 4;
    if (near) for (const tool of verbs) tools.add(tool);
    const roles = rolesAt(text, index);
    const known =
      (near && verbs.length > 0) ||
      ['negation', 'anyone', 'pronoun', 'condition', 'result'].some((role) => roles.has(role));
    const target = (text.entities[index] ?? []).some(({ kind }) =>
      ['channel', 'user', 'service'].includes(kind),
    );
    if (!known && !target && !carriesNothing(text, index)) left.push(index);
  }
  const named = [...tools].map((name) => text.lexicon.tools.get(name)).filter((tool) => tool !== undefined);
  const frame =
    named.map((tool) => fillFrame(text, tool, span)).find(({ verb, filling }) => verb && filling.size > 0) ??
    null;
  return tools.size === 0
    ? []
    : [
        {
          clause: {
            kind: 'forbid',
            tools: [...tools],
            frame,
            left,
            score: span.length - 3 * left.length - 0.5,
          },
        },
      ];
}

/** The readings of the words between two boundaries, each with what it leaves unexplained. */
export function clausesOf(text: Text, from: number, to: number): Clause[] {
  const { lead, start } = leadOf(text, from, to);
  let end = to;
  while (
    end > start &&
    text.tokens[end - 1]?.kind === 'mark' &&
    !/^[+]$/u.test(text.tokens[end - 1]?.raw ?? '')
  )
    end -= 1;
  const span = range(start, end);
  const head = start - from;
  const common = { lead, from, to };
  if (isEmpty(text, span)) {
    const mark = lead.has('so') ? 'so' : lead.has('else') ? 'else' : null;
    if (mark !== null) return [{ kind: 'mark', mark, ...common, left: [], score: head }];
    return [{ kind: 'empty', ...common, left: [], score: lead.has('if') || lead.has('unless') ? -6 : 0 }];
  }
  const asked = lead.has('if') || lead.has('unless');
  const drafts = [
    ...forbids(text, span),
    ...conditionsIn(text, span, asked),
    ...(asked || isDenied(text, from) ? [] : ordersIn(text, span)),
    ...(asked ? [] : readings(text, span)),
  ];
  const words = wordsOf(text, span);
  const remarkable =
    span.length > 1 &&
    !['negation', 'vague'].some((role) => rolesAt(text, span[0] as number).has(role)) &&
    text.tokens[to - 1]?.raw !== '?' &&
    span.some((index) => text.entities[index]?.some(({ kind }) => kind === 'unknown'));
  if (!asked && remarkable && drafts.every(({ clause }) => clause.left.length > 0))
    drafts.push({ clause: { kind: 'remark', words, left: [], score: -0.5 - 0.2 * span.length } });
  const last = to === text.tokens.length;
  const question = text.tokens[to - 1]?.raw === '?' && !last;
  return drafts.map(({ clause }) => {
    const bare = clause.kind === 'condition' && !asked;
    const beside = ['and', 'but', 'or'].some((one) => lead.has(one));
    const fits = bare ? (question ? 1 : asserted(clause, text, to) ? -3 : last && !beside ? -1.5 : 0) : 0;
    return { ...clause, ...common, score: clause.score + Math.min(head, 1) + fits } as Clause;
  });
}

/** "KYC-61 is finished, …" states something; a condition without "if" is asked, or leads on with a mark. */
function asserted(clause: Draft['clause'], text: Text, to: number): boolean {
  const compared = (test: Test): boolean =>
    test.kind !== 'exists' && test.kind !== 'state' && !(test.kind === 'number' && test.op === '==');
  if (clause.kind !== 'condition' || clause.subject === null || clause.tests.some(compared)) return false;
  const state = clause.tests.some(({ kind }) => kind === 'state');
  return !(state ? /^(?:[=?]|->|→|=>)$/u : /^(?:[:=?–—]|->|→|=>)$/u).test(text.tokens[to - 1]?.raw ?? '');
}

/** The word before rules out what follows. */
function isDenied(text: Text, from: number): boolean {
  return (
    text.phrases[from - 1]?.some(
      ({ length, senses }) => length === 1 && senses.some(({ role }) => role === 'negation'),
    ) ?? false
  );
}

function isEmpty(text: Text, span: readonly number[]): boolean {
  let at = 0;
  while (at < span.length) {
    const index = span[at] as number;
    const empty = text.phrases[index]?.find(
      ({ length, senses }) =>
        at + length <= span.length &&
        senses.some(({ role, of }) => role === 'nothing' || (role === 'time' && of === 'present')),
    );
    if (isThing(text, index) || (!empty && text.tokens[index]?.kind !== 'mark')) return false;
    at += empty?.length ?? 1;
  }
  return true;
}
