import { z } from 'zod';
import { ReleaseError } from './error.ts';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      name: z.string().optional(),
    }),
  ),
});

/** One whole digest: npm takes a package without a check where it can read none, and any one of several. */
const digest = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * Throws a ReleaseError unless the lock file pins the bytes of every package, development included, puts none but `aliases`
 * in the place of another, and says of none where it comes from. npm leaves the digest out for packages of other platforms
 * when it writes the file from installed ones.
 */
export function checkIntegrity(lockFile: string, aliases: readonly string[] = []): void {
  const { packages } = lockSchema.parse(JSON.parse(lockFile));
  const all = Object.entries(packages).filter(([place]) => place !== '');
  const unpinned = all.filter(([, { integrity = '' }]) => !digest.test(integrity)).map(nameOf);
  if (unpinned.length > 0) {
    throw new ReleaseError(
      `package-lock.json has no integrity for ${unpinned.join(', ')}: add what “npm view <name>@<version> dist.integrity” says.`,
    );
  }
  const replaced = all.find((each) => {
    const [own, name = own] = [nameOf(each), each[1].name];
    return name !== own && !aliases.includes(own);
  });
  if (replaced !== undefined) {
    throw new ReleaseError(
      `package-lock.json puts ${replaced[1].name} in the place of ${nameOf(replaced)}: npm installs it without a word. Take the entry out and run “npm install --package-lock-only”.`,
    );
  }
  const located = all.filter(([, { resolved }]) => resolved !== undefined).map(nameOf);
  if (located.length > 0) {
    throw new ReleaseError(
      `package-lock.json names an address for ${located.join(', ')}: every package comes from the registry that .npmrc sets.`,
    );
  }
}

function nameOf([place]: readonly [string, unknown]): string {
  return place.slice(place.lastIndexOf('node_modules/') + 13);
}
