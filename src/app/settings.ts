import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { toolEffects } from '../../manifests/all.ts';
import { buildPolicy, buildQueries } from '../config/build-catalogue.ts';
import { type Complaint, findingLines, type IncludedFile } from '../config/complaint.ts';
import { declareQueries } from '../config/declare-query.ts';
import { ConfigError, type Env, readEnv, setVariables } from '../config/env.ts';
import { includedFiles, readBounded, readConfigFile } from '../config/file.ts';
import { misspelt, misspeltWords, namedVariables } from '../config/misspelt.ts';
import { problemLine, readOperatorConfig, servedIn } from '../config/operator.ts';
import { type Given, roleOf } from '../config/process-role.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import { CountersignError } from '../core/errors.ts';
import type { Plan } from '../core/plan.ts';
import { causeProblems } from '../plan/causes/lint.ts';
import { callProblems } from '../plan/playbooks/for-alert.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { checkProblem } from '../review/fill-checks.ts';
import { reviewDraft } from '../review/review.ts';
import { declaredCatalogue, installedManifests, loadPlaybooks, playbookNames } from './installed.ts';

/** All external settings, validated. */
export interface Settings {
  readonly env: Env;
  readonly config: OperatorFile;
  readonly playbooks: readonly Playbook[];
  /** Probable mistakes that need not stop a start, a line each. */
  readonly warnings: readonly string[];
  /** Formats a complaint about the operator's file as such a line. */
  readonly inFile: (complaint: Complaint) => string;
}

/** Everything a start checks before connecting anywhere, all at once; `settings` is null if any of it is invalid. */
export function checkSettings(variables: Given): {
  readonly settings: Settings | null;
  readonly errors: readonly CountersignError[];
} {
  const errors: CountersignError[] = [];
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      errors.push(error);
      return null;
    }
  };
  const env = attempt(() => readEnv(variables));
  const file = attempt(() => operatorFile(variables));
  const playbooks = file && attempt(() => loadPlaybooks(file.config));
  if (file !== null && playbooks !== null) attempt(() => checkPlans(file, playbooks));
  if (env === null || file === null || playbooks === null || errors.length > 0)
    return { settings: null, errors };
  const { config, name, locate } = file;
  const inFile = (complaint: Complaint) => problemLine(name, locate(complaint));
  const named = [config, ...Object.values(config.workspaces)].flatMap(namedVariables);
  const warnings = [
    ...misspelt(variables, named).map(misspeltWords),
    ...file.warnings.map((one) => problemLine(name, one)),
  ];
  return { settings: { env, config, playbooks, warnings, inFile }, errors };
}

/** Throws a ConfigError for rules about alerts, causes and checks of actions whose plans cannot do what they ask. */
function checkPlans(
  { config, name, locate }: ReturnType<typeof operatorFile>,
  playbooks: readonly Playbook[],
): void {
  const problems = servedIn(config).flatMap(({ path, config: one }) => {
    const catalogue = declaredCatalogue(one);
    const review = (plan: Plan) => reviewDraft(plan, { catalogue, policy: buildPolicy(one) });
    const found = [
      ...callProblems(one.alerts.rules, playbooks, installedManifests(one)),
      ...causeProblems(catalogue, playbooks, review),
      ...checkComplaints(one),
    ];
    return found.map((complaint) =>
      problemLine(name, locate({ ...complaint, path: [...path, ...complaint.path] })),
    );
  });
  if (problems.length > 0)
    throw new ConfigError('config_file', `${name} cannot be used:\n${findingLines(problems)}`, { problems });
}

/** Checks that actions declare, which may use vetted queries. */
function checkComplaints(config: OperatorConfig): Complaint[] {
  const queries = buildQueries(config);
  const manifests = installedManifests(config).map((one) => declareQueries(one, queries));
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  return manifests.flatMap((manifest) => {
    const message = checkProblem(manifest, byName);
    return message === null ? [] : [{ path: ['actions', manifest.name, 'verify', 'plan'], message }];
  });
}

/** Like `checkSettings`; throws all problems as one error. */
export function readSettings(variables: Given): Settings {
  const { settings, errors } = checkSettings(variables);
  if (settings !== null) return settings;
  const [first, ...more] = errors;
  if (first !== undefined && more.length === 0) throw first;
  throw new ConfigError('config', errors.map(({ message }) => message).join('\n'));
}

/**
 * Warnings for commands that run before a start, including those about schedules; the start itself reports schedules
 * once it has the database. A model may plan what fails without it, so with one nothing can be predicted; an executor
 * plans nothing.
 */
export async function allWarnings({ inFile, ...of }: Settings): Promise<readonly string[]> {
  const served = servedIn(of.config).filter(({ config }) => config.schedules.length > 0);
  if (served.length === 0 || of.env.COUNTERSIGN_ROLE === 'executor' || of.env.PLANNER_MODEL)
    return of.warnings;
  const { scheduleDoubts } = await import('./planner.ts');
  const doubts = await Promise.all(served.map((each) => scheduleDoubts(each, of)));
  return [...of.warnings, ...doubts.flat().map(inFile)];
}

/** The operator's file, checked against this installation. Throws a ConfigError that lists all problems. */
export function operatorConfig(variables: Given): OperatorFile {
  return operatorFile(variables).config;
}

/** The files that the operator's settings are read from. The error catalogue's may hold causes. */
export function settingsFiles(
  variables: Given,
  { include, errors }: Pick<OperatorFile, 'include' | 'errors'>,
): string[] {
  const name = fileName(variables);
  const patterns = [...include, ...(errors?.files ?? [])];
  return [name, ...patterns.flatMap((pattern) => includedFiles(name, pattern))];
}

/** Reads the files of a pattern beside the operator's file. */
export function included(name: string): (pattern: string) => IncludedFile[] {
  return (pattern) =>
    includedFiles(name, pattern).map((file) => ({
      name: relative(dirname(resolve(name)), file),
      source: readBounded(file),
    }));
}

function fileName({ COUNTERSIGN_CONFIG: name }: Given): string {
  return name?.trim() || 'countersign.yml';
}

function operatorFile(variables: Given) {
  const name = fileName(variables);
  const read = readOperatorConfig(readConfigFile(name), name, {
    tools: toolEffects,
    checksEnvironment: true,
    holdsNoKeys: roleOf(variables) === 'front',
    isExecutor: roleOf(variables) === 'executor',
    variables: new Map(setVariables(variables)),
    playbooks: playbookNames(),
    included: included(name),
    isThere(kind, place) {
      const found = statSync(resolve(dirname(name), place), { throwIfNoEntry: false });
      return (kind === 'file' ? found?.isFile() : found?.isDirectory()) ?? false;
    },
  });
  if (variables.TOKEN_KEY?.trim() && Object.keys(read.config.workspaces).length === 0)
    throw new ConfigError('config_file', `${name} ${noWorkspaces}`);
  return { ...read, name };
}

const noWorkspaces =
  'names no workspaces, so with TOKEN_KEY the bot could be installed nowhere: add them as in docs/workspaces.md.';
