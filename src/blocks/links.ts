import { type LinkHosts, mayLink } from '../core/address.ts';
import type { JsonObject } from '../core/json.ts';
import type { ArgWords, Manifest } from '../core/manifest.ts';
import { own } from '../core/own.ts';
import { link, type Span } from './rich.ts';

/** A result of a tool, with what is needed to show it. */
export interface ShownResult {
  readonly manifest: Manifest;
  readonly args: ArgWords;
  readonly result: JsonObject;
  /** Hosts that may be linked to. */
  readonly hosts: LinkHosts;
}

/** A link that may be live, with the value that it names where a sentence says it. */
export interface NamedLink {
  readonly url: string;
  readonly words: string;
  readonly name: string | null;
}

/** The links of a result, as its manifest declares them. An address on a host that we do not know is left out. */
export function linksOf({ manifest, args, result, hosts }: ShownResult): NamedLink[] {
  return (manifest.shows?.links ?? []).flatMap(({ field, words, names }) => {
    const url = own(result, field);
    if (typeof url !== 'string' || !mayLink(url, hosts)) return [];
    const value = names === undefined ? undefined : (own(result, names) ?? own(args, names));
    return [{ url, words, name: typeof value === 'string' && value.length > 1 ? value : null }];
  });
}

/** A sentence in which every value that a link names is that link. */
export function linked(text: string, links: readonly NamedLink[]): Span[] {
  const named = links.flatMap(({ name, url }) => (name === null ? [] : [{ name, url }]));
  if (named.length === 0) return [text];
  // The longest first: OPS-12 is not OPS-1.
  const names = named.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const parts = text.split(new RegExp(`${before}(${names.map(RegExp.escape).join('|')})${after}`, 'u'));
  return parts.map((part, index) => {
    const url = index % 2 === 1 ? named.find(({ name }) => name === part)?.url : undefined;
    return url === undefined ? part : link(url, part);
  });
}

const before = '(?<![\\p{L}\\p{N}_-])';
const after = '(?![\\p{L}\\p{N}_-])';

/** True when a sentence says the value that the link names, and so carries the link itself. */
export function isSaid(text: string, { name }: NamedLink): boolean {
  return name !== null && new RegExp(`${before}${RegExp.escape(name)}${after}`, 'u').test(text);
}
