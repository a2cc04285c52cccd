import type { LinkHosts } from '../../core/address.ts';
import type { Readers, Writers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { createIncidentWriter, type IncidentWriterOptions } from './incident-writer.ts';
import { createIncidentReader, type IncidentAccess } from './incidents.ts';
import { createLifeReader } from './life.ts';
import { createPageWriter, type PageWriterOptions } from './page-writer.ts';
import type { PagerDutyReader, PagerDutyWriter } from './port.ts';
import { createRotaReader } from './schedules.ts';
import { type KnownKeys, routingKeys } from './services.ts';

export interface PagerDutyAccess {
  readonly readers: Pick<Readers, 'pagerduty'>;
  readonly writers: Pick<Writers, 'pagerduty'>;
  /** Hosts where people open its links: every account has its own, which the API does not return. */
  readonly hosts: LinkHosts;
  /** Looks up the routing keys that are not in the settings; why services cannot be paged, a line each. */
  readonly loadKeys: (signal: AbortSignal) => Promise<readonly string[]>;
}

/** PagerDuty for the tools; null when it is not set up. */
export function connectPagerDuty(
  options:
    | (PagerDutyReaderOptions & Omit<PagerDutyWriterOptions, 'routing'> & { readonly knownKeys?: KnownKeys })
    | null,
): PagerDutyAccess {
  if (options === null) {
    const settings = 'PAGERDUTY_API_TOKEN and PAGERDUTY_FROM_EMAIL';
    const readers = { pagerduty: unconfigured<Readers['pagerduty']>(settings) };
    return { readers, writers: { pagerduty: unconfigured(settings) }, hosts: [], loadKeys: async () => [] };
  }
  const routing = routingKeys(options.services, options, options.knownKeys ?? new Map());
  return {
    readers: { pagerduty: createPagerDutyReader(options) },
    writers: { pagerduty: createPagerDutyWriter({ ...options, routing }) },
    hosts: ['*.pagerduty.com'],
    loadKeys: (signal) => routing.load(signal),
  };
}

export type PagerDutyReaderOptions = IncidentAccess;

/** Reads who is on call, and incidents. Every failure is a VendorError. */
export function createPagerDutyReader(options: PagerDutyReaderOptions): PagerDutyReader {
  return { ...createRotaReader(options), ...createIncidentReader(options), ...createLifeReader(options) };
}

export type PagerDutyWriterOptions = PageWriterOptions & IncidentWriterOptions;

/** Pages through Events v2, and everything else over REST. */
function createPagerDutyWriter(options: PagerDutyWriterOptions): PagerDutyWriter {
  return { ...createPageWriter(options), ...createIncidentWriter(options) };
}
