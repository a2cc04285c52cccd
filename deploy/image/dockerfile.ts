export interface Instruction {
  readonly name: string;
  readonly args: string;
}

/** The stages of a Dockerfile, each from its FROM on: comments left out, continued lines joined. */
export function stagesOf(source: string): Instruction[][] {
  const joined = source.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, ' ');
  const stages: Instruction[][] = [];
  for (const line of joined.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', args = ''] = /^\s*([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, args });
  }
  return stages;
}

export function argsOf(stage: readonly Instruction[] | undefined, name: string): string[] {
  return (stage ?? []).filter((each) => each.name === name).map(({ args }) => args);
}

/** ENV lines as an environment. */
export function environmentOf(stage: readonly Instruction[] | undefined): Record<string, string> {
  const pairs = argsOf(stage, 'ENV').map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}
