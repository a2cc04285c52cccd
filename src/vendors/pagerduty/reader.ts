import { createIncidentReader, type IncidentAccess } from './incidents.ts';
import { createLifeReader } from './life.ts';
import type { PagerDutyReader } from './port.ts';
import { createRotaReader } from './schedules.ts';

export type PagerDutyReaderOptions = IncidentAccess;

/** Reads who is on call, and incidents. Every failure is a VendorError. */
export function createPagerDutyReader(options: PagerDutyReaderOptions): PagerDutyReader {
  return { ...createRotaReader(options), ...createIncidentReader(options), ...createLifeReader(options) };
}
