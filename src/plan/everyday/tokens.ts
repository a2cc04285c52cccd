import type { ArgValue } from '../../core/plan.ts';
import { clockOf, countWords, durationOf, numberOf, timeOf, timeWords, unitWords } from './forms.ts';

export const kinds = [
  ...[
    'word',
    'mark',
    'quotation',
    'quoted word',
    'address',
    'channel',
    'person',
    'incident',
    'severity',
    'issue',
  ],
  ...['code', 'clock', 'duration', 'time', 'number', 'capitals', 'hyphened', 'old', 'section'],
] as const;
export type Kind = (typeof kinds)[number];

/** A piece of a request: a word, a mark, a quotation, or something recognised by its form. */
export interface Token {
  readonly raw: string;
  /** In lower case, with straight apostrophes. */
  readonly low: string;
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
  /** The value of the token. */
  readonly values: Values;
  /** Its names in the workspace: the value by the kind of name. */
  readonly names: Names;
  /** 0: the request; 1: an answer, or the words of a change; 2: the plan being changed. */
  readonly section: 0 | 1 | 2;
}

export interface Values {
  readonly text?: string;
  readonly number?: number;
  /** ISO 8601. */
  readonly duration?: string;
  /** Calendar words in English, or `HH:MM`. */
  readonly time?: string;
  /** `P1` to `P5`. */
  readonly priority?: string;
  /** In the plan being changed: the argument, and its value. */
  readonly arg?: string;
  readonly held?: ArgValue;
}

export type NameKind = 'service' | 'project' | 'channel' | 'user';
export type Names = Readonly<Partial<Record<NameKind, string>>>;

const quotes =
  /"([^"\n]{1,500})"|“([^”\n]{1,500})”|„([^“”\n]{1,500})[“”]|«([^»\n]{1,500})»|```([^`]{1,1500})```|`([^`\n]{1,600})`|(?<![\p{L}\p{N}])'([^'\n]{2,300}(?:'(?=\p{L})[^'\n]{0,300}){0,9})'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])‘([^’\n]{2,300})’/uy;
const ends = '(?![\\p{L}\\p{N}_])';

/** In order: the first form that matches at a position is used. */
const forms: readonly (readonly [Kind, RegExp])[] = [
  ['quotation', quotes],
  ['address', /https?:\/\/[^\s,)>]{1,500}/uy],
  ['channel', /#\p{L}[\p{L}\p{N}_-]{0,79}/uy],
  ['person', /@\p{L}(?:[\p{L}\p{N}_.-]{0,78}[\p{L}\p{N}])?/uy],
  [
    'incident',
    /#\d{1,10}(?!\d)|(?:PD|INC)-?\d{3,10}(?!\d)|(?=[A-Z0-9]{0,13}\d)(?=[A-Z0-9]{0,13}[A-Z])[QP][A-Z0-9]{5,13}(?![\w-])/uy,
  ],
  [
    'severity',
    /(?:p|sev|severity|prio|priority|priorität|prioridad|prioridade|priorité)[ -]?[1-5](?=s?(?![\p{L}\p{N}-]))|s[1-5](?=s?(?![\p{L}\p{N}-]))/iuy,
  ],
  ['issue', /[A-Z][A-Z0-9_]{1,19}-\d{1,9}(?![\w-])/uy],
  [
    'code',
    /(?:[A-Z][A-Z0-9]{0,19}(?:[-_.](?=[A-Z0-9])[A-Z0-9]{1,19}){1,5}|0[xX][0-9a-fA-F]{1,16}|[A-Z]{1,6}\d{3,9}[A-Z]?|(?:\p{Lu}\p{Ll}{1,30}){1,6}(?:Exception|Error|Fault|Failure)|E[A-Z]{4,20}|[45]xx)(?![\w-])/uy,
  ],
  [
    'time',
    new RegExp(
      `(?:${timeWords})(?:,? (?:at |um |à |a las |às )?(?:(?:[01]?\\d|2[0-3])[:.h][0-5]\\d|\\d{1,2} ?[ap]m|\\d{1,2}(?:h| uhr)))?${ends}`,
      'iyu',
    ),
  ],
  [
    'clock',
    /(?:[01]?\d|2[0-3])[:.h][0-5]\d(?: ?[ap]\.?m\.?)?(?![\w:.])|\d{1,2} ?[ap]\.?m\.?(?!\w)|\d{1,2} (?:uhr|o'clock)|\d{1,2}h(?= du| ce|$)|(?:midnight|noon)(?!\w)/iuy,
  ],
  [
    'duration',
    new RegExp(
      `(?:${countWords})[ -]?(?:${unitWords})${ends}|\\d{1,9}(?:[.,]\\d{1,3})? ?[smhdw]${ends}`,
      'iyu',
    ),
  ],
  [
    'number',
    /\d{1,3}(?:,\d{3}){1,4}(?![\w-])|\d{1,12}(?:\.\d{1,6})?(?=(?:st|nd|rd|th|%|\+|x|k)?(?![\w-]))/uy,
  ],
  ['word', /[\p{L}\p{N}][\p{L}\p{N}_]*(?:(?:[-./&](?=[\p{L}\p{N}])|['’](?=\p{L}))[\p{L}\p{N}_]+)*/uy],
  ['mark', /->|=>|>=|<=|==|!=|&&|--|\.\.\.|\S/uy],
];

/** Words in capitals that are not names. */
const spelledBig =
  /^(?:SLA|KQL|SPL|SQL|DM|OK|ASAP|PD|DB|FYI|API|ID|URL|HTTP|ETA|TODO|EOD|RCA|VPN|DNS|CPU|OOM|TLS|SSL|AM|PM|EU|US|UTC|CET|AI|LLM|CSV|JSON|SQS|AWS|WTF|IF|AND|OR|NOT|THE|PLEASE)s?$/u;
const hyphenedWord =
  /^(?:on-call|follow-up|read-only|e-mail|re-open|sign-off|un-?acked|post-mortem|at-risk|heads-up|stand-up|to-do|in-progress|p-?\d|low-urgency|high-urgency|hand-over)s?$/u;

function wordKind(raw: string): Kind {
  if (/^[A-Z][A-Z0-9]{1,9}s?$/u.test(raw) && !spelledBig.test(raw)) return 'capitals';
  if (/^[\p{Ll}\p{N}]+(?:[-_.][\p{Ll}\p{N}]+)+$/u.test(raw) && !hyphenedWord.test(raw)) return 'hyphened';
  return 'word';
}

function valuesOf(kind: Kind, raw: string, low: string, groups: readonly (string | undefined)[]): Values {
  if (kind === 'quotation') return { text: groups.find((one) => one !== undefined) ?? '' };
  if (kind === 'severity') return { priority: `P${/\d/u.exec(raw)?.[0]}` };
  if (kind === 'clock') return { time: clockOf(low) };
  if (kind === 'time') return { time: timeOf(low), ...unitAlone(low) };
  if (kind === 'duration') return { duration: durationOf(low) ?? '' };
  if (kind === 'number') return { number: Number(raw.replaceAll(',', '')) };
  if (kind === 'incident' && /^#\d+$/u.test(raw)) return { number: Number(raw.slice(1)) };
  const number = kind === 'word' ? numberOf(low) : undefined;
  return number === undefined ? unitAlone(low) : { number };
}

/** "the last hour", "this week": one of that unit. */
function unitAlone(low: string): Values {
  const [, unit = ''] = /(?:^|\s)(\p{L}{3,})$/u.exec(low) ?? [];
  const duration = unit === '' ? undefined : durationOf(unit);
  return duration === undefined ? {} : { duration };
}

/** Splits a text into at most `max` tokens, in order, without knowledge of any tool. */
export function tokenize(text: string, section: Token['section'] = 0, max = 400): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length && tokens.length < max; ) {
    if (/\s/u.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at, section);
    tokens.push(token);
    at = token.end;
    // "OPS's", "P1s"
    if (token.kind !== 'mark' && token.kind !== 'quotation')
      at += /^['’]?s(?![\p{L}\p{N}])/u.exec(text.slice(at, at + 3))?.[0].length ?? 0;
  }
  return tokens;
}

/** A word as it is compared: phones type another apostrophe. */
export const lowOf = (raw: string): string => raw.toLowerCase().replaceAll('’', "'");

function tokenAt(text: string, at: number, section: Token['section']): Token {
  for (const [form, pattern] of forms) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    let [raw] = found;
    let kind: Kind = form;
    if (form === 'word') {
      raw = raw.replace(/['’]s$/u, '');
      kind = /^\d{4,}$/u.test(raw) ? 'number' : wordKind(raw);
      if (kind === 'capitals') raw = raw.replace(/s$/u, '');
    }
    const low = lowOf(raw);
    const values = valuesOf(kind, raw, low, found.slice(1));
    if (kind === 'word' && values.number !== undefined) kind = 'number';
    if (kind === 'quotation' && !/\s/u.test(values.text ?? '')) kind = 'quoted word';
    return { raw, low, start: at, end: at + raw.length, kind, values, names: {}, section };
  }
  const raw = text.slice(at, at + 1);
  return { raw, low: raw, start: at, end: at + 1, kind: 'mark', values: {}, names: {}, section };
}
