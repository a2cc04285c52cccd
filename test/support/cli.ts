import { execFile } from 'node:child_process';
import { commandLine } from '../../src/commands/command-line.ts';

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

/** The command line within the process of the test, for all that is not about a process or another folder. */
export async function cli(words: readonly string[], { env }: Pick<CliOptions, 'env'> = {}): Promise<Said> {
  const { PATH = '', HOME = '' } = process.env;
  const said = { out: '', error: '', text: '' };
  const into = (where: 'out' | 'error') => (line: string) => {
    said[where] += `${line}\n`;
    said.text += `${line}\n`;
  };
  const context = { variables: { PATH, HOME, ...env }, out: into('out'), error: into('error') };
  return { code: await commandLine(words, context), ...said };
}

/** The command line as a process of its own, as `npm run -s cli --` starts it: most of a second to load its code. */
export function cliProcess(words: readonly string[], { env, cwd }: CliOptions = {}): Promise<Said> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const options = { ...(cwd === undefined ? {} : { cwd }), env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/cli.ts', ...words], options, (error, out, said) => {
      resolve({ code: Number(error?.code ?? 0), out, error: said, text: `${out}${said}` });
    });
  });
}
