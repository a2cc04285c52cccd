/** Everything a command may touch, passed in so that tests run it without a process. */
export interface CommandContext {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

/** A command of the command line: resolves with the exit code. */
export type Command = (args: readonly string[], context: CommandContext) => Promise<number>;

/** Replaces a stack trace: the arguments are invalid. The problem, shown before the usage. */
export class UsageError extends Error {}
