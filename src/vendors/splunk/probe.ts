import { type Checkup, tried } from '../../core/doctor-result.ts';
import { badAnswer } from '../http/no-answer.ts';
import { exportSearch, type SplunkOptions } from './search.ts';

const timeoutMs = 10_000;

/** Checks that the token may search. Generates one empty result, and reads no index. */
export function probeSplunk(options: SplunkOptions): Promise<Checkup[]> {
  return tried('splunk', async () => {
    const to = options.now();
    const search = { search: '| makeresults count=1', from: new Date(to.getTime() - 1_000), to };
    const { total } = await exportSearch(options, search, 1, AbortSignal.timeout(timeoutMs));
    if (total !== 1) throw badAnswer('Splunk', 'it has no result', { write: false });
    return [{ about: 'splunk', level: 'ok', says: `${new URL(options.url).host} answers searches` }];
  });
}
