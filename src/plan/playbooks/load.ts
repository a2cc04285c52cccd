import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
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

/** Settings are read again and again, mostly with the same playbooks: what was found in the files of each folder. */
const read = new LRUCache<string, { readonly files: string; readonly names: ReadonlySet<string> }>({
  max: 10,
});
const checked = new WeakMap<
  readonly Manifest[],
  { readonly files: string; readonly playbooks: readonly Playbook[] }
>();

/** Playbook names in a folder, for references checked before the tools are known. */
export function playbookNames(folder: string): ReadonlySet<string> {
  const all = readPlaybookFiles(folder);
  const files = JSON.stringify(all);
  const known = read.get(folder);
  if (known?.files === files) return known.names;
  const parsed = all.map(({ file, source }) => parsePlaybook(source, file).playbook);
  const names = new Set(parsed.flatMap((playbook) => playbook?.name ?? []));
  read.set(folder, { files, names });
  return names;
}

/** The playbooks of a folder. Throws a PlaybookError when any of them is invalid: no partial sets. */
export function loadPlaybooks(folder: string, manifests: readonly Manifest[]): Playbook[] {
  const all = readPlaybookFiles(folder);
  const files = JSON.stringify(all);
  const known = checked.get(manifests);
  if (known?.files === files) return [...known.playbooks];
  const { playbooks, problems } = checkPlaybooks(all, manifests);
  if (problems.length > 0) {
    throw new PlaybookError('playbooks_invalid', problems.map(problemLine).join('\n'), {
      problems: problems.length,
    });
  }
  checked.set(manifests, { files, playbooks });
  return playbooks;
}
