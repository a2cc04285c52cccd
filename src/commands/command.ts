/** What a command may touch, handed in so that tests run it without a process. */
export interface CommandContext {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

/** A command of the command line: resolves with the exit code. */
export type Command = (args: readonly string[], context: CommandContext) => Promise<number>;

/** Said instead of a stack trace: the arguments make no sense. What is wrong with them, before how the command is used. */
export class UsageError extends Error {}
