/** Problems as an indented list, one a line. */
export function findingLines(problems: readonly string[]): string {
  return problems.map((problem) => `  - ${problem}`).join('\n');
}
