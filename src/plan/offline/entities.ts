import { distance } from 'fastest-levenshtein';
import type { Catalogue } from '../../core/catalogue.ts';
import type { Entity, EntityKind, Reader } from './entity.ts';
import type { Lexicon } from './lexicon.ts';
import { durationAt, numberAt, unitOf } from './quantities.ts';
import { datesIn, timesAt } from './times.ts';
import type { Token } from './tokens.ts';

type Found = Omit<Entity, 'length'>;

const key = /^[A-Z][A-Z0-9_]+-\d{1,9}$/u;
const looseKey = /^([a-z][a-z0-9_]+)-\d{1,9}$/u;
const severity = /^(?:p|s|sev|severity|prio|priority)-?([1-5])(?:'?s)?$/iu;
const codeForms = [
  /^(?=.*\d|.*_)[A-Z][A-Z0-9]*(?:[-_.][A-Z0-9]+)+$/u,
  /^(?=.*\d)[A-Z]{1,6}\d{3,}[A-Z]?$/u,
  /^0x[0-9a-f]+$/iu,
  /^E[A-Z]{4,}$/u,
  /^(?:\p{Lu}\p{Ll}+){1,6}(?:Exception|Error|Fault|Failure)$/u,
  /^[A-Z]+(?:_[A-Z0-9]+)+$/u,
];

function fromLink(raw: string): Found | null {
  const issue = /\/browse\/([A-Z][A-Z0-9_]+-\d+)/u.exec(raw);
  if (issue?.[1]) return { kind: 'issue', value: issue[1] };
  // With its host: an address that is not in the PagerDuty of the operator names no incident there.
  const incident = /^https:\/\/[\w.:-]+\/incidents\/[A-Z0-9]+/u.exec(raw);
  return incident ? { kind: 'incident', value: incident[0] } : null;
}

/** Things that are known by their form alone. */
function byForm(token: Token): Found[] {
  const { raw } = token;
  if (raw.startsWith('http')) return [fromLink(raw)].filter((found) => found !== null);
  const number = /^#(\d+)$/u.exec(raw)?.[1];
  if (number) return [{ kind: 'incident', value: number }];
  if (/^#[\p{L}\p{N}]/u.test(raw)) return [{ kind: 'channel', value: raw.toLowerCase() }];
  if (/^@[\p{L}\p{N}]/u.test(raw)) return [{ kind: 'user', value: raw.replace(/['’]s$/u, '').toLowerCase() }];
  const level = severity.exec(raw.replace(/’/gu, "'"))?.[1];
  if (level) return [{ kind: 'severity', value: `P${level}` }];
  const found: Found[] = [];
  const bare = raw.replace(/['’]s$/u, '');
  if (key.test(bare)) found.push({ kind: 'issue', value: bare });
  if (/^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{5,14}$/u.test(bare)) found.push({ kind: 'incident', value: bare });
  if (codeForms.some((form) => form.test(bare))) found.push({ kind: 'code', value: bare });
  return found;
}

function nameKinds(catalogue: Catalogue, raw: string): Found[] {
  const low = raw.toLowerCase().replace(/['’]s$/u, '');
  const found: Found[] = [];
  const add = (kind: EntityKind, value: string): void => {
    if (!found.some((other) => other.kind === kind && other.value === value)) found.push({ kind, value });
  };
  for (const { name, project } of catalogue.services) {
    if (name.toLowerCase() !== low) continue;
    add('service', name);
    if (project) add('project', project);
  }
  for (const { key: projectKey, service, aliases } of catalogue.projects) {
    if (projectKey.toLowerCase() !== low && !aliases.some((alias) => alias.toLowerCase() === low)) continue;
    add('project', projectKey);
    if (service) add('service', service);
  }
  const ofProject = looseKey.exec(low)?.[1];
  if (catalogue.projects.some(({ key: own }) => own.toLowerCase() === ofProject))
    add('issue', low.toUpperCase());
  for (const { name } of catalogue.channels) if (name.toLowerCase() === low) add('channel', `#${name}`);
  for (const { handle } of catalogue.people) if (handle.toLowerCase() === low) add('user', `@${handle}`);
  return found;
}

/** Names of one or more words that the workspace has; of misspelt ones only those that nothing else is like. */
function fromCatalogue(tokens: readonly Token[], index: number, { catalogue, lexicon }: Reader): Entity[] {
  const hasSigned = tokens.some(({ raw }) => /^#\p{L}/u.test(raw));
  for (let length = 4; length >= 1; length -= 1) {
    const part = tokens.slice(index, index + length);
    if (part.length < length || part.some(({ kind }) => kind !== 'word')) continue;
    const said = part.map(({ raw }) => raw.replace(/^[#@]/u, ''));
    const sign = part[0]?.raw[0];
    // "post the P1s in ops to #incidents": where a channel has its sign, "ops" is none.
    const mayBeIt = (kind: EntityKind): boolean => kind !== 'channel' || sign === '#' || !hasSigned;
    const found = [said.join('-'), said.join('_'), said.join('')]
      .flatMap((name) => nameKinds(catalogue, name))
      .filter(({ kind }) => (sign === '#' ? kind === 'channel' : sign !== '@' || kind === 'user'))
      .filter(({ kind }) => mayBeIt(kind));
    if (found.length > 0)
      return [...new Map(found.map((one) => [`${one.kind} ${one.value}`, { ...one, length }])).values()];
  }
  const token = tokens[index] as Token;
  const bare = token.low.replace(/^[#@]/u, '');
  if (bare.length < 5 || lexicon.knows(bare)) return [];
  const names = [
    ...catalogue.services.map(({ name }) => name),
    ...catalogue.channels.map(({ name }) => name),
    ...catalogue.projects.flatMap(({ aliases }) => aliases),
  ];
  const close = names.filter((name) => distance(name.toLowerCase(), bare) === 1);
  return close.length === 1 ? nameKinds(catalogue, close[0] ?? '').map((one) => ({ ...one, length: 1 })) : [];
}

/** "in HELP", "of MAIL", "in TEN": capitals in a text that has others are a name, whatever the word means. */
export const isKey = ({ raw }: Token, text: string, { acronyms }: Lexicon): boolean =>
  /^[A-Z][A-Z0-9]{2,}$/u.test(raw) && !acronyms.has(raw) && /\p{Ll}/u.test(text);

/** Without a workspace, what stands in the text like a name is one. */
function openNames(token: Token, lexicon: Lexicon): Found[] {
  const { raw, low } = token;
  const bare = raw.replace(/['’]s$/u, '');
  if (/^[A-Z][A-Z0-9_]{1,11}$/u.test(bare) && /[A-Z]{2}|[A-Z]\d/u.test(bare) && !lexicon.acronyms.has(bare))
    return [{ kind: 'project', value: bare }];
  const found: Found[] = looseKey.test(bare) ? [{ kind: 'issue', value: bare.toUpperCase() }] : [];
  if (/^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+$/u.test(bare) && !lexicon.knows(low))
    found.push({ kind: 'service', value: bare });
  return found;
}

/** "priority 2", "sev 1", "P 1". */
function spelledSeverity(tokens: readonly Token[], index: number): Entity | null {
  const word = tokens[index]?.low ?? '';
  const level =
    /^([1-5])s?$/u.exec(tokens[index + 1]?.low ?? '')?.[1] ??
    { one: '1', two: '2', three: '3', four: '4', five: '5' }[tokens[index + 1]?.low ?? ''];
  if (!level || !/^(?:priority|prio|sev|severity|p)$/u.test(word)) return null;
  return { kind: 'severity', length: 2, value: `P${level}` };
}

function entitiesAt(
  tokens: readonly Token[],
  index: number,
  text: string,
  reader: Reader,
  dates: ReturnType<typeof datesIn>,
): Entity[] {
  const token = tokens[index] as Token;
  const { catalogue, lexicon } = reader;
  const key = isKey(token, text, lexicon);
  if (token.kind === 'quote') return [{ kind: 'quote', length: 1, value: token.raw }];
  if (token.kind === 'data' && token.raw.startsWith('```'))
    return [{ kind: 'quote', length: 1, value: token.raw.replace(/^```\w*\n?|\n?```$/gu, '') }];
  if (token.kind === 'data')
    return [
      {
        kind: 'query',
        length: 1,
        value: token.raw.replace(/^```\w*\n?|```$/gu, '').replace(/^search\s+(?=index)/iu, ''),
      },
    ];
  const number = token.kind === 'word' && !key ? numberAt(tokens, index, lexicon) : null;
  if (token.kind !== 'word') return [];
  const found: Entity[] = byForm(token).map((one) => ({ ...one, length: 1 }));
  const spelled = spelledSeverity(tokens, index);
  if (spelled) found.push(spelled);
  if (number && /^\d{4,}$/u.test(token.raw)) found.push({ kind: 'incident', length: 1, value: token.raw });
  const duration = durationAt(tokens, index, number, lexicon);
  if (duration) found.push(duration);
  if (number) found.push(number);
  if (/^[45]\d\d$|^[45]xx$/iu.test(token.raw)) found.push({ kind: 'code', length: 1, value: token.raw });
  found.push(...timesAt(tokens, index, reader, dates), ...fromCatalogue(tokens, index, reader));
  if (catalogue.open && found.length === 0)
    found.push(...openNames(token, lexicon).map((one) => ({ ...one, length: 1 })));
  if (found.length === 0 && !lexicon.knows(token.low))
    found.push({ kind: 'unknown', length: 1, value: token.raw });
  return found.sort((a, b) => b.length - a.length);
}

/** The tokens with misspelt words mended. What may be a name is left as it is. */
function mended(tokens: readonly Token[], { lexicon, catalogue }: Reader): Token[] {
  return tokens.map((token, index) => {
    if (
      token.kind !== 'word' ||
      !/^[a-z]{3,}$/u.test(token.low) ||
      lexicon.knows(token.low) ||
      lexicon.isEnglish(token.low) ||
      unitOf(token.low, lexicon)
    )
      return token;
    if (
      /^[A-Z]{2,}$/u.test(token.raw) ||
      fromCatalogue(tokens, index, { lexicon, catalogue, now: new Date(0) }).length > 0
    )
      return token;
    const low = lexicon.mended(token.low);
    return low === null ? token : { ...token, low };
  });
}

/** Tokens and, for each of them, the things that begin there, the longest first. */
export function readEntities(
  raw: readonly Token[],
  text: string,
  reader: Reader,
): { tokens: Token[]; entities: Entity[][] } {
  const tokens = mended(raw, reader);
  const dates = datesIn(text, reader.now);
  return { tokens, entities: tokens.map((_token, index) => entitiesAt(tokens, index, text, reader, dates)) };
}
