import { readFileSync, statSync } from 'node:fs';
import type { Given } from './process-role.ts';

const suffix = '_FILE';
/** More than any secret; a certificate bundle named by another program's variable is left alone. */
const maxBytes = 16_384;

/**
 * Takes each variable that is not set from the file that its name with `_FILE` names, as Docker and Kubernetes mount
 * secrets, without the line break at the end. A `NAME_FILE` that gave no value stays, so that `secretFileProblems` can
 * say why; one that did is gone.
 */
export function withSecretFiles(variables: Given): Given {
  const filled: Record<string, string | undefined> = { ...variables };
  for (const [setting, path] of Object.entries(variables)) {
    const name = setting.slice(0, -suffix.length);
    if (!setting.endsWith(suffix) || name === '' || !path?.trim() || variables[name]?.trim()) continue;
    const read = readSecret(path.trim());
    if ('why' in read) continue;
    filled[name] = read.value;
    delete filled[setting];
  }
  return filled;
}

/** Why the file of each of these settings gives no value, a sentence each. */
export function secretFileProblems(given: Given, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const path = given[name + suffix]?.trim();
    if (!path) return [];
    if (given[name]) return [`${name} and ${name}${suffix} must not both be set`];
    const read = readSecret(path);
    return 'why' in read ? [`${name}${suffix} names something that ${read.why}`] : [];
  });
}

/** Says that a variable is needed, and why its file does not give it. */
export function neededVariable(name: string, variables: ReadonlyMap<string, string>): string {
  const [why] = secretFileProblems(Object.fromEntries(variables), [name]);
  return `needs ${name} in the environment${why === undefined ? '' : `: ${why}`}`;
}

function readSecret(path: string): { readonly value: string } | { readonly why: string } {
  try {
    const found = statSync(path);
    // A pipe that nobody writes to would hold up the start for ever.
    if (!found.isFile()) return { why: 'is not a file' };
    const { size } = found;
    if (size > maxBytes) return { why: `is too large for a secret (${size} bytes; at most ${maxBytes})` };
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return value.trim() === '' ? { why: 'is empty' } : { value };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { why: `cannot be read${code === undefined ? '' : ` (${code})`}` };
  }
}
