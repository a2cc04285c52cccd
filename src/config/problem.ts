/** Problems as an indented list, one a line. */
export function findingLines(problems: readonly string[]): string {
  return problems.map((problem) => `  - ${problem}`).join('\n');
}

/** What the rest of the system knows and the file may name. */
export interface Known {
  /** Names of tools, each with whether it writes. */
  readonly tools: ReadonlyMap<string, 'read' | 'write'>;
  /** Environment variables that are set. */
  readonly variables: ReadonlyMap<string, string>;
  /** True where the bot itself is to start: a plan can be checked without its secrets. */
  readonly checksEnvironment?: boolean;
  /** True for a front: what can write must not even be in its environment. */
  readonly holdsNoKeys?: boolean;
  /** Whether a file or folder that the file names is there; left out where that does not matter. */
  readonly isThere?: (kind: 'file' | 'folder', place: string) => boolean;
  /** Names of playbooks. */
  readonly playbooks: ReadonlySet<string>;
}

export type Path = readonly PropertyKey[];
export interface Complaint {
  readonly path: Path;
  readonly message: string;
}

/** What is said of a key in the environment of a front. */
export function notForFronts(variable: string): string {
  return `needs ${variable} to be taken out of the environment of a front: it is for executors`;
}
