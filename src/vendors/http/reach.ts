import { type Checkup, tried } from '../../core/doctor-result.ts';
import { noAnswer } from './no-answer.ts';

const timeoutMs = 10_000;

/**
 * Whether a host answers at all, for one to which nothing can be sent as a try. Whatever it says will do: its name is
 * known, a connection opens, and its certificate is trusted.
 */
export function probeHost(
  about: string,
  {
    vendor,
    url,
    fetch,
  }: { readonly vendor: string; readonly url: URL; readonly fetch: typeof globalThis.fetch },
): Promise<Checkup[]> {
  const { host } = url;
  return tried(about, async () => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
    } catch (error) {
      throw noAnswer(error, { vendor, host, write: false, signal });
    }
    return [{ about, level: 'ok', says: `${host} answers` }];
  });
}
