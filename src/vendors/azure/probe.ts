import { type Checkup, tried } from '../../core/doctor-result.ts';
import { VendorError } from '../../core/errors.ts';
import { type AzureOptions, createAzureLogs } from './logs.ts';
import type { AzureReader } from './port.ts';

const timeoutMs = 10_000;

/** Checks that the app may query each workspace. Reads no table. */
export async function probeAzure(options: AzureOptions, now: () => Date): Promise<Checkup[]> {
  const logs = createAzureLogs(options);
  const each = [...options.workspaces].map(([name, id]) => probeWorkspace(logs, name, id, now()));
  return (await Promise.all(each)).flat();
}

function probeWorkspace(logs: AzureReader, name: string, id: string, to: Date): Promise<Checkup[]> {
  const about = `azure ${name}`;
  return tried(about, async () => {
    const from = new Date(to.getTime() - 1_000);
    const query = { template: null, source: name, text: 'print 1', values: {}, from, to, over: '' };
    try {
      await logs.run(query, 1, AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (!(error instanceof VendorError) || error.code !== 'not_found') throw error;
      const says = `there is no workspace ${id}: take the Workspace ID from its overview in Azure`;
      return [{ about, level: 'wrong', says }];
    }
    return [{ about, level: 'ok', says: `the workspace ${id} answers queries` }];
  });
}
