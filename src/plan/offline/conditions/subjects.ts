import {
  type Compare,
  type DraftCondition,
  type DraftStep,
  numberOf,
  type Operator,
  sourcesOf,
} from '../draft/draft.ts';
import { addRead, knownOf, type Work } from '../draft/work.ts';
import { readsIn } from '../reads/reads.ts';
import type { ReadSpec } from '../reads/spec.ts';
import { ofKind, type Token } from '../words/token.ts';

/** The reads a condition is about: those it names, else what was read last. */
export function subjects(tokens: readonly Token[], work: Work, all: readonly Token[] = tokens): DraftStep[] {
  const specs = readsIn(tokens, 'count', knownOf(work)).filter((spec) => spec.tool !== 'sla.threshold');
  const whole =
    specs.length === 0 &&
    all.some((token) => /^(together|both)$/.test(token.word) || /^totals?$/i.test(token.raw));
  const family = whole ? counted(work) : [];
  if (family.length > 1) return family;
  const sum =
    work.listed.summed ||
    all.some(
      (token, index) =>
        /^(together|both)$/.test(token.word) ||
        /^(three|four|all)$/i.test(token.raw) ||
        (/^(between|among)$/i.test(token.raw) && all[index + 1]?.word === 'them'),
    );
  if (sum && work.listed.projects.length > 1 && ofKind(all, 'project').length === 0)
    return work.listed.projects.map((project) =>
      addRead(work, { tool: 'jira.count', args: { ...specs[0]?.args, project } }),
    );
  const projects = ofKind(tokens, 'project');
  countable(work);
  const first = work.lastReads[0];
  if (first && specs.length === 0) nameTopic(first, tokens, work);
  const adds = specs.some((spec) => Object.keys(spec.args).length > 0);
  if (specs.length === 0 && projects.length > 0) {
    const last = first?.tool === 'jira.count' ? first.args : {};
    return projects.map((token) =>
      addRead(work, { tool: 'jira.count', args: { ...last, project: token.word } }),
    );
  }
  if (first && (specs.length === 0 || (!adds && sameFamily(first, specs)))) return work.lastReads;
  if (first && specs.length > 0 && sameFamily(first, specs) && refines(first, specs)) return work.lastReads;
  return specs.map((spec) => addRead(work, withProject(spec, work)));
}

/** "kql on auth: at least 5 failed logins": what is searched for is said with the number. */
function nameTopic(log: DraftStep, tokens: readonly Token[], work: Work): void {
  if (!/^(logs|sql)\./.test(log.tool) || log.args.about !== undefined || log.args.query !== undefined) return;
  const source = log.tool === 'logs.kql' ? 'kql' : log.tool === 'logs.spl' ? 'splunk' : 'sql';
  const word: Token = { kind: 'word', word: source, raw: '', start: 0, end: 0 };
  const [spec] = readsIn([...tokens, word], 'count', { ...knownOf(work), service: undefined });
  if (spec?.tool === log.tool) log.args = { ...spec.args, ...log.args };
}

/** What is compared is what was read, not what was made of it. */
function countable(work: Work): void {
  const made = (step: DraftStep): boolean => /^(llm\.summarize|jira\.create)$/.test(step.tool);
  if (!work.lastReads.some(made)) return;
  const reads = work.lastReads.flatMap((step) => (made(step) ? sourcesOf(step) : [step]));
  if (reads.length > 0) work.lastReads = reads;
}

/** All counts of the kind that was read last: what a sum is made of. */
function counted(work: Work): DraftStep[] {
  const last = work.lastReads[0] ?? work.steps.at(-1);
  const kind = last && /^jira\.(count|search)$/.test(last.tool) ? /^jira\.(count|search)$/ : null;
  return work.steps.filter((step) => (kind ? kind.test(step.tool) : step.tool === last?.tool));
}

/** "more than 5 open tickets" after "count the tickets in PAY" speaks of what was counted. */
function refines(step: DraftStep, specs: readonly ReadSpec[]): boolean {
  return specs.every((spec) =>
    Object.entries(spec.args).every(
      ([name, value]) =>
        step.args[name] === value ||
        (name === 'status' && step.args.status === undefined && spec.args.project === undefined),
    ),
  );
}

function sameFamily(step: DraftStep, specs: readonly ReadSpec[]): boolean {
  const issues = /^jira\.(count|search|sla)$/;
  return specs.every((spec) => spec.tool === step.tool || (issues.test(spec.tool) && issues.test(step.tool)));
}

export function withProject(spec: ReadSpec, work: Work): ReadSpec {
  const needs = /^(jira\.(count|search)|sla\.threshold)$/.test(spec.tool) && spec.args.project === undefined;
  return needs && work.project !== undefined
    ? { ...spec, args: { project: work.project, ...spec.args } }
    : spec;
}

export function together(steps: readonly DraftStep[], op: Operator, right: Compare['right']): DraftCondition {
  return { left: steps.map(numberOf), op, right };
}

export function negative(line: string): boolean {
  return /\b(not|none|do-not)\b/.test(line);
}
