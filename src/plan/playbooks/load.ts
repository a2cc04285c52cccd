import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CountersignError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import { checkPlaybooks, type PlaybookFile, problemLine } from './lint.ts';
import { parsePlaybook } from './parse.ts';
import type { Playbook } from './playbook.ts';

/** Invalid playbooks; the message has one line per problem. */
export class PlaybookError extends CountersignError {}

/** The YAML files of a folder, sorted by name. */
export function readPlaybookFiles(folder: string): PlaybookFile[] {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => ({ file: name, source: readFileSync(join(folder, name), 'utf8') }));
}

/** Playbook names in a folder, for references checked before the tools are known. */
export function playbookNames(folder: string): Set<string> {
  const parsed = readPlaybookFiles(folder).map(({ file, source }) => parsePlaybook(source, file).playbook);
  return new Set(parsed.flatMap((playbook) => playbook?.name ?? []));
}

/** The playbooks of a folder. Throws a PlaybookError when any of them is invalid: no partial sets. */
export function loadPlaybooks(folder: string, manifests: readonly Manifest[]): Playbook[] {
  const { playbooks, problems } = checkPlaybooks(readPlaybookFiles(folder), manifests);
  if (problems.length > 0) {
    throw new PlaybookError('playbooks_invalid', problems.map(problemLine).join('\n'), {
      problems: problems.length,
    });
  }
  return playbooks;
}
