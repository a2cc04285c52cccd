import type { AboutPort, Listed } from './port.ts';

/** Filters what a person may see: their own requests, and those in channels they can read. */
export async function visible<S extends Pick<Listed, 'requester' | 'channel'>>(
  viewer: string,
  all: readonly S[],
  { maySee }: Pick<AboutPort, 'maySee'>,
): Promise<S[]> {
  const seen = await Promise.all(
    all.map(({ requester, channel }) => requester === viewer || maySee(viewer, channel)),
  );
  return all.filter((_, index) => seen[index]);
}
