import type { Readers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { createSplunk, type SplunkOptions } from './search.ts';

/** Splunk for the tools; null when it is not set up. */
export function connectSplunk(options: SplunkOptions | null): Pick<Readers, 'splunk'> {
  return { splunk: options === null ? unconfigured('SPLUNK_URL and SPLUNK_TOKEN') : createSplunk(options) };
}
