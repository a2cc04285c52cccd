import { type Checkup, tried } from '../../core/doctor-result.ts';
import { pagesIn } from './cql.ts';
import { type ConfluenceOptions, searchPages } from './search.ts';

const timeoutMs = 10_000;

/** Checks that the account can see pages: in each space, or anywhere if no space is configured. */
export async function probeConfluence(options: ConfluenceOptions): Promise<Checkup[]> {
  const { spaces } = options;
  const each = (spaces.length === 0 ? [null] : spaces).map((space) => probeSpace(options, space));
  return (await Promise.all(each)).flat();
}

/** Confluence silently leaves out what an account may not see. */
function probeSpace(options: ConfluenceOptions, space: string | null): Promise<Checkup[]> {
  const about = space === null ? 'confluence' : `confluence ${space}`;
  return tried(about, async () => {
    const cql = pagesIn(space === null ? [] : [space]);
    const { results } = await searchPages(options, cql, 1, AbortSignal.timeout(timeoutMs));
    const { host } = new URL(options.host);
    if (results.length > 0) return [{ about, level: 'ok', says: `the account sees pages there, on ${host}` }];
    const says =
      space === null
        ? `the account sees no page on ${host}: let it view the spaces with runbooks`
        : `the account sees no page in ${space}: check the key, or let it view that space`;
    return [{ about, level: 'wrong', says }];
  });
}
