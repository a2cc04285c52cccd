import { execFile } from 'node:child_process';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  /** Both. */
  readonly text: string;
}

export interface CliOptions {
  /** All that it is given besides what every process needs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The command line as a process of its own, as `npm run -s cli --` starts it. */
export function cli(words: readonly string[], { env, cwd }: CliOptions = {}): Promise<Said> {
  // Compiled code is kept between processes: most of what a command costs is loading it.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const options = { ...(cwd === undefined ? {} : { cwd }), env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/cli.ts', ...words], options, (error, out, said) => {
      resolve({ code: Number(error?.code ?? 0), out, error: said, text: `${out}${said}` });
    });
  });
}
