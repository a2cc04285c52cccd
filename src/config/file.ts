import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { ConfigError } from './env.ts';

/** Thousands of services fit; parsing fifty times as much takes gigabytes. */
export const maxConfigBytes = 1_000_000;
export const tooLarge = 'is larger than 1 MB, so it is no countersign.yml';

/** Some container tools create a folder with the name of a missing mounted file, and the next file copied ends up inside it. */
const isFolder =
  'is a folder, not a file. Where a container made it for a file that was missing, remove it and put the file there.';

/** A configuration file as text. Throws the file system's errors, and a ConfigError for a file that cannot be ours. */
export function readBounded(file: string): string {
  const found = statSync(file);
  if (found.size > maxConfigBytes) throw new ConfigError('config_file', `${file} ${tooLarge}.`, { file });
  if (found.isDirectory()) throw new ConfigError('config_file', `${file} ${isFolder}`, { file });
  // A device or a pipe might never end.
  if (!found.isFile()) throw new ConfigError('config_file', `${file} is not a file.`, { file });
  return readFileSync(file, 'utf8');
}

/**
 * The files that match a pattern, by their names: relative to the folder of the operator's file. Hidden folders are left
 * out: Kubernetes keeps a second copy of mounted files in one.
 */
export function includedFiles(main: string, pattern: string): string[] {
  const folder = dirname(main);
  return globSync(pattern, { cwd: folder })
    .filter((file) => !file.split(sep).some((part) => /^\.(?!\.?$)/.test(part)))
    .map((file) => resolve(folder, file))
    .filter((file) => file !== resolve(main) && statSync(file).isFile())
    .sort();
}

/** The operator's file as text. Throws a ConfigError that names the setting. */
export function readConfigFile(file: string): string {
  try {
    return readBounded(file);
  } catch (error) {
    const why =
      error instanceof ConfigError
        ? error.message
        : `${file} cannot be read. Copy countersign.example.yml and fill it in.`;
    throw new ConfigError('config_file', `COUNTERSIGN_CONFIG: ${why}`, { file }, error);
  }
}

/** Equal as long as nobody wrote to the files; a file that a link now points to counts as another one. */
export function stateOf(files: readonly string[]): string {
  const states = files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return [file, found?.mtimeMs, found?.size, found?.ino];
  });
  return JSON.stringify(states);
}
