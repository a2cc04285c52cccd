import type { LinkHosts } from '../../core/address.ts';
import { configuredUrl } from '../http/egress.ts';
import type { PageSource } from './port.ts';
import { type ConfluenceOptions, createConfluence } from './search.ts';

/** Confluence for the tools, with the host of its links; empty when it is not set up. */
export function connectConfluence(options: ConfluenceOptions | null): {
  readonly sources: readonly PageSource[];
  readonly hosts: LinkHosts;
} {
  if (options === null) return { sources: [], hosts: [] };
  return { sources: [createConfluence(options)], hosts: [configuredUrl(options.host).host] };
}
