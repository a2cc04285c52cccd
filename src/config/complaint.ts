/** Problems as an indented list, one a line. */
export function findingLines(problems: readonly string[]): string {
  return problems.map((problem) => `  - ${problem}`).join('\n');
}

/** A file that `include` names, as text. */
export interface IncludedFile {
  readonly name: string;
  readonly source: string;
}

/** Names from the rest of the system that the file may use. */
export interface Known {
  /** Names of tools, with their effects. */
  readonly tools: ReadonlyMap<string, 'read' | 'write'>;
  /** Environment variables that are set. */
  readonly variables: ReadonlyMap<string, string>;
  /** True when the bot itself is about to start: a plan can be checked without its secrets. */
  readonly checksEnvironment?: boolean;
  /** True for a front: anything that can write must not even be in its environment. */
  readonly holdsNoKeys?: boolean;
  /** True for an executor, which has no door for alerts. */
  readonly isExecutor?: boolean;
  /** Whether a file or folder named in the file exists; absent where that does not matter. */
  readonly isThere?: (kind: 'file' | 'folder', place: string) => boolean;
  /** The files of a pattern under `include`, in order; absent where other files do not matter. */
  readonly included?: (pattern: string) => readonly IncludedFile[];
  /** Names of playbooks. */
  readonly playbooks: ReadonlySet<string>;
}

export type Path = readonly PropertyKey[];
export interface Complaint {
  readonly path: Path;
  readonly message: string;
}

/** The complaint about a key in the environment of a front. */
export function notForFronts(variable: string): string {
  return `needs ${variable} to be taken out of the environment of a front: it is for executors`;
}
