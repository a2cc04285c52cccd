import { z } from 'zod';
import { ConditionError, compileCondition } from '../../core/condition.ts';
import { fieldInfo, isOptional } from '../../core/fields.ts';
import { findCycle, graphOf } from '../../core/graph.ts';
import type { Manifest } from '../../core/manifest.ts';
import { type Plan, planSchema } from '../../core/plan.ts';
import { isRef, refsOf, splitRef } from '../../core/refs.ts';
import { vocabularyOf } from '../../core/words.ts';
import { inputsIn, instantiate, textsOf } from './inputs.ts';
import { type ParsedPlaybook, type PlaybookProblem, parsePlaybook } from './parse.ts';
import { conditionTypes, inputSamples, inputTypeSchemas, type Playbook } from './playbook.ts';

export interface PlaybookFile {
  /** As it is called in messages. */
  readonly file: string;
  readonly source: string;
}

type Report = (path: readonly (string | number)[], message: string) => void;

function checkInputs(playbook: Playbook, report: Report): void {
  const used = new Set(inputsIn(playbook.summary));
  playbook.steps.forEach((step, index) => {
    for (const { path, text } of textsOf(step)) {
      for (const name of inputsIn(text)) {
        used.add(name);
        const type = playbook.inputs[name]?.type;
        if (type === undefined) report(['steps', index, ...path], `there is no input "${name}"`);
        else if (path[0] === 'when' && !conditionTypes.has(type))
          report(
            ['steps', index, ...path],
            `"${name}" is a ${type}; a condition takes numbers and durations`,
          );
      }
    }
  });
  for (const [name, { type, default: value }] of Object.entries(playbook.inputs)) {
    if (!used.has(name)) report(['inputs', name], `input "${name}" is not used`);
    if (value !== undefined && !inputTypeSchemas[type].safeParse(value).success)
      report(['inputs', name, 'default'], `is not a ${type}`);
  }
}

function checkArgs(plan: Plan, manifests: ReadonlyMap<string, Manifest>, report: Report): void {
  plan.steps.forEach((step, index) => {
    const manifest = manifests.get(step.tool);
    if (!manifest) {
      report(['steps', index, 'tool'], `unknown tool ${step.tool}`);
      return;
    }
    for (const [name, value] of Object.entries(step.args)) {
      const schema = manifest.args.shape[name];
      if (!schema) {
        report(['steps', index, 'args', name], `${step.tool} has no argument "${name}"`);
        continue;
      }
      const parts = Array.isArray(value) && fieldInfo(schema).kind === 'text';
      if (isRef(value) || parts || (Array.isArray(value) && value.some(isRef))) continue;
      const parsed = z.safeParse(schema, value);
      if (!parsed.success)
        report(['steps', index, 'args', name], parsed.error.issues[0]?.message ?? 'is wrong');
    }
    for (const [name, schema] of Object.entries(manifest.args.shape)) {
      if (!isOptional(schema) && !Object.hasOwn(step.args, name))
        report(['steps', index, 'args'], `${step.tool} needs the argument "${name}"`);
    }
  });
}

function checkGraph(plan: Plan, manifests: ReadonlyMap<string, Manifest>, report: Report): void {
  const byId = new Map(plan.steps.map((step) => [step.id, step]));
  if (byId.size < plan.steps.length) report(['steps'], 'two steps have the same id');
  plan.steps.forEach((step, index) => {
    for (const need of step.needs) {
      if (!byId.has(need)) report(['steps', index, 'needs'], `there is no step "${need}"`);
    }
    for (const { arg, ref } of refsOf(step)) {
      const { step: id, path } = splitRef(ref);
      const source = manifests.get(byId.get(id)?.tool ?? '');
      if (!byId.has(id)) report(['steps', index, 'args', arg], `${ref}: there is no step "${id}"`);
      else if (source && !Object.hasOwn(source.result.shape, path[0] ?? '')) {
        report(['steps', index, 'args', arg], `${ref}: ${source.name} returns no "${path[0] ?? ''}"`);
      }
    }
  });
  const cycle = findCycle(graphOf(plan.steps));
  if (cycle) {
    const at = plan.steps.findIndex((step) => step.id === cycle[0]);
    report(['steps', Math.max(0, at)], `the steps wait for each other: ${cycle.join(' → ')}`);
  }
}

function checkConditions(plan: Plan, manifests: ReadonlyMap<string, Manifest>, report: Report): void {
  const { scope } = vocabularyOf(plan.steps, manifests);
  plan.steps.forEach((step, index) => {
    if (step.when === undefined) return;
    try {
      for (const id of compileCondition(step.when, scope).steps) {
        if (id === step.id) report(['steps', index, 'when'], 'a step cannot depend on its own result');
      }
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      report(['steps', index, 'when'], `condition ${error.message}`);
    }
  });
}

function checkOne(
  parsed: ParsedPlaybook,
  file: string,
  manifests: ReadonlyMap<string, Manifest>,
): PlaybookProblem[] {
  const playbook = parsed.playbook;
  if (!playbook) return [...parsed.problems];
  const problems: PlaybookProblem[] = [];
  const report: Report = (path, message) =>
    problems.push({ file, line: parsed.lineOf(path), message: `${path.join('.')}: ${message}` });
  checkInputs(playbook, report);
  const values = Object.fromEntries(
    Object.entries(playbook.inputs).map(([name, spec]) => [name, inputSamples[spec.type]]),
  );
  const plan = planSchema.safeParse(instantiate(playbook, values, playbook.summary, () => 60));
  if (!plan.success) {
    const issue = plan.error.issues[0];
    report(
      (issue?.path ?? []).filter((part) => typeof part !== 'symbol'),
      issue?.message ?? 'makes no plan',
    );
    return problems;
  }
  checkArgs(plan.data, manifests, report);
  checkGraph(plan.data, manifests, report);
  checkConditions(plan.data, manifests, report);
  return problems;
}

/** Everything that is wrong in a set of playbook files, by file and line; the playbooks that are right. */
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
