import type { LinkHosts } from '../../core/address.ts';
import { configuredUrl } from '../http/egress.ts';
import type { RunbookSource } from './port.ts';
import { openShelf, type ShelfOptions } from './search.ts';

/** The folder of runbooks for the tools, with the host of its links; empty when it is not set up. */
export function connectRunbooks(options: ShelfOptions | null): {
  readonly sources: readonly RunbookSource[];
  readonly hosts: LinkHosts;
} {
  if (options === null) return { sources: [], hosts: [] };
  const hosts = options.address === null ? [] : [configuredUrl(options.address).host];
  return { sources: [openShelf(options)], hosts };
}
