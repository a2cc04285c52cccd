import type { Code } from '../core/code.ts';
import { codeManifest } from '../core/code-step.ts';
import type { Manifest } from '../core/manifest.ts';
import { causeIdPattern, type Plan, type PlannedCause, planSchema, type Step } from '../core/plan.ts';
import { vocabularyOf } from '../core/step-words.ts';
import { planTitle } from '../core/title.ts';
import { plainWords } from '../core/value-words.ts';
import { type PlanKey, type RawPlan, readClauses } from './clauses.ts';
import { readCode } from './code.ts';
import { readCondition, readCriterion, takeCondition } from './conditions.ts';
import { type Cursor, type Line, take, takeLine } from './cursor.ts';
import { defaultWhy, withIds, withNeeds } from './defaults.ts';
import { readInputs } from './input-lines.ts';
import { goalOf, printBody } from './print.ts';
import { inCode, inOrder, type NotationProblem, type Problems, problemsOf } from './problems.ts';
import { readStep, unknownTool } from './read-step.ts';
import { type Inputs, noInputs, type ValueContext } from './values.ts';
import { readVerify } from './verify-line.ts';
import { readWatch } from './watch-line.ts';

export type Parsed =
  | { readonly plan: Plan; readonly problems: readonly [] }
  | { readonly plan: null; readonly problems: readonly NotationProblem[] };

type Manifests = ReadonlyMap<string, Manifest>;

/**
 * Parses plan notation into a plan, or lists everything wrong with it. Omitted parts are filled in. `inputs`: the
 * values of `{name}` when the text is a playbook.
 */
export function parse(text: string, manifests: Manifests, inputs: Inputs = noInputs): Parsed {
  const problems = problemsOf(text);
  const raw = readClauses(text, problems);
  if (raw.steps.length === 0 && problems.found.length === 0)
    problems.add('syntax', { text: '', at: 0 }, 'There is no step in it: tool name=value …');
  const ids = withIds(raw.steps.map(({ id, tool }) => ({ id: id?.text ?? null, tool: tool.text })));
  const context = contextOf(raw, ids, manifests, { inputs, problems });
  const written = raw.steps.map((step, index) => ({
    ...readStep(step, ids[index] ?? '', context),
    ...readVerify(step, context, manifests),
  }));
  const steps = problems.found.length > 0 ? written : completed(written, context, manifests);
  const draft = planOf(raw, steps, context, manifests);
  if (draft === null) return { plan: null, problems: inOrder(problems.found) };
  const parsed = planSchema.safeParse(draft, { error: plainWords });
  if (parsed.success) return { plan: parsed.data, problems: [] };
  for (const issue of parsed.error.issues) {
    const [part, index, ...path] = issue.path;
    const step = part === 'steps' && typeof index === 'number' ? raw.steps[index] : undefined;
    const field = step ? `${step.tool.text} ${path.join('.')}` : issue.path.join('.');
    problems.add('bad_plan', step?.tool ?? { text: '', at: 0 }, `${inCode(field)}: ${issue.message}.`);
  }
  return { plan: null, problems: inOrder(problems.found) };
}

/** Fills in the omitted parts of the steps. */
function completed(steps: readonly Step[], { scope }: ValueContext, manifests: Manifests): Step[] {
  const words = vocabularyOf(steps, manifests);
  return withNeeds(steps, scope).map((step) => ({ ...step, why: step.why || defaultWhy(step, words) }));
}

/** The whole plan around its steps; null if there was any problem. */
function planOf(
  raw: RawPlan,
  steps: readonly Step[],
  context: ValueContext,
  manifests: Manifests,
): Plan | null {
  const { problems } = context;
  const all = (wanted: PlanKey) => raw.said.filter(({ key }) => key === wanted);
  const repeated = (['goal', 'summary', 'situation', 'watch'] as const).flatMap((key) => all(key).slice(1));
  for (const { key, word } of repeated)
    problems.add('repeated', word, `There are two lines ${inCode(`${key}:`)}.`);
  const inputs = readInputs(raw.said, problems);
  const success = all('success').flatMap(
    ({ line }) => readCriterion(line, { ...context, inputs: noInputs }) ?? [],
  );
  const causes = all('cause').flatMap(({ line }) => readCause(line, context) ?? []);
  const [about] = all('situation');
  const [stray] = about === undefined ? [...all('cause'), ...all('idea')] : [];
  if (stray !== undefined)
    problems.add(
      'syntax',
      stray.word,
      `${inCode(`${stray.key}:`)} belongs below a line ${inCode('situation:')}.`,
    );
  const ideas = all('idea').map(({ line }) => line.text);
  const [watched] = all('watch');
  const watch = watched === undefined ? null : readWatch(watched.line, problems);
  if (problems.found.length > 0) return null;
  const summary = all('summary')[0]?.line.text ?? planTitle(steps, manifests);
  const [assumptions, omitted] = (['assuming', 'omitted'] as const).map((key) =>
    all(key).map(({ line }) => line.text),
  ) as [string[], string[]];
  const timed = watch === null ? {} : { watch };
  const situation =
    about === undefined
      ? {}
      : { situation: { service: about.line.text, causes, ...(ideas.length === 0 ? {} : { ideas }) } };
  const left = omitted.length === 0 ? {} : { omitted };
  const body = { summary, inputs, assumptions, ...left, steps: [...steps], success, ...situation, ...timed };
  return { goal: all('goal')[0]?.line.text ?? goalOf(printBody(body, manifests)), ...body };
}

/** The tools behind the ids that steps refer to. */
function contextOf(
  { steps, isWhole }: RawPlan,
  ids: readonly string[],
  manifests: Manifests,
  { inputs, problems }: { readonly inputs: Inputs; readonly problems: Problems },
): ValueContext {
  const scope = new Map<string, Manifest>();
  const codes = new Map<string, Code>();
  const unclear = new Set<string>();
  steps.forEach(({ id, tool, args, code: raw }, index) => {
    const own = ids[index] ?? '';
    const names = args.map(({ name }) => name.text);
    const code = raw && readCode(raw, tool, names, problems);
    if (code !== null) codes.set(own, code);
    const manifest = code === null ? manifests.get(tool.text) : codeManifest(own, names, code);
    if (manifest) scope.set(own, manifest);
    else unclear.add(own);
    if (!manifest && raw === null) unknownTool(tool, manifests, problems);
    if (id && ids.indexOf(own) < index) problems.add('repeated', id, `There are two steps ${inCode(own)}.`);
  });
  const mayBe = (id: string): boolean => !isWhole || unclear.has(id);
  return { scope, codes, ids, mayBe, inputs, problems };
}

/** The rest of a line `cause: pool-too-small when deploys.total > 0: "…"`; null when it cannot be read. */
function readCause({ text, at }: Line, context: ValueContext): PlannedCause | null {
  const cursor: Cursor = { text, at: 0 };
  const id = take(cursor, /(\S+)\s+when\b/iy)?.[1] ?? '';
  const condition = causeIdPattern.test(id) ? takeCondition(cursor) : null;
  const sentence = condition === null ? '' : takeLine(cursor).text;
  if (condition === null || sentence === '') {
    const message = `${inCode('cause:')} reads pool-too-small when deploys.total > 0: and a sentence.`;
    context.problems.add('syntax', { text, at }, message);
    return null;
  }
  const when = readCondition({ ...condition, at: at + condition.at }, { ...context, inputs: noInputs });
  return when === null ? null : { id, sentence, when };
}
