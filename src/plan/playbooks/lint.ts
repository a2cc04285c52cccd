import { findCycle, graphOf } from '../../core/graph.ts';
import type { Manifest } from '../../core/manifest.ts';
import { instantiate, namesIn } from './inputs.ts';
import { type ParsedPlaybook, type PlaybookProblem, parsePlaybook } from './parse.ts';
import { inputSamples, inputTypeSchemas, type Playbook } from './playbook.ts';

export interface PlaybookFile {
  /** Its name in messages. */
  readonly file: string;
  readonly source: string;
}

/** `below`: number of lines below the start of the path's value. */
type Report = (path: readonly (string | number)[], message: string, below?: number) => void;

function checkInputs({ summary, plan, inputs }: Playbook, report: Report): void {
  const used = new Set([...namesIn(summary), ...namesIn(plan)]);
  for (const name of namesIn(summary)) {
    if (!Object.hasOwn(inputs, name)) report(['summary'], `there is no input "${name}"`);
  }
  for (const [name, { type, default: value }] of Object.entries(inputs)) {
    if (!used.has(name)) report(['inputs', name], `input "${name}" is not used`);
    if (value !== undefined && !inputTypeSchemas[type].safeParse(value).success)
      report(['inputs', name, 'default'], `is not a ${type}`);
  }
}

/** Checks the plan with a sample for each input; lines count from the one after `plan: |`. */
function checkPlan(playbook: Playbook, manifests: ReadonlyMap<string, Manifest>, report: Report): void {
  const values = Object.fromEntries(
    Object.entries(playbook.inputs).map(([name, spec]) => [name, inputSamples[spec.type]]),
  );
  const about = { goal: playbook.summary, manifests, minutes: () => 60 };
  const { plan, problems } = instantiate(playbook, values, about);
  for (const { line, message } of problems) report(['plan'], message, line);
  const cycle = plan && findCycle(graphOf(plan.steps));
  if (cycle) report(['plan'], `the steps wait for each other: ${cycle.join(' → ')}`);
}

function checkOne(
  parsed: ParsedPlaybook,
  file: string,
  manifests: ReadonlyMap<string, Manifest>,
): PlaybookProblem[] {
  const playbook = parsed.playbook;
  if (!playbook) return [...parsed.problems];
  const problems: PlaybookProblem[] = [];
  const report: Report = (path, message, below = 0) =>
    problems.push({ file, line: parsed.lineOf(path) + below, message: `${path.join('.')}: ${message}` });
  checkInputs(playbook, report);
  checkPlan(playbook, manifests, report);
  return problems;
}

/** Every problem in a set of playbook files, by file and line, and the valid playbooks. */
export function checkPlaybooks(
  files: readonly PlaybookFile[],
  manifests: readonly Manifest[],
): { playbooks: Playbook[]; problems: PlaybookProblem[] } {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  const playbooks: Playbook[] = [];
  const problems: PlaybookProblem[] = [];
  for (const { file, source } of files) {
    const parsed = parsePlaybook(source, file);
    const found = checkOne(parsed, file, byName);
    problems.push(...found);
    if (!parsed.playbook || found.length > 0) continue;
    const name = parsed.playbook.name;
    if (playbooks.some((other) => other.name === name))
      problems.push({
        file,
        line: parsed.lineOf(['name']),
        message: `name: "${name}" is taken by another file`,
      });
    else playbooks.push(parsed.playbook);
  }
  return { playbooks, problems };
}

/** `escalation.yml:12: steps.0.tool: unknown tool jira.cont`, one line for the command line and the log. */
export function problemLine(problem: PlaybookProblem): string {
  return `${problem.file}:${problem.line}: ${problem.message}`;
}
