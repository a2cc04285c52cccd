import { commands, type Listed } from './commands/all.ts';
import { type CommandContext, UsageError } from './commands/command.ts';
import { processVariables } from './config/env.ts';
import { CountersignError } from './core/errors.ts';
import { own } from './core/own.ts';

async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name = '', ...args] = argv;
  const command = own(commands, name);
  if (!command) {
    const asked = /^(--help|-h|help)$/.test(name);
    for (const line of usage()) (asked ? context.out : context.error)(line);
    return asked ? 0 : 2;
  }
  try {
    const run = await command.load();
    return await run(args, context);
  } catch (error) {
    if (error instanceof UsageError) for (const line of misused(error, command)) context.error(line);
    else if (error instanceof CountersignError) context.error(error.message);
    else if (isPlainMistake(error)) context.error(inWords(error));
    else throw error;
    return 2;
  }
}

const widest = 40;

/** Every way to call a command, with what it does beside it, or below where it is long. */
function usage(): string[] {
  const ways = Object.values(commands).flatMap(({ ways }) => Object.entries(ways));
  const lines = ways.map(([typed, about]) =>
    typed.length > widest
      ? `  ${typed}\n  ${' '.repeat(widest)}  ${about}`
      : `  ${typed.padEnd(widest)}  ${about}`,
  );
  return ['npm run -s cli -- <command>', '', ...lines];
}

function misused({ message }: UsageError, { ways }: Listed): string[] {
  const how = Object.keys(ways).map((typed) => `usage: npm run -s cli -- ${typed}`);
  return message === '' ? how : [message, ...how];
}

/** A mistake without the name of a system call. */
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

/** What a person mistyped: a file that is not there, JSON that is none, an option that does not exist. */
function isPlainMistake(error: unknown): error is Error {
  if (error instanceof SyntaxError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ENOENT|EISDIR|EACCES|ERR_PARSE_ARGS)/.test(String(error.code))
  );
}

// `| head` closes our output when it has seen enough; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await main(process.argv.slice(2), {
  variables: processVariables(),
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
