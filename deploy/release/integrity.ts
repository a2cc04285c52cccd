import { z } from 'zod';
import { ReleaseError } from './error.ts';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

/** One whole digest: npm takes a package without a check where it can read none, and any one of several. */
const digest = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * Throws a ReleaseError unless the lock file pins the bytes of every package, development included, and says of none where
 * it comes from. npm leaves the digest out for packages of other platforms when it writes the file from installed ones.
 */
export function checkIntegrity(lockFile: string): void {
  const { packages } = lockSchema.parse(JSON.parse(lockFile));
  const all = Object.entries(packages).filter(([place, { link }]) => place !== '' && link !== true);
  const unpinned = all.filter(([, { integrity = '' }]) => !digest.test(integrity)).map(namesOf);
  if (unpinned.length > 0) {
    throw new ReleaseError(
      `package-lock.json has no integrity for ${unpinned.join(', ')}: add what “npm view <name>@<version> dist.integrity” says.`,
    );
  }
  const located = all.filter(([, { resolved }]) => resolved !== undefined).map(namesOf);
  if (located.length > 0) {
    throw new ReleaseError(
      `package-lock.json names an address for ${located.join(', ')}: every package comes from the registry that .npmrc sets.`,
    );
  }
}

function namesOf([place]: readonly [string, unknown]): string {
  return place.slice(place.lastIndexOf('node_modules/') + 13);
}
