import type { Readers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { type AzureOptions, createAzureLogs } from './logs.ts';

/** Azure Monitor for the tools; null when it is not set up. */
export function connectAzure(options: AzureOptions | null): Pick<Readers, 'azure'> {
  return { azure: options === null ? unconfigured('azure in countersign.yml') : createAzureLogs(options) };
}
