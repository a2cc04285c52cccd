import type { Readers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { type AzureOptions, createAzureLogs } from './logs.ts';

/** Azure Monitor as tools may reach it; null where it is not set up. */
export function connectAzure(options: AzureOptions | null): Pick<Readers, 'azure'> {
  return { azure: options === null ? unconfigured('azure in countersign.yml') : createAzureLogs(options) };
}
