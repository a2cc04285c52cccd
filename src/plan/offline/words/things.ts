import { distance } from 'fastest-levenshtein';
import type { Catalogue } from '../../../core/catalogue.ts';
import { own } from '../../../core/own.ts';
import { apartBy, type Lexicon, near } from './lexicon.ts';
import { spelledSeverity } from './severities.ts';
import type { Thing, ThingKind } from './thing.ts';
import {
  calendarAt,
  clockAt,
  datesIn,
  durationAt,
  type Found,
  type Here,
  type Reader,
  spelledTimes,
} from './times.ts';
import type { Token } from './tokens.ts';

const bareOf = ({ raw }: Pick<Token, 'raw'>): string => raw.replace(/['’]s$/u, '');
const lower = (value: string): string => value.toLowerCase();

/** Forms by which things are known. What is sure is nothing else. */
const forms: readonly {
  readonly kind: ThingKind;
  readonly form: RegExp;
  readonly sure?: true;
  readonly value?: (part: string) => string;
  /** Only where the workspace has no project of that name. */
  readonly unlessProject?: true;
}[] = [
  { kind: 'issue', form: /^http.*\/browse\/([A-Z][A-Z0-9_]+-\d+)/u, sure: true },
  // With its host: an address that is not in the PagerDuty of the operator names no incident there.
  { kind: 'incident', form: /^(https:\/\/[\w.:-]+\/incidents\/[A-Z0-9]+)/u, sure: true },
  { kind: 'incident', form: /^#(\d+)$/u, sure: true },
  { kind: 'incident', form: /^(?:PD|INC)-(\d+)$/iu, sure: true, unlessProject: true },
  { kind: 'channel', form: /^(#[\p{L}\p{N}].*)/u, sure: true, value: lower },
  { kind: 'user', form: /^(@[\p{L}\p{N}].*)/u, sure: true, value: lower },
  {
    kind: 'severity',
    form: /^(?:p|s|sev|severity|prio|priority)-?([1-5])s?$/iu,
    sure: true,
    value: (level) => `P${level}`,
  },
  { kind: 'issue', form: /^([A-Z][A-Z0-9_]+-\d{1,9})$/u },
  { kind: 'incident', form: /^((?=.*\d)(?=.*[A-Z])[A-Z0-9]{5,14})$/u },
  { kind: 'code', form: /^((?=.*\d|.*_)[A-Z][A-Z0-9]*(?:[-_.][A-Z0-9]+)+|[A-Z]+(?:_[A-Z0-9]+)+)$/u },
  { kind: 'code', form: /^((?=.*\d)[A-Z]{1,6}\d{3,}[A-Z]?|E[A-Z]{4,}|0[xX][0-9a-fA-F]+)$/u },
  { kind: 'code', form: /^((?:\p{Lu}\p{Ll}+){1,6}(?:Exception|Error|Fault|Failure)|[45]\d\d|[45][xX]{2})$/u },
  { kind: 'incident', form: /^(\d{4,})$/u },
];

function byForm({ token, catalogue }: Here): Found[] {
  const found: Found[] = [];
  const bare = bareOf(token);
  // All of them have a sign, a digit or a capital.
  if (/^[a-z]*$/u.test(bare)) return found;
  const isProject =
    catalogue.open || catalogue.projects.some(({ key }) => bare.toUpperCase().startsWith(`${key}-`));
  for (const { kind, form, sure, value = String, unlessProject } of forms) {
    const part = form.exec(bare)?.[1];
    if (part === undefined || (unlessProject && isProject)) continue;
    if (sure) return [{ kind, value: value(part), sure }];
    if (!found.some((other) => other.kind === kind)) found.push({ kind, value: part });
  }
  return found;
}

const looseKey = /^([a-z][a-z0-9_]+)-\d{1,9}$/u;
const known = new WeakMap<Catalogue, ReadonlyMap<string, readonly Found[]>>();

/** What a workspace calls things, in lower case. */
function namesOf(catalogue: Catalogue): ReadonlyMap<string, readonly Found[]> {
  const before = known.get(catalogue);
  if (before) return before;
  const names = new Map<string, Found[]>();
  const add = (name: string, kind: ThingKind, value: string | undefined): void => {
    const own = names.get(name.toLowerCase()) ?? [];
    const isNew = value !== undefined && !own.some((one) => one.kind === kind && one.value === value);
    if (isNew) names.set(name.toLowerCase(), [...own, { kind, value }]);
  };
  for (const { name, project } of catalogue.services) {
    add(name, 'service', name);
    add(name, 'project', project);
  }
  for (const { key, service, aliases } of catalogue.projects)
    for (const name of [key, ...aliases]) {
      add(name, 'project', key);
      add(name, 'service', service);
    }
  for (const { name } of catalogue.channels) add(name, 'channel', `#${name}`);
  for (const { handle } of catalogue.people) add(handle, 'user', `@${handle}`);
  known.set(catalogue, names);
  return names;
}

/** "PAY 12", "pay12", "OPS#14": a ticket of a project that is here, unless the number counts what stands behind it. */
function spacedKey({
  tokens,
  at,
  catalogue,
  lexicon,
}: Pick<Here, 'tokens' | 'at' | 'catalogue' | 'lexicon'>) {
  const [, key = '', inner] = /^([a-z][a-z_]*?)-?(\d{1,6})?$/u.exec(tokens[at]?.low ?? '') ?? [];
  if (!catalogue.projects.some((one) => one.key.toLowerCase() === key)) return null;
  const length = inner === undefined ? 2 : 1;
  const number = inner ?? /^#?(\d{1,6})$/u.exec(tokens[at + 1]?.raw ?? '')?.[1];
  const next = lexicon.phrasesAt(tokens, at + length)[0];
  const isBare =
    next === undefined || next.senses.every(({ role }) => role === 'nothing' || role === 'condition');
  if (number === undefined || !isBare || lexicon.units.has(tokens[at + length]?.low ?? '')) return null;
  return { kind: 'issue' as const, length, value: `${key.toUpperCase()}-${number}` };
}

/** Names of one or more words that the workspace has; of misspelt ones only those that nothing else is like. */
function fromCatalogue({ tokens, at, token, catalogue, lexicon }: Here): Found[] {
  const names = namesOf(catalogue);
  if (names.size === 0) return [];
  const hasSigned = (): boolean => tokens.some(({ raw }) => /^#\p{L}/u.test(raw));
  const sign = /^[#@]/u.exec(token.raw)?.[0];
  // "post the P1s in ops to #incidents": where a channel has its sign, "ops" is none.
  const mayBe = ({ kind }: Found): boolean =>
    sign === '#' ? kind === 'channel' : sign === '@' ? kind === 'user' : kind !== 'channel' || !hasSigned();
  for (let length = 4; length >= 1; length -= 1) {
    const part = tokens.slice(at, at + length);
    if (part.length < length || part.some(({ kind }) => kind !== 'word')) continue;
    const said = part.map((one) => one.raw.replace(/^[#@]/u, '').toLowerCase());
    const last = said.join('-').replace(/['’]s$/u, '');
    const spelled = length === 1 ? [last] : [last, ...['_', '', ' '].map((join) => said.join(join))];
    const found = spelled.flatMap((name) => names.get(name) ?? []).filter(mayBe);
    const spaced = length === 1 ? spacedKey({ tokens, at, catalogue, lexicon }) : null;
    if (spaced) return [spaced, ...found];
    const project = length === 1 ? looseKey.exec(last)?.[1] : undefined;
    if (catalogue.projects.some(({ key }) => key.toLowerCase() === project))
      found.push({ kind: 'issue', value: last.toUpperCase() });
    if (found.length > 0) return [...new Set(found)].map((one) => ({ ...one, length }));
  }
  const bare = token.low.replace(/^[#@]/u, '');
  if (bare.length < 4 || lexicon.knows(bare)) return [];
  // "opss" for "ops": in a short name only a letter that was typed twice is a slip. "incidnets" is a word before it is a name.
  const once = (word: string): string => word.replaceAll(/(?<!^)(.)\1+/gu, '$1');
  const word = lexicon.mended(bare);
  const isOdd = (name: string): boolean =>
    !lexicon.isEnglish(bare) && (word === null || apartBy(bare, name) < apartBy(bare, word));
  const isClose = (name: string): boolean =>
    bare.length > 4
      ? distance(name, bare) === 1 || (near(bare, name) && isOdd(name))
      : once(bare) === name && isOdd(name);
  const close = [...names].filter(([name, [found]]) => found?.kind !== 'user' && isClose(name));
  // "paymetns" is "payments" rather than "payment".
  const least = Math.min(...close.map(([name]) => apartBy(bare, name)));
  const nearest = close.filter(([name]) => apartBy(bare, name) === least);
  return nearest.length === 1 ? [...(nearest[0]?.[1] ?? [])] : [];
}

/** "in HELP", "of MAIL", "in TEN": capitals in a text that has others are a name, whatever the word means. */
export const isKey = ({ raw }: Token, text: string, { acronyms }: Lexicon): boolean =>
  /^[A-Z][A-Z0-9]{2,}$/u.test(raw) && !acronyms.has(raw) && /\p{Ll}/u.test(text);

/** A word that services are usually called by, where a name belongs. */
function isUsualName({ token, tokens, at, lexicon }: Here): boolean {
  const [before, next, bare] = [tokens[at - 1], tokens[at + 1], bareOf(token)];
  const ends = next === undefined || next.kind === 'mark' || lexicon.isIn(next.low, 'name ends');
  const fits = lexicon.isIn(next?.low, 'after name') || (lexicon.isIn(before?.low, 'before name') && ends);
  return fits && /^\p{Lu}?\p{Ll}+$/u.test(bare) && lexicon.isIn(bare.toLowerCase(), 'usual name');
}

/** Without a workspace, what stands in the text like a name is one. */
function openNames(here: Here): Found[] {
  const { token, lexicon } = here;
  const bare = bareOf(token);
  if (isUsualName(here)) return [{ kind: 'service', value: bare.toLowerCase() }];
  if (/^(?=.*[A-Z][A-Z0-9])[A-Z][A-Z0-9_]{1,11}$/u.test(bare) && !lexicon.acronyms.has(bare))
    return [{ kind: 'project', value: bare }];
  const found: Found[] = looseKey.test(bare) ? [{ kind: 'issue', value: bare.toUpperCase() }] : [];
  if (/^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+$/u.test(bare) && !lexicon.knows(token.low))
    found.push({ kind: 'service', value: bare });
  return found;
}

/** A number in digits or words: "1,200", "2k", "fifteen". */
function numberAt({ tokens, at, token, lexicon }: Here): Found[] {
  const { raw, low, end } = token;
  const [comma, after] = [tokens[at + 1], tokens[at + 2]];
  const isGrouped = comma?.raw === ',' && comma.start === end && after?.start === comma.end;
  if (isGrouped && /^\d{1,3}$/u.test(raw) && /^\d{3}$/u.test(after.raw))
    return [{ kind: 'number', length: 3, value: raw + after.raw }];
  const [, digits, thousands] = /^(\d+(?:\.\d+)?)(k?)$/u.exec(low) ?? [];
  // "more than one": elsewhere it is no number.
  const said = low === 'one' && tokens[at - 1]?.low === 'than' ? 1 : lexicon.words.numbers[low];
  const value = digits === undefined ? said : Number(digits) * (thousands ? 1_000 : 1);
  return value === undefined ? [] : [{ kind: 'number', value: String(value) }];
}

function thingsAt(here: Here): Found[] {
  const { token, lexicon, catalogue, text } = here;
  if (token.kind === 'pasted') return [{ kind: 'pasted', value: token.raw }];
  if (token.kind === 'quote') return [{ kind: 'quote', value: token.raw }];
  const fenced = token.raw.replace(/^```\w*\n?|\n?```$/gu, '');
  if (token.kind === 'data' && token.raw.startsWith('```')) return [{ kind: 'quote', value: fenced }];
  if (token.kind === 'data') return [{ kind: 'query', value: fenced.replace(/^search\s+(?=index)/iu, '') }];
  if (token.kind !== 'word') return [];
  const number = isKey(token, text, lexicon) ? [] : numberAt(here);
  const found = [
    ...[...byForm(here), ...spelledSeverity(here), ...durationAt(here, number[0])],
    ...[...number, ...clockAt(here), ...calendarAt(here), ...spelledTimes(here), ...fromCatalogue(here)],
  ];
  if (catalogue.open && found.length === 0) found.push(...openNames(here));
  // "who is on call for search" where no service is called so: what the word means elsewhere is not meant.
  else if (found.length === 0 && isUsualName(here)) return [{ kind: 'unknown', value: token.raw }];
  return found.length === 0 && !lexicon.knows(token.low) ? [{ kind: 'unknown', value: token.raw }] : found;
}

/** "yesterday's incidents", "this week's bugs": what something belongs to. "Who's" and "what's" are words of their own. */
function possessed({ low, raw }: Token, { knows, units }: Lexicon): string {
  const bare = bareOf({ raw: raw.toLowerCase() });
  return bare.length < raw.length && knows(bare) && (!knows(low) || units.has(bare)) ? bare : low;
}

/** The tokens with misspelt words mended. What may be a name is left as it is. */
function mended(tokens: readonly Token[], text: string, reader: Reader): Token[] {
  const { lexicon } = reader;
  return tokens.map((token, at) => {
    const low = possessed(token, lexicon);
    if (token.kind !== 'word' || /^[A-Z]{2,}$/u.test(token.raw)) return { ...token, low };
    const isKnown = !/^[a-z]{3,}$/u.test(low) || lexicon.knows(low) || lexicon.isEnglish(low);
    const short = own(lexicon.words.short, low);
    if (isKnown && short === undefined) return { ...token, low };
    if (fromCatalogue({ ...reader, tokens, at, token, text, dates: [] }).length > 0) return token;
    return { ...token, low: short ?? lexicon.mended(low) ?? low };
  });
}

/** Tokens with their spelling mended, and the things that begin at each of them, the longest first. */
export function readThings(
  raw: readonly Token[],
  text: string,
  reader: Reader,
): { tokens: Token[]; things: Thing[][] } {
  const tokens = mended(raw, text, reader);
  const dates = datesIn(text, tokens, reader);
  const things = tokens.map((token, at) => [
    ...dates.filter((date) => date.at === at),
    ...thingsAt({ ...reader, tokens, at, token, text, dates }).map((one) => ({ length: 1, ...one, at })),
  ]);
  return { tokens, things: things.map((here) => here.sort((a, b) => b.length - a.length)) };
}
