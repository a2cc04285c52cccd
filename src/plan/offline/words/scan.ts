import { quoteAt } from './quotes.ts';
import { clockAt, durationAt, numberWord } from './times.ts';
import type { Token, TokenKind } from './token.ts';

type Rule = readonly [TokenKind, RegExp, (match: RegExpExecArray) => string | null];

const endOfQuery = String.raw`(?=\s*(?:;|(?:in|on|via|with) (?:splunk|kusto|kql|app ?insights|azure)\b|\s(?:—|–|-|->|→|=>)\s|[,.]?\s+(?:and|then|und|y|et|e)\s+(?:then\s+)?(?:post|send|tell|page|notify|share|dm|announce|create|comment|if|summari[sz]e|message|alert|let)\b|,\s*(?:post|send|tell|page|notify|share|dm|announce|create|then|if|and)\b|[.?!]?\s*$|\.\s+[A-Z]))`;

const codePrefix =
  /^(ERR|ERROR|E|EX|EXC|CODE|HTTP|ORA|TNS|PLS|RMAN|SP2|SQLSTATE|SQL|FAULT|ERRNO|WSREP|DB2|MSB|TS|CS|NU|KB|CVE|WIN|SIG)$/;

const rules: readonly Rule[] = [
  ['query', new RegExp(String.raw`(?:search\s+)?index\s*=.+?${endOfQuery}`, 'isuy'), (m) => m[0]],
  [
    'query',
    new RegExp(
      String.raw`[A-Za-z_]\w*\s*\|\s*(?:where|summarize|count|take|project|extend|order|top|stats|limit|distinct)\b.*?${endOfQuery}`,
      'isuy',
    ),
    (m) => m[0],
  ],
  ['query', new RegExp(String.raw`select\s+(?:.+?)\s+from\s+\w.*?${endOfQuery}`, 'isuy'), (m) => m[0]],
  ['word', /tl;?\s?dr(?![\p{L}\p{N}])/iuy, () => 'tldr'],
  ['word', /https?:\/\/\S+/iuy, (m) => m[0]],
  ['channel', /<#[A-Z0-9]+\|([^>]+)>/uy, (m) => `#${m[1]}`],
  ['user', /<@([A-Z0-9]+)(?:\|([^>]+))?>/uy, (m) => `@${m[2] ?? m[1]}`],
  ['channel', /#(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/uy, (m) => m[0].toLowerCase()],
  ['user', /@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/uy, (m) => m[0]],
  ['word', /[1-5]xx(?:['’]?s)?(?![\p{L}\p{N}_-])|[45]\d\ds(?![\p{L}\p{N}_-])/iuy, (m) => m[0].toLowerCase()],
  ['date', /\d{4}-\d{2}-\d{2}/uy, (m) => m[0]],
  [
    'priority',
    /(?:sev(?:erity)?|prio(?:rity)?|priorität|prioridad|priorité|priorità|prioridade)[\s_-]?([1-5])(?:['’]?s)?(?![\p{L}\p{N}_-])/iuy,
    (m) => `P${m[1]}`,
  ],
  [
    'priority',
    /[ps]-?([1-5])(?:['’]?s|er)?(?:-(?=(?:tickets?|bugs?|issues?|incidents?)(?![\p{L}\p{N}]))|(?![\p{L}\p{N}_-]))/iuy,
    (m) => `P${m[1]}`,
  ],
  ['code', /(?:[A-Z][A-Z0-9]*[-_])?0x[0-9a-f]{2,}/iuy, (m) => m[0]],
  ['code', /[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+[-_]\d+(?![\p{L}\p{N}_-])/uy, (m) => m[0]],
  [
    'key',
    /([A-Z][A-Z0-9_]+)-(\d{1,7})(?![\p{L}\p{N}_-])/uy,
    (m) => (codePrefix.test(m[1] ?? '') || /^0/.test(m[2] ?? '') ? null : m[0]),
  ],
  [
    'key',
    /(?!(?:sev|top|utf|sha|iso|tls|ipv|eu|us|http|v|covid|gpt|phase|day|week|level|step|err|error|e|tier)-)([a-z][a-z0-9]{1,9})-(\d{1,6})(?![\p{L}\p{N}_-])/iuy,
    (m) => (codePrefix.test((m[1] ?? '').toUpperCase()) ? null : m[0].toUpperCase()),
  ],
  ['code', /[A-Z]+-\d{2,}(?![\p{L}\p{N}_-])/uy, (m) => m[0]],
  ['code', /[A-Z]{2,}(?:[-_][A-Z]+)*[-_][A-Z]{1,3}\d{1,5}(?![\p{L}\p{N}_-])/uy, (m) => m[0]],
  ['code', /(?:ERR|E)_[A-Z0-9_]+/uy, (m) => m[0]],
  ['code', /[A-Z]{2,}(?:_[A-Z0-9]+)+(?![\p{L}\p{N}_-])/uy, (m) => m[0]],
  [
    'code',
    /E[A-Z]{5,}(?![\p{L}\p{N}_-])/uy,
    (m) => (/^E(CONN|TIME|HOST|PIPE|ADDR|NOTF|ACCES|EXIST|NOENT|MFILE|AI)/.test(m[0]) ? m[0] : null),
  ],
  ['code', /[A-Z]\w*(?:Exception|Error|Fault)(?![\p{L}\p{N}_-])/uy, (m) => (m[0].length > 9 ? m[0] : null)],
  ['code', /E\d{3,6}(?![\p{L}\p{N}_-])/uy, (m) => m[0]],
  ['id', /#(\d+)(?![\p{L}\p{N}_-])/uy, (m) => m[1] ?? null],
  ['id', /(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z][A-Z0-9]{3,19}(?![\p{L}\p{N}_-])/uy, (m) => m[0]],
];

const numeral =
  /(\d{1,3}(?:(?:[,.']|\s(?![45]\d\d\s+(?:responses?|errors?|status|codes?|hits|replies|returns?)\b))\d{3})+(?!\d)|\d+(?:\.\d+)?)(k)?(?![\p{L}_]|[.:]\d|-(?!\d{1,6}(?![\p{L}\p{N}_.:-])))/iuy;
const wordRule = /[\p{L}\p{N}](?:[\p{L}\p{N}_'’&/]|[-.](?=[\p{L}\p{N}]))*/uy;
const arrow = /\.\.+(?=\d)|->|=>|→|⇒|>=|<=|≥|≤|==|!=/uy;

function match(rule: RegExp, text: string, index: number): RegExpExecArray | null {
  rule.lastIndex = index;
  return rule.exec(text);
}

function thing(text: string, index: number): { kind: TokenKind; value: string; length: number } | null {
  for (const [kind, pattern, value] of rules) {
    const found = match(pattern, text, index);
    const named = found && value(found);
    if (found && named) return { kind, value: named, length: found[0].length };
  }
  const time = clockAt(text, index);
  const span = durationAt(text, index);
  // "a SEC ticket" is one of project SEC.
  const length = span && /^an? [A-Z]{2,}$/.test(text.slice(index, index + span.length)) ? null : span;
  if (time) return { kind: 'clock', ...time };
  if (length) return { kind: 'duration', ...length };
  const number = match(numeral, text, index);
  if (!number) return null;
  const digits = Number((number[1] ?? '').replace(/[,\s'](?=\d{3})|\.(?=\d{3}(?!\d))/g, ''));
  return { kind: 'number', value: String(number[2] ? digits * 1000 : digits), length: number[0].length };
}

/** The places of backticks around a single name: `P1` is a name in code style, not a message. */
function codeTicks(goal: string): ReadonlySet<number> {
  const names = [...goal.matchAll(/`[\p{L}\p{N}_-]{1,40}`/gu)];
  return new Set(names.flatMap(({ index, 0: text }) => [index, index + text.length - 1]));
}

/** Splits a goal into quotations, things with names or values, words and marks. Nothing is dropped but spaces. */
export function scan(goal: string): Token[] {
  const tokens: Token[] = [];
  const add = (kind: TokenKind, word: string, start: number, length: number): number => {
    tokens.push({ kind, word, raw: goal.slice(start, start + length), start, end: start + length });
    return start + length;
  };
  const ticks = codeTicks(goal);
  for (let index = 0; index < goal.length; ) {
    if (goal[index] === '\n') index = add('mark', ';', index, 1);
    if (/\s/.test(goal[index] ?? '') || ticks.has(index)) {
      index += 1;
      continue;
    }
    if (index >= goal.length) break;
    const quote = quoteAt(goal, index);
    if (quote) {
      index = add('quote', quote.value, index, quote.length);
      continue;
    }
    const boundary = index === 0 || !/[\p{L}\p{N}_]/u.test(goal[index - 1] ?? '');
    const found = boundary ? thing(goal, index) : null;
    if (found) {
      index = add(found.kind, found.value, index, found.length);
      continue;
    }
    const word = match(wordRule, goal, index);
    const sign = match(arrow, goal, index);
    if (word) index = addWord(add, word[0], index);
    else index = add('mark', sign?.[0] ?? goal[index] ?? '', index, sign?.[0].length ?? 1);
  }
  return tokens.map(countedOne).reduce<Token[]>(mergeHundreds, []);
}

/** "exactly one", "more than one": elsewhere "one" may stand for a thing. */
function countedOne(token: Token, index: number, tokens: readonly Token[]): Token {
  const before = tokens.slice(Math.max(0, index - 2), index).map((other) => other.word);
  const compared =
    /^(exactly|only|precisely)$/.test(before.at(-1) ?? '') ||
    /^(more|less|fewer|greater) than$/.test(before.join(' '));
  return token.word === 'one' && compared ? { ...token, kind: 'number', word: '1' } : token;
}

/** "one hundred", "a dozen", "two hundred": one number. */
function mergeHundreds(out: Token[], token: Token): Token[] {
  const last = out.at(-1);
  const unit = token.kind === 'number' && /^(hundred|thousand|dozen)$/i.test(token.raw);
  const times = last?.kind === 'number' ? Number(last.word) : /^(a|one)$/.test(last?.word ?? '') ? 1 : null;
  if (!unit || !last || times === null) return [...out, token];
  const value = String(times * Number(token.word));
  return [...out.slice(0, -1), { ...token, word: value, raw: `${last.raw} ${token.raw}`, start: last.start }];
}

function addWord(
  add: (kind: TokenKind, word: string, start: number, length: number) => number,
  raw: string,
  index: number,
): number {
  const word = raw.toLowerCase().replace(/’/g, "'");
  const number = numberWord(word);
  const isNumber = number !== null && !/^(one|due|sept|no|second|seis|otto|vier)$/.test(word);
  return isNumber ? add('number', String(number), index, raw.length) : add('word', word, index, raw.length);
}
