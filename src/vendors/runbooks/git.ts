import { execFile } from 'node:child_process';

/** Nothing that a checkout brings along is run: no hooks, no monitor, no external diff. */
const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'safe.directory=*'];

/** ISO 8601 of the last commit that changed a file, or null where the folder is no checkout or git is missing. */
export function lastCommit(root: string, file: string, signal: AbortSignal): Promise<string | null> {
  const args = [...safe, '-C', root, 'log', '-1', '--no-ext-diff', '--format=%cI', '--', `:(literal)${file}`];
  // Without this process's own environment, which holds secrets.
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', GIT_OPTIONAL_LOCKS: '0' };
  return new Promise((resolve) => {
    execFile('git', args, { signal, env, timeout: 2_000, maxBuffer: 10_000 }, (error, stdout) => {
      const date = error === null ? stdout.trim() : '';
      resolve(date === '' ? null : new Date(date).toISOString());
    });
  });
}
