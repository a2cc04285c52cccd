import type { RefuseReason } from '../../../core/answer.ts';
import type { Catalogue } from '../../../core/catalogue.ts';
import type { Given } from '../change/given.ts';
import type { Known, ReadSpec } from '../reads/spec.ts';
import { codeIn } from '../words/quotes.ts';
import type { Token } from '../words/token.ts';
import { type DraftCondition, type DraftStep, type DraftValue, isFromStep } from './draft.ts';

/** What keeps a plan from being made: a thing to ask for, or a reason to refuse. */
export type Trouble =
  | {
      readonly kind: 'ask';
      readonly missing: readonly string[];
      readonly question: string;
      readonly options?: readonly string[];
    }
  | { readonly kind: 'refuse'; readonly reason: RefuseReason; readonly explanation: string };

/** The plan so far, and what was spoken of last. */
export interface Work {
  readonly goal: string;
  readonly catalogue: Catalogue;
  readonly forbidden: ReadonlySet<string>;
  readonly steps: DraftStep[];
  /** The reads of the last clause that read something. */
  lastReads: DraftStep[];
  lastKey: DraftValue | null;
  lastIncident: DraftValue | null;
  project: string | undefined;
  priority: string | undefined;
  service: string | undefined;
  /** Projects that a heading lists, and whether it adds them up. */
  listed: { readonly projects: readonly string[]; readonly summed: boolean };
  /** Who was spoken of last. */
  user: string | undefined;
  /** Words of a question that named no source yet. */
  loose: readonly Token[];
  /** Words that only said how things are. */
  remark: readonly Token[];
  /** What the ticket is about that the order behind a condition makes. */
  topic: string | undefined;
  /** The condition that holds for clauses that hang on it. */
  condition: DraftCondition | null;
  troubles: Trouble[];
  /** Answers to earlier questions. */
  readonly given: Given;
  /** Values that came from defaults, as `name=value`. */
  readonly defaulted: Set<string>;
  readonly assumptions: string[];
  /** Clauses that could not be put to use: the planner did not understand them. */
  ignored: number;
  /** Words that state a condition had no effect. */
  lostCondition: boolean;
}

export function createWork(
  goal: string,
  catalogue: Catalogue,
  forbidden: ReadonlySet<string>,
  given: Given = {},
): Work {
  return {
    goal,
    catalogue,
    forbidden,
    steps: [],
    lastReads: [],
    lastKey: given.key ?? null,
    lastIncident: given.incident ?? null,
    project: given.project,
    priority: given.priority,
    service: given.service,
    listed: { projects: [], summed: false },
    user: given.user,
    loose: [],
    remark: [],
    topic: undefined,
    condition: null,
    troubles: [],
    given,
    defaulted: new Set(),
    assumptions: [],
    ignored: 0,
    lostCondition: false,
  };
}

export function knownOf(work: Work): Known {
  const looked = work.steps.findLast((step) => step.tool === 'errors.lookup')?.args.code;
  const code = typeof looked === 'string' || isFromStep(looked) ? looked : undefined;
  const said = work.remark.find((token) => token.kind === 'quote');
  const key = typeof work.lastKey === 'string' ? work.lastKey : undefined;
  return {
    goal: work.goal,
    project: work.project,
    service: work.service,
    priority: work.priority,
    key,
    code: code ?? (said ? codeIn(said.word) : undefined),
  };
}

export function ask(
  work: Work,
  missing: readonly string[],
  question: string,
  options: readonly string[] = [],
): void {
  work.troubles.push({ kind: 'ask', missing, question, options });
}

export function refuse(work: Work, reason: RefuseReason, explanation: string): void {
  work.troubles.push({ kind: 'refuse', reason, explanation });
}

function sameArgs(a: DraftStep['args'], b: DraftStep['args']): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => {
    const left = a[name];
    const right = b[name];
    if (isFromStep(left) || isFromStep(right)) return false;
    return String(left) === String(right);
  });
}

/** Adds a read, or returns the equal one that is there already. */
export function addRead(work: Work, spec: ReadSpec): DraftStep {
  const same = work.steps.find((step) => step.tool === spec.tool && sameArgs(step.args, spec.args));
  const step = same ?? addStep(work, spec.tool, { ...spec.args });
  if (!same && spec.open) step.open = true;
  remember(work, step);
  return step;
}

export function addStep(work: Work, tool: string, args: Record<string, DraftValue>): DraftStep {
  const step: DraftStep = { tool, args, needs: new Set(), when: null, why: '' };
  work.steps.push(step);
  return step;
}

function remember(work: Work, step: DraftStep): void {
  const { project, priority, service, key } = step.args;
  if (typeof project === 'string') work.project = project;
  if (typeof priority === 'string') work.priority = priority;
  if (typeof service === 'string') work.service = service;
  if (typeof key === 'string') work.lastKey = key;
  if (step.tool === 'jira.search' && step.args.limit === 1) work.lastKey = { step, field: 'first' };
  if (step.tool === 'pagerduty.incidents' && step.args.limit === 1)
    work.lastIncident = { step, field: 'first' };
}
