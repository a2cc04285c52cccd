import { ReleaseError } from './error.ts';

const heading = '## Unreleased';

/** The changelog with what was unreleased under a version and its day, and an empty place for what comes next. */
export function releasedChangelog(source: string, version: string, day: string): string {
  if (source.includes(`\n## ${version} `))
    throw new ReleaseError(`CHANGELOG.md has a section ${version} already.`);
  const at = source.indexOf(`${heading}\n`);
  if (at < 0) throw new ReleaseError(`CHANGELOG.md has no section “${heading}”.`);
  if (notesIn(source.slice(at + heading.length)) === '') {
    throw new ReleaseError(`Nothing stands under “${heading}” in CHANGELOG.md: say what changed for people.`);
  }
  return source.replace(`${heading}\n`, `${heading}\n\n## ${version} - ${day}\n`);
}

/** The text under the heading of a version, for its release. */
export function notesOf(changelog: string, version: string): string {
  const at = changelog.indexOf(`\n## ${version} `);
  return at < 0 ? '' : notesIn(changelog.slice(changelog.indexOf('\n', at + 1)));
}

function notesIn(rest: string): string {
  const end = rest.indexOf('\n## ');
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}
