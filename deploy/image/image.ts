import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The image, however it was made. */
export interface Image {
  /** In a few words, for whoever reads along. */
  readonly madeBy: string;
  /** A million bytes each. */
  readonly megabytes: number;
  /** Starts its CMD as its USER. `settings` is a folder with countersign.yml and ca.pem. */
  start(env: Readonly<Record<string, string>>, settings: string): StartedImage;
  remove(): void;
}

export interface StartedImage {
  readonly process: ChildProcess;
  /** Everything it wrote so far. */
  said(): string;
  /** Runs its HEALTHCHECK beside it; throws when that says no. */
  checkHealth(): void;
  /** SIGTERM, as a container tool stops it; resolves with the exit code. */
  stop(): Promise<number | null>;
}

type Start = Parameters<typeof spawn>[2];

/** A process that can be read and stopped; a container tool in the foreground hands signals and exit code through. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: Start,
  checkHealth: () => void,
): StartedImage {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  return {
    process: child,
    said: () => text,
    checkHealth,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}
