import { createIncidentWriter, type IncidentWriterOptions } from './incident-writer.ts';
import { createPageWriter, type PageWriterOptions } from './page-writer.ts';
import type { PagerDutyWriter } from './port.ts';

export type PagerDutyWriterOptions = PageWriterOptions & IncidentWriterOptions;

/** Pages through Events v2, and everything else over REST. */
export function createPagerDutyWriter(options: PagerDutyWriterOptions): PagerDutyWriter {
  return { ...createPageWriter(options), ...createIncidentWriter(options) };
}
