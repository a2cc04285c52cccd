import { type LinkHosts, mayLink } from '../core/address.ts';
import type { JsonObject } from '../core/json.ts';
import type { ArgWords, Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import { link, type Span } from './rich.ts';

/** A tool's result, with everything needed to show it. */
export interface ShownResult {
  readonly manifest: Manifest;
  readonly args: ArgWords;
  readonly result: JsonObject;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}

/** A link that may be live, with the value it belongs to if a sentence contains that. */
export interface NamedLink {
  readonly url: string;
  readonly words: string;
  readonly name: string | null;
}

/** The links of a result, as its manifest declares them. Leaves out addresses on unknown hosts. */
export function linksOf({ manifest, args, result, hosts }: ShownResult): NamedLink[] {
  return (manifest.shows?.links ?? []).flatMap(({ field, words, names }) => {
    const url = own(result, field);
    if (typeof url !== 'string' || !mayLink(url, hosts)) return [];
    const value = names === undefined ? undefined : (own(result, names) ?? own(args, names));
    return [{ url, words, name: typeof value === 'string' && value.length > 1 ? value : null }];
  });
}

/** A sentence in which every value with a link becomes that link. */
export function linked(text: string, links: readonly NamedLink[]): Span[] {
  const named = links.flatMap(({ name, url }) => (name === null ? [] : [{ name, url }]));
  if (named.length === 0) return [text];
  const spans: Span[] = [];
  for (let from = 0; ; ) {
    const next = named
      .map(({ name, url }) => ({ name, url, at: placeOf(text, name, from) }))
      .filter(({ at }) => at !== -1)
      // Longest first: OPS-12 is not OPS-1.
      .sort((a, b) => a.at - b.at || b.name.length - a.name.length)[0];
    if (next === undefined) return [...spans, text.slice(from)];
    spans.push(text.slice(from, next.at), link(next.url, next.name));
    from = next.at + next.name.length;
  }
}

const partOfName = /[\p{L}\p{N}_-]/u;

/** Position of a name as a separate word, from `from` on; -1 if there is none. */
function placeOf(text: string, name: string, from = 0): number {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + name.length).slice(0, 2)];
    const isInside = partOfName.test([...before].at(-1) ?? '') || partOfName.test([...after][0] ?? '');
    if (!isInside) return at;
  }
  return -1;
}

/** True when a sentence contains the link's value, and so carries the link itself. */
export function isSaid(text: string, { name }: NamedLink): boolean {
  return name !== null && placeOf(text, name) !== -1;
}
