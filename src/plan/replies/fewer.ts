import type { Catalogue } from '../../core/catalogue.ts';
import { effectOf, manifestOf } from '../../core/code-step.ts';
import { dependenciesOf } from '../../core/graph.ts';
import type { Plan, Step } from '../../core/plan.ts';
import { questionWords } from '../../core/question-words.ts';
import { planTitle } from '../../core/title.ts';
import { evidenceOf } from '../../core/verify.ts';
import { emptyWords } from '../everyday/empty-words.ts';
import { nameIndex, withNames } from '../everyday/names.ts';
import { denies, stem } from '../everyday/negations.ts';
import { type Token, tokenize } from '../everyday/tokens.ts';
import { slotsAt } from './places.ts';
import { isAround, joining, keeping, words } from './words.ts';

/** Replies that name steps of the plan, to leave them out or to keep nothing else: “drop payments”, “just the ticket”. */

const leaving = words(
  'drop remove forget leave cancel delete lose omit scratch hold',
  'weg lass lasst streich streiche raus retire enlève supprime oublie quita elimina olvida tira remove esquece',
);
/** Denials that do not leave out what they stand before. */
const otherDenials = words('instead unless nobody none zero never niemand niemanden personne nadie ninguém');
const conditions = words('condition if check bedingung prüfung condición condição');
/** Words for the steps that are not named, which stay. */
const others = words('rest else everything fine others');
/** Talk and questions about steps. */
const telling = words(
  ...questionWords,
  'if unless did does has have had was were will would should could may might again',
);

/** A part of a reply, with the steps that it drops or keeps. */
interface Part {
  readonly isDropped: boolean;
  /** Ids of steps. */
  readonly named: ReadonlySet<string>;
}

/** The plan without what a reply leaves out; null for any other reply, and where it is not clear. */
export function withFewerSteps(plan: Plan, said: string, catalogue: Catalogue): Plan | null {
  const tokens = withNames(said, tokenize(said), nameIndex(catalogue));
  const acts = actsOf(plan, catalogue);
  if (dropsCondition(tokens)) return withoutConditions(plan, catalogue);
  const parts = acts.length < 2 ? null : partsOf(tokens, acts, catalogue);
  if (parts === null || parts.length === 0) return null;
  const [dropped, kept] = [true, false].map(
    (is) => new Set(parts.filter(({ isDropped }) => isDropped === is).flatMap(({ named }) => [...named])),
  ) as [Set<string>, Set<string>];
  const left = acts.filter(({ id }) => (kept.size > 0 ? kept.has(id) : !dropped.has(id)));
  const isClear = kept.isDisjointFrom(dropped) && left.length > 0 && left.length < acts.length;
  const gone = new Set(acts.filter((act) => !left.includes(act)).map(({ id }) => id));
  return isClear ? withoutSteps(plan, gone, catalogue) : null;
}

/** The writes of a plan, or what it looks up. */
export function actsOf({ steps }: Plan, { manifests }: Catalogue): readonly Step[] {
  const writes = steps.filter(({ tool }) => effectOf(tool, manifests) === 'write');
  const needed = new Set(steps.flatMap(dependenciesOf));
  return writes.length > 0 ? writes : steps.filter(({ id }) => !needed.has(id));
}

/** The steps that words leave out: “not the page”. Null where they say anything else. */
export function namedIn(
  said: string,
  acts: readonly Step[],
  catalogue: Catalogue,
): ReadonlySet<string> | null {
  const parts = partsOf(withNames(said, tokenize(said), nameIndex(catalogue)), acts, catalogue);
  return parts?.every(({ isDropped }) => isDropped) === true
    ? new Set(parts.flatMap(({ named }) => [...named]))
    : null;
}

/** Null for a reply with any word that is neither a step, nor about leaving out, nor filler. */
function partsOf(tokens: readonly Token[], acts: readonly Step[], catalogue: Catalogue): Part[] | null {
  const parts: Part[] = [];
  let mode: 'drop' | 'keep' | null = null;
  let [isJoined, sets]: [boolean, ReadonlySet<string>[]] = [false, []];
  const close = (): boolean => {
    const before = parts.at(-1);
    if (sets.length === 0) return true;
    const isDropped =
      mode === null && isJoined ? before?.isDropped : mode === null ? undefined : mode === 'drop';
    const named = sets.reduce((all, set) => all.intersection(set));
    if (isDropped === undefined || named.size === 0) return false;
    parts.push({ isDropped, named });
    return true;
  };
  for (const token of tokens) {
    const { low, kind } = token;
    const isJoin = joining.has(low);
    if (isJoin || kind === 'mark') {
      if (low === '?' || !close()) return null;
      [mode, isJoined, sets] = [null, isJoin, []];
      continue;
    }
    const named = stepsNamed(token, acts, catalogue);
    if ((denies(token) && !otherDenials.has(low)) || leaving.has(low)) mode = 'drop';
    else if (keeping.has(low)) mode ??= 'keep';
    else if (named.size > 0) sets.push(named);
    else if (telling.has(low) || !(isAround(token) || emptyWords.has(low) || others.has(low))) return null;
  }
  return close() ? parts : null;
}

/** The steps that a word stands for: by what they do, or by what they do it to. */
function stepsNamed(token: Token, acts: readonly Step[], catalogue: Catalogue): ReadonlySet<string> {
  const bare = (value: string): string => value.replace(/^[#@]/u, '').toLowerCase();
  const values = new Set(slotsAt(token, catalogue).map(({ value }) => bare(value)));
  const found = acts.filter((step) => {
    const { verbs = [], nouns = [] } = manifestOf(step, catalogue.manifests)?.asked ?? {};
    return (
      [...verbs, ...nouns].some((word) => stem(word) === stem(token.low)) ||
      Object.values(step.args).some((value) => typeof value === 'string' && values.has(bare(value)))
    );
  });
  return new Set(found.map(({ id }) => id));
}

/**
 * The plan without some steps, and without the reads that only they needed, unless their `place` is taken by others; null
 * where another step needs one.
 */
export function withoutSteps(
  plan: Plan,
  gone: ReadonlySet<string>,
  catalogue: Catalogue,
  isReplaced = false,
): Plan | null {
  const needsOf = (step: Step): string[] => [
    ...dependenciesOf(step),
    ...(step.verify === undefined ? [] : evidenceOf(step.verify)),
  ];
  const before = new Set(plan.steps.flatMap(needsOf));
  let steps = plan.steps.filter(({ id }) => !gone.has(id));
  if (steps.some((step) => needsOf(step).some((id) => gone.has(id)))) return null;
  for (let count = isReplaced ? steps.length : -1; count !== steps.length; ) {
    count = steps.length;
    const needed = new Set(steps.flatMap(needsOf));
    steps = steps.filter(
      ({ id, tool }) => needed.has(id) || !before.has(id) || effectOf(tool, catalogue.manifests) !== 'read',
    );
  }
  return changed(plan, steps, catalogue);
}

const dropsCondition = (tokens: readonly Token[]): boolean =>
  tokens.some((token) => denies(token) || leaving.has(token.low)) &&
  tokens.some(({ low }) => conditions.has(low)) &&
  tokens.every(
    (token) =>
      denies(token) ||
      leaving.has(token.low) ||
      conditions.has(token.low) ||
      isAround(token) ||
      emptyWords.has(token.low),
  );

/** Every step is due, and what only a condition looked at is not looked up. */
function withoutConditions(plan: Plan, catalogue: Catalogue): Plan | null {
  if (plan.steps.every(({ when }) => when === undefined)) return null;
  const steps = plan.steps.map((step) => {
    const { when, ...always } = step;
    if (when === undefined) return step;
    const used = new Set(dependenciesOf({ args: step.args, needs: [] }));
    return { ...always, needs: step.needs.filter((id) => used.has(id)) };
  });
  const needed = new Set(steps.flatMap(dependenciesOf));
  const before = new Set(plan.steps.flatMap(dependenciesOf));
  return changed(
    plan,
    steps.filter(({ id }) => needed.has(id) || !before.has(id)),
    catalogue,
  );
}

function changed(plan: Plan, steps: readonly Step[], { manifests }: Catalogue): Plan {
  const ids = new Set(steps.map(({ id }) => id));
  const isWhole = (criterion: string): boolean =>
    [...criterion.matchAll(/\b([a-z][a-z0-9_]*)\./gu)].every(([, id = '']) => ids.has(id));
  return {
    ...plan,
    ...stillAssumed(plan, steps),
    steps: [...steps],
    summary: planTitle(steps, manifests),
    success: plan.success.filter(isWhole),
  };
}

/** The assumptions of a plan, without what it no longer does. */
export function stillAssumed(
  { inputs, assumptions, steps: before }: Plan,
  steps: readonly Step[],
): Pick<Plan, 'inputs' | 'assumptions'> {
  const valuesOf = (of: readonly Step[]) =>
    new Set(of.flatMap(({ args }) => Object.values(args)).filter((value) => typeof value === 'string'));
  const now = valuesOf(steps);
  const gone = [...valuesOf(before)].filter((value) => !now.has(value));
  return {
    inputs: inputs.filter(({ value }) => now.has(value)),
    assumptions: assumptions.filter((sentence) => !gone.some((value) => sentence.includes(value))),
  };
}
