import type { Command } from '../../src/commands/command.ts';
import { CountersignError } from '../../src/core/errors.ts';

/** Runs a command as the command line does; an error that a person can mend is a line, like any other. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  try {
    return { code: await command(args, { variables, out: say, error: say }), lines };
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    return { code: 2, lines: [...lines, error.message] };
  }
}
