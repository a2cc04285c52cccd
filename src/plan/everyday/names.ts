import type { Catalogue } from '../../core/catalogue.ts';
import { lowOf, type NameKind, type Names, type Token } from './tokens.ts';

/** Names of a workspace, indexed without punctuation: `checkout api` finds `checkout-api`. */
export type NameIndex = ReadonlyMap<string, Names>;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_.#@-]/gu, '');

/** Maximum words of a name written with spaces in a request. */
const maxWords = 3;

type Named = Pick<Catalogue, 'services' | 'projects' | 'channels' | 'people'>;

/** A request is looked at several times, and thousands of services take a while. */
const known = new WeakMap<Named, NameIndex>();

export function nameIndex(of: Named): NameIndex {
  const index = known.get(of) ?? indexOf(of);
  known.set(of, index);
  return index;
}

function indexOf({ services, projects, channels, people }: Named): NameIndex {
  const index = new Map<string, Names>();
  const add = (kind: NameKind, said: string, value: string): void => {
    const key = plain(said);
    if (key !== '') index.set(key, { [kind]: value, ...index.get(key) });
  };
  for (const { name } of services) add('service', name, name);
  for (const { key, aliases } of projects) for (const said of [key, ...aliases]) add('project', said, key);
  for (const { name } of channels) add('channel', name, `#${name}`);
  for (const { handle } of people) add('user', handle, `@${handle}`);
  return index;
}

const joinable = new Set<Token['kind']>(['word', 'capitals', 'hyphened', 'code', 'number']);
const single = new Set<Token['kind']>([...joinable, 'channel', 'person', 'quoted word', 'incident']);

/** Tokens with their workspace names; a name of several words becomes one token. */
export function withNames(text: string, tokens: readonly Token[], index: NameIndex): Token[] {
  if (index.size === 0) return [...tokens];
  const named: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const length = longestName(tokens, at, index);
    const [first, last] = [tokens[at] as Token, tokens[at + length - 1] as Token];
    const key = plain(
      tokens
        .slice(at, at + length)
        .map(nameText)
        .join(''),
    );
    const names = single.has(first.kind) ? (index.get(key) ?? {}) : {};
    const raw = length === 1 ? first.raw : text.slice(first.start, last.end);
    named.push({ ...first, raw, low: lowOf(raw), end: last.end, names: fitting(first, names) });
    at += length;
  }
  return named;
}

const nameText = ({ kind, values, raw }: Token): string =>
  kind === 'quoted word' ? (values.text ?? raw) : raw;

/** "#ops" is not a service, and "@ops" not a channel. */
function fitting({ kind }: Token, names: Names): Names {
  const only = ({ channel: 'channel', person: 'user' } as const)[kind as 'channel' | 'person'];
  if (only === undefined) return names;
  return names[only] === undefined ? {} : { [only]: names[only] };
}

function longestName(tokens: readonly Token[], at: number, index: NameIndex): number {
  for (let length = maxWords; length > 1; length -= 1) {
    const run = tokens.slice(at, at + length);
    const isRun = run.length === length && run.every(({ kind }) => joinable.has(kind));
    const found = isRun ? index.get(plain(run.map(({ raw }) => raw).join(''))) : undefined;
    if (found?.service !== undefined || found?.project !== undefined) return length;
  }
  return 1;
}
