import type { LinkHosts } from '../../core/address.ts';
import type { Readers, Writers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { createPagerDutyReader, type PagerDutyReaderOptions } from './reader.ts';
import { createPagerDutyWriter, type PagerDutyWriterOptions } from './writer.ts';

export interface PagerDutyAccess {
  readonly readers: Pick<Readers, 'pagerduty'>;
  readonly writers: Pick<Writers, 'pagerduty'>;
  /** Hosts where people open its links: every account has its own, which the API does not return. */
  readonly hosts: LinkHosts;
}

/** PagerDuty for the tools; null when it is not set up. */
export function connectPagerDuty(
  options: (PagerDutyReaderOptions & PagerDutyWriterOptions) | null,
): PagerDutyAccess {
  if (options === null) {
    const settings = 'PAGERDUTY_API_TOKEN and PAGERDUTY_FROM_EMAIL';
    const readers = { pagerduty: unconfigured<Readers['pagerduty']>(settings) };
    return { readers, writers: { pagerduty: unconfigured(settings) }, hosts: [] };
  }
  return {
    readers: { pagerduty: createPagerDutyReader(options) },
    writers: { pagerduty: createPagerDutyWriter(options) },
    hosts: ['*.pagerduty.com'],
  };
}
