import { z } from 'zod';
import { ReleaseError } from './error.ts';

/** Licences under which we pass packages on. */
const allowed = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
]);

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

export interface Licensed {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Every package that is shipped, on whatever platform, as the lock file has it. Throws a ReleaseError for a licence that is none of ours. */
export function licencesOf(lockFile: string): Licensed[] {
  const { packages } = lockSchema.parse(JSON.parse(lockFile));
  const shipped = Object.entries(packages)
    .filter(([place, each]) => place !== '' && each.dev !== true && each.devOptional !== true)
    .map(([place, { version = '', license = 'unknown' }]) => {
      return { name: place.slice(place.lastIndexOf('node_modules/') + 13), version, licence: license };
    });
  const refused = shipped.filter(({ licence }) => !isAllowed(licence));
  if (refused.length > 0) {
    const each = refused.map(({ name, licence }) => `${name} (${licence})`).join(', ');
    throw new ReleaseError(`These packages may not be shipped for their licence: ${each}.`);
  }
  const byName = new Map(shipped.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byName.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Of a choice one is enough; of several that hold together all have to be. */
function isAllowed(licence: string): boolean {
  const choices = licence.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((each) => allowed.has(each.trim())));
}

/** As a page: a table by name. */
export function licencePage(licences: readonly Licensed[]): string {
  const rows = licences.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return [
    '# Third-party packages',
    '',
    '| package | version | licence |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
