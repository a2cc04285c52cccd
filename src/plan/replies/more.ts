import type { Catalogue } from '../../core/catalogue.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { effectOf, isSameCall, manifestOf, onlyReads } from '../../core/code-step.ts';
import { dependenciesOf } from '../../core/graph.ts';
import { type ArgValue, type Plan, planLimits, type Step } from '../../core/plan.ts';
import type { Planner, PlanningInput } from '../../core/planning.ts';
import { freeId, renameStep } from '../../core/rename.ts';
import { vocabularyOf } from '../../core/step-words.ts';
import { planTitle } from '../../core/title.ts';
import { emptyWords } from '../everyday/empty-words.ts';
import { nameIndex, withNames } from '../everyday/names.ts';
import { slotsOf } from '../everyday/slots.ts';
import { isMade, textArgOf } from '../everyday/texts.ts';
import { tokenize } from '../everyday/tokens.ts';
import { type Due, saidIn } from './besides.ts';
import { actsOf, withoutSteps } from './fewer.ts';

/** Replies that add a step, or put one in the place of another: “also open a ticket”, “don’t page, tell #ops”. */

/** How often the request may ask for what the plan says already. */
const maxAnswers = 3;
/** Stands for the text of the plan above until both plans are one. */
const sameText = 'same text';
/** Less sure than this, it may have been talk. */
const sure = 0.6;

/** The plan with the steps that a reply asks for, or the question for what they lack; null for any other reply. */
export async function withMoreSteps(
  plan: Plan,
  words: string,
  input: PlanningInput,
  next: Planner,
): Promise<Plan | string | null> {
  const said = saidIn(words, plan, input.catalogue);
  if (said === null || plan.watch !== undefined) return null;
  const left = said.gone.size === 0 ? plan : withoutSteps(plan, said.gone, input.catalogue, true);
  if (left === null) return null;
  const writes = !onlyReads(plan.steps, input.catalogue.manifests);
  for (const goal of [said.more, ...withVerbs(said.more, plan, input.catalogue)]) {
    const added = await plannedAlone(goal, plan, input, next);
    if (typeof added === 'string' && writes)
      return `${added} Say it in one reply, for example “${cut(oneLine(words.trim()), 100)}: …”.`;
    if (added === null || typeof added === 'string') continue;
    const isDueThen =
      said.due !== 'own' || actsOf(added, input.catalogue).every(({ when }) => when !== undefined);
    return isDueThen ? joined(left, added, { above: plan, due: said.due }, input.catalogue) : null;
  }
  return null;
}

/** “A ticket” and “payments” say no verb: that of the tool which makes one, or of what the plan does already. */
function withVerbs(more: string, plan: Plan, catalogue: Catalogue): string[] {
  const tokens = withNames(more, tokenize(more), nameIndex(catalogue));
  const said = new Set(tokens.map(({ low }) => low));
  const tools = [...catalogue.manifests.values()].filter(({ effect }) => effect === 'write');
  const isNamed = (list: readonly string[] = []): boolean => list.some((word) => said.has(word));
  if (tools.some(({ asked }) => isNamed(asked?.verbs))) return [];
  const named = tools.filter(({ asked }) => isNamed(asked?.nouns));
  const isOnlyNames = tokens.every(
    ({ low, kind, names }) =>
      Object.keys(names).length > 0 || /^(?:channel|person)$/u.test(kind) || emptyWords.has(low),
  );
  const own = isOnlyNames
    ? actsOf(plan, catalogue).flatMap((step) => manifestOf(step, catalogue.manifests) ?? [])
    : [];
  const [verb] = (named.length > 0 ? named : own).flatMap(({ asked }) => asked?.verbs[0] ?? []);
  return verb === undefined ? [] : [`${verb} ${more}`];
}

/** An order planned as a request of its own; whatever it does not say is as in the plan above it. */
export async function plannedAlone(
  goal: string,
  above: Pick<Plan, 'steps'>,
  input: PlanningInput,
  next: Planner,
): Promise<Plan | string | null> {
  const { manifests } = input.catalogue;
  const answers: PlanningInput['answers'][number][] = [];
  while (answers.length <= maxAnswers) {
    const { answer, confidence } = await next.plan({ ...input, goal, answers, quoted: null, change: null });
    if (answer.kind === 'refuse') return null;
    if (answer.kind === 'plan') {
      const isWrite = !onlyReads(answer.plan.steps, manifests);
      const isWhole = (answer.plan.omitted ?? []).length === 0 && answer.plan.watch === undefined;
      return isWrite && isWhole && confidence >= sure ? askedFor(goal, answer.plan, answers) : null;
    }
    const [slot = ''] = answer.missing;
    const value = valueFor(slot, above, input.catalogue);
    if (value === undefined && /^(?:text|summary)$/u.test(slot) && confidence >= sure) return answer.question;
    if (value === undefined || answers.some(({ missing }) => missing[0] === slot)) return null;
    answers.push({ question: answer.question, missing: [slot], answer: value });
  }
  return null;
}

/** The plan as if that alone had been said; a name that came from the plan above it is an assumption. */
function askedFor(goal: string, plan: Plan, answers: PlanningInput['answers']): Plan {
  const taken = answers.filter(({ answer }) => answer !== `"${sameText}"`);
  const why = cut(oneLine(goal), 300);
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, why })),
    inputs: plan.inputs.filter(({ source }) => source !== 'asked'),
    assumptions: [
      ...plan.assumptions,
      ...taken.map(
        ({ missing, answer }) => `No ${missing[0]} was named for “${cut(why, 60)}”, so I used ${answer}.`,
      ),
    ],
  };
}

/** A thing that the plan names, if it names only one of its kind. */
export function valueFor(
  slot: string,
  { steps }: Pick<Plan, 'steps'>,
  { manifests, services, projects }: Catalogue,
): string | undefined {
  if (slot === 'text' || slot === 'summary')
    return textOf(steps, manifests) === undefined ? undefined : `"${sameText}"`;
  const found = new Set(
    steps.flatMap((step) => {
      const tool = manifestOf(step, manifests);
      const args =
        tool === undefined ? [] : [...slotsOf(tool)].filter(([arg, of]) => of === slot || arg === slot);
      return args.flatMap(([arg]) => literal(step.args[arg]) ?? []);
    }),
  );
  if (found.size > 0 || !/^(?:project|service)$/u.test(slot))
    return found.size === 1 ? [...found][0] : undefined;
  const [other] = [...services, ...projects].flatMap((one) => {
    const [service, project] = 'key' in one ? [one.service, one.key] : [one.name, one.project];
    const [from, to] = slot === 'project' ? [service, project] : [project, service];
    return from !== undefined && steps.some(({ args }) => Object.values(args).includes(from))
      ? (to ?? [])
      : [];
  });
  return other;
}

const literal = (value: ArgValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The text that the writes of a plan share, or that of its first one. */
function textOf(steps: readonly Step[], manifests: Catalogue['manifests']): ArgValue | undefined {
  return steps
    .map((step) => step.args[textArgOf(manifestOf(step, manifests)) ?? ''])
    .find((text) => text !== undefined);
}

/** Both plans in one: new steps say the same as those before them where nothing else was dictated. */
function joined(
  left: Plan,
  added: Plan,
  { above, due }: { readonly above: Plan; readonly due: Due },
  { manifests }: Catalogue,
): Plan | null {
  const taken = new Set(left.steps.map(({ id }) => id));
  const renames = new Map(added.steps.map(({ id }) => [id, freeId(id, taken)]));
  const words = vocabularyOf(added.steps, manifests);
  const text = textOf(above.steps, manifests);
  const writes = above.steps.filter(({ tool }) => effectOf(tool, manifests) === 'write');
  const common = due === 'same' || due === 'otherwise' ? conditionOf(writes) : null;
  if (due === 'otherwise' && common === null) return null;
  const steps = added.steps.map((step) => {
    const arg = textArgOf(manifestOf(step, manifests));
    const isSame =
      arg !== undefined &&
      text !== undefined &&
      (step.args[arg] === sameText || (due !== 'own' && isMade(step, arg, words)));
    const id = renames.get(step.id) ?? step.id;
    const renamed = renameStep({ ...step, id, args: isSame ? {} : step.args }, renames);
    const isDueThen =
      common !== null && step.when === undefined && effectOf(step.tool, manifests) === 'write';
    const whole = {
      ...renamed,
      ...(isSame ? { args: { ...step.args, [arg]: text } } : {}),
      ...(isDueThen
        ? {
            when: due === 'otherwise' ? `!(${common.when})` : common.when,
            needs: [...new Set([...renamed.needs, ...common.needs])],
          }
        : {}),
    };
    return { ...whole, needs: dependenciesOf(whole) };
  });
  if (steps.some((step) => left.steps.some((one) => isSameCall(one, step)))) return null;
  const all = inPlace(steps, left.steps, above.steps);
  if (all.length > planLimits.steps) return null;
  return {
    ...left,
    steps: all,
    summary: planTitle(all, manifests),
    inputs: [...left.inputs, ...added.inputs].slice(0, 20),
    assumptions: [...new Set([...left.assumptions, ...added.assumptions])].slice(0, 10),
  };
}

/** The one condition of all these steps, and what it needs; null where they have none or several. */
function conditionOf([first, ...others]: readonly Step[]): { when: string; needs: readonly string[] } | null {
  const { when, needs = [] } = first ?? {};
  return when !== undefined && others.every((other) => other.when === when) ? { when, needs } : null;
}

/** New steps stand where the ones were that they replace, or at the end. */
function inPlace(steps: readonly Step[], left: readonly Step[], above: readonly Step[]): Step[] {
  const at = above.findIndex(({ id }, nth) => left[nth]?.id !== id);
  const nth = at < 0 ? left.length : at;
  return [...left.slice(0, nth), ...steps, ...left.slice(nth)];
}
