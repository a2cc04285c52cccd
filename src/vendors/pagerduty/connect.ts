import type { LinkHosts } from '../../core/address.ts';
import type { Readers, Writers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { createPagerDutyReader, type PagerDutyReaderOptions } from './reader.ts';
import { createPagerDutyWriter, type PagerDutyWriterOptions } from './writer.ts';

export interface PagerDutyAccess {
  readonly readers: Pick<Readers, 'pagerduty'>;
  readonly writers: Pick<Writers, 'pagerduty'>;
  /** Where people open what it links to: every account has a host of its own, which the API does not tell. */
  readonly hosts: LinkHosts;
}

/** PagerDuty as tools may reach it; null where it is not set up. */
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
