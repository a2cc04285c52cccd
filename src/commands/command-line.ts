import { version } from '../config/version.ts';
import { CountersignError } from '../core/errors.ts';
import { own } from '../core/own-property.ts';
import { commands } from './all.ts';
import { type CommandContext, UsageError } from './command.ts';
import { asksForHelp, helpFor, misused, strangeWord, unknown } from './usage.ts';

/** Runs the command typed after `npm run -s cli --`; resolves with the exit code. */
export async function commandLine(
  [name = '', ...args]: readonly string[],
  context: CommandContext,
): Promise<number> {
  const command = own(commands, name);
  if (!command) return withoutCommand(name, context);
  if (asksForHelp(args)) {
    for (const line of helpFor([command])) context.out(line);
    return 0;
  }
  try {
    const strange = strangeWord(name, args, command);
    if (strange !== null) throw new UsageError(strange);
    const run = await command.load();
    return await run(args, context);
  } catch (error) {
    if (error instanceof UsageError) for (const line of misused(error.message, command)) context.error(line);
    else if (error instanceof CountersignError) context.error(error.message);
    else if (isPlainMistake(error)) context.error(inWords(error));
    else throw error;
    return 2;
  }
}

/** Options of the command line itself, and unknown commands. */
function withoutCommand(name: string, { out, error }: CommandContext): number {
  if (/^(--version|-v|version)$/.test(name)) {
    out(version());
    return 0;
  }
  const isAsked = /^(--help|-h|help)$/.test(name);
  if (isAsked || name === '') {
    for (const line of helpFor(Object.values(commands))) (isAsked ? out : error)(line);
    return isAsked ? 0 : 2;
  }
  error(unknown('There is no command', name, Object.keys(commands)));
  error('npm run -s cli -- --help lists them all.');
  return 2;
}

/** A person's mistake without the name of a system call. */
function inWords(error: Error): string {
  if (error instanceof SyntaxError) return `That is not JSON: ${error.message}`;
  const path = 'path' in error ? String(error.path) : '';
  if (error.message.startsWith('ENOENT')) {
    const example = path.endsWith('countersign.yml') ? ' Copy countersign.example.yml and fill it in.' : '';
    return `${path} does not exist.${example}`;
  }
  if (error.message.startsWith('EISDIR')) return 'That is a folder, not a file.';
  return error.message.startsWith('EACCES') ? `${path} may not be read.` : error.message;
}

/** A person's mistake: a missing file, invalid JSON, an unknown option. */
function isPlainMistake(error: unknown): error is Error {
  if (error instanceof SyntaxError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ENOENT|EISDIR|EACCES|ERR_PARSE_ARGS)/.test(String(error.code))
  );
}
