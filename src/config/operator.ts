import type { z } from 'zod';
import { plainWords } from '../core/value-words.ts';
import { sameTokens } from './check-agents.ts';
import { type Complaint, findingLines, type Known, type Path } from './complaint.ts';
import { crossCheck, warningsOf } from './cross-check.ts';
import { ConfigError } from './env.ts';
import { type ConfigProblem, readTogether } from './include.ts';
import { keysAt, unknownSetting } from './misspelt.ts';
import { asRules } from './rules.ts';
import { type OperatorConfig, operatorSchema } from './schema.ts';
import { fileSchema, type OperatorFile, sectionsOf } from './workspaces.ts';

const empty = 'is empty: copy countersign.example.yml and fill it in';

export interface CheckedConfig {
  /** Null exactly when there are problems. */
  readonly config: OperatorFile | null;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
  /** A complaint with its line. */
  readonly locate: (complaint: Complaint) => ConfigProblem;
}

/** Checks everything at once. */
export function checkOperatorConfig(source: string, known: Known): CheckedConfig {
  const { values: given, problems: unread, locate } = readTogether(source, known.included);
  if (unread.length > 0) return { config: null, problems: unread, warnings: [], locate };
  if (given === null) {
    return { config: null, problems: [locate({ path: [], message: empty })], warnings: [], locate };
  }
  const taken = takenNames(given).map(locate);
  if (taken.length > 0) return { config: null, problems: taken, warnings: [], locate };
  const parsed = fileSchema.safeParse(given, { error: plainWords });
  const complaints: Complaint[] = parsed.success
    ? crossCheck(parsed.data, known)
    : parsed.error.issues.flatMap((issue) => complaintsOf(issue, given));
  const workspaces = complaints.length === 0 ? readWorkspaces({ ...given }, known) : noWorkspaces;
  const byLine = (all: readonly Complaint[]) =>
    all.map(locate).sort((a, b) => (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line);
  const problems = byLine([...complaints, ...workspaces.complaints]);
  if (!parsed.success || problems.length > 0) return { config: null, problems, warnings: [], locate };
  const config = { ...parsed.data, workspaces: workspaces.read };
  const same = byLine(sameTokens(servedIn(config), known));
  if (same.length > 0) return { config: null, problems: same, warnings: [], locate };
  return { config, problems, warnings: byLine(servedIn(config).flatMap(warned)), locate };
}

const takenByObjects = ['__proto__', 'constructor', 'prototype'];

/** Keys that are special for every object: their content would be lost silently. */
function takenNames(given: unknown, path: Path = []): Complaint[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(given) ? Number(key) : key];
    const message = 'is not a name that can be used; choose another one';
    return takenByObjects.includes(key) ? [{ path: at, message }] : takenNames(inner, at);
  });
}

/** The settings of each workspace, with their place in the file; the file's own if it names no workspaces. */
export function servedIn(config: OperatorFile): { readonly path: Path; readonly config: OperatorConfig }[] {
  const named = Object.entries(config.workspaces);
  if (named.length === 0) return [{ path: [], config }];
  return named.map(([id, own]) => ({ path: ['workspaces', id], config: own }));
}

function warned({ path, config }: ReturnType<typeof servedIn>[number]): Complaint[] {
  return warningsOf(config).map((one) => ({ ...one, path: [...path, ...one.path] }));
}

interface ReadWorkspaces {
  readonly read: Readonly<Record<string, OperatorConfig>>;
  readonly complaints: readonly Complaint[];
}
const noWorkspaces: ReadWorkspaces = { read: {}, complaints: [] };

/** The settings of each workspace, for a file that is valid without them. */
function readWorkspaces(given: Readonly<Record<string, unknown>>, known: Known): ReadWorkspaces {
  const named = Object.entries((given.workspaces ?? {}) as Record<string, unknown>);
  const each = named.map(([id, own]) => {
    const config = operatorSchema.parse(sectionsOf(given, own));
    const complaints = crossCheck(config, known).map(({ path, message }) => ({
      path: ['workspaces', id, ...path],
      message,
    }));
    return { id, config, complaints };
  });
  return {
    read: Object.fromEntries(each.map(({ id, config }) => [id, config])),
    complaints: each.flatMap(({ complaints }) => complaints),
  };
}

/** An unknown key is reported at its own position. */
function complaintsOf(issue: z.core.$ZodIssue, given: unknown): Complaint[] {
  const { path, message } = issue;
  if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? message }];
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  return issue.keys.map((key) => ({
    path: [...path, key],
    message:
      path.length === 0 && key === 'approvers'
        ? asRules(given)
        : unknownSetting(key, keysAt(fileSchema, issue.path)),
  }));
}

/** Like checkOperatorConfig, but throws a ConfigError that lists all problems. */
export function readOperatorConfig(
  source: string,
  file: string,
  known: Known,
): Omit<CheckedConfig, 'config' | 'problems'> & { readonly config: OperatorFile } {
  const { config, problems, ...rest } = checkOperatorConfig(source, known);
  if (config) return { config, ...rest };
  const lines = problems.map((problem) => problemLine(file, problem));
  throw new ConfigError('config_file', `${file} cannot be used:\n${findingLines(lines)}`, {
    problems: lines,
  });
}

/** `countersign.yml:12 services.ops: …` */
export function problemLine(file: string, problem: ConfigProblem): string {
  return `${problem.file ?? file}:${problem.line} ${[problem.path, problem.message].filter(Boolean).join(': ')}`;
}

/** The names of the sections in which two files differ. */
export function changedSections(before: OperatorFile, now: OperatorFile): string[] {
  const entries = Object.entries(before);
  const old = new Map(entries.map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.entries(now).flatMap(([name, value]) =>
    old.get(name) === JSON.stringify(value) ? [] : name,
  );
}
