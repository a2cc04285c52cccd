import { canonicalJson } from '../../core/canonical.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { manifestOf, onlyReads } from '../../core/code-step.ts';
import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import {
  certainReply,
  type PlannerReply,
  type PlanningInput,
  type ReviewDraft,
} from '../../core/planning.ts';
import { vocabularyOf } from '../../core/step-words.ts';
import { planTitle } from '../../core/title.ts';
import { groupingIn, withGroups } from '../everyday/grouping.ts';
import { isMade, madeText } from '../everyday/texts.ts';
import type { Token } from '../everyday/tokens.ts';
import { stillAssumed } from './fewer.ts';
import { type Place, placesFor, slotsAt, type ValueSlot } from './places.ts';
import { type SaidValue, type SaidValues, valuesIn } from './words.ts';

/**
 * The answer to a reply that says nothing but values: “and in PAY?”, “not P1, P2”, “only mine”, “by assignee”. Each takes
 * the place of what the plan had of its kind, and all else stays. Or words that ask the same of the plan's own planner;
 * null for any other reply.
 */
export function refined(
  plan: Plan,
  words: string,
  input: PlanningInput,
  review: ReviewDraft,
): PlannerReply | string | null {
  const { catalogue } = input;
  const isRead = onlyReads(plan.steps, catalogue.manifests);
  const grouping = isRead ? groupingIn({ ...input, change: null, quoted: null, goal: words }) : null;
  const rest = grouping?.goal ?? words;
  const said = valuesIn(rest, plan, catalogue, (token) => slotsAt(token, catalogue).length > 0);
  if (said === null || (said.wanted.length === 0 && grouping === null))
    return said !== null && isRead ? withoutValues(plan, said.denied, input, review) : null;
  const changed = said.wanted.length === 0 ? plan : withValues(plan, said, isRead, input);
  if (changed === null) return null;
  if (plan.situation !== undefined) return grouping === null ? aboutAnother(plan, changed) : null;
  if (grouping === null) return certain(changed, input, review);
  const answer = withGroups({ kind: 'plan', plan: changed }, grouping, { ...input, goal: plan.goal });
  if (answer.kind === 'refuse') return certainReply(asking(answer.explanation), 'offline');
  return answer.kind === 'plan' ? certain(answer.plan, input, review) : null;
}

/** “Without checkout”: where a tool cannot leave it out, its answer would be about nothing else. */
function withoutValues(
  plan: Plan,
  denied: readonly Token[],
  input: PlanningInput,
  review: ReviewDraft,
): PlannerReply | null {
  const { manifests } = input.catalogue;
  const all = denied.flatMap((token) => slotsAt(token, input.catalogue).map((of) => ({ ...of, token })));
  const names = all.filter(({ isOwn, slot }) => isOwn && slot !== 'time' && slot !== 'status');
  const had = new Set(plan.steps.flatMap(({ args }) => Object.values(args)));
  if (names.length === 0 || names.some(({ value }) => had.has(value))) return null;
  const steps = plan.steps.map((step) => {
    const shape = manifestOf(step, manifests)?.args.shape ?? {};
    const excluded = names.flatMap(({ slot, value }) => {
      const arg = [`${slot}_not`, 'assignee_not', 'priority_not'].find(
        (name) => name in shape && fits(slot, name),
      );
      return arg === undefined ? [] : [[arg, value]];
    });
    return { ...step, args: { ...step.args, ...Object.fromEntries(excluded) } };
  });
  const isDone = steps.some((step, at) => canonicalJson(step.args) !== canonicalJson(plan.steps[at]?.args));
  if (isDone) return certain({ ...plan, steps, summary: planTitle(steps, manifests) }, input, review);
  const said = names[0]?.token.raw ?? '';
  return certainReply(
    asking(`I can’t leave “${said}” out of this; I can look at it alone: “only ${said}”.`),
    'offline',
  );
}

const fits = (slot: ValueSlot, arg: string): boolean =>
  arg === `${slot}_not` ||
  (slot === 'user' && arg === 'assignee_not') ||
  (slot === 'severity' && arg === 'priority_not');

export const asking = (question: string): PlannerReply['answer'] => ({
  kind: 'clarify',
  question,
  missing: ['goal'],
  options: [],
});

/** The changed plan as an answer, if the review takes it. */
export function certain(plan: Plan, input: PlanningInput, review: ReviewDraft): PlannerReply | null {
  const reviewed = review(plan, input).plan;
  return reviewed && certainReply({ kind: 'plan', plan: reviewed }, 'offline');
}

/** The causes of a service do not hold for another one, which has its own. */
function aboutAnother({ situation }: Plan, changed: Plan): string | null {
  const services = new Set(changed.steps.flatMap(({ args }) => args.service ?? []));
  const [service, ...others] = [...services].filter((name) => name !== situation?.service);
  return typeof service === 'string' && others.length === 0 ? `how is ${service} doing?` : null;
}

/** A plan that writes takes corrections only, and no filter that it did not have. */
function withValues(plan: Plan, said: SaidValues, isRead: boolean, input: PlanningInput): Plan | null {
  if (!isRead && !said.isCorrection) return null;
  const why = cut(oneLine(input.change?.words ?? ''), 300);
  let steps: readonly Step[] = plan.steps;
  const changed = new Set<ValueSlot>();
  for (const value of said.wanted) {
    const edit = editFor(value, { plan, said, isRead, input });
    if (edit === null || [...edit.slots].some((slot) => changed.has(slot))) return null;
    for (const slot of edit.slots) changed.add(slot);
    steps = steps.map((step, nth) => placed(step, edit.places[nth] ?? [], why));
  }
  const texted = withMadeTexts(plan.steps, steps, input.catalogue);
  return {
    ...plan,
    summary: planTitle(texted, input.catalogue.manifests),
    steps: [...texted],
    ...stillAssumed(plan, texted),
  };
}

function placed(step: Step, places: readonly Place[], why: string): Step {
  if (places.length === 0) return step;
  const dropped = places.flatMap(({ drop }) => drop);
  const kept = Object.entries(step.args).filter(([arg]) => !dropped.includes(arg));
  const set = places.flatMap(({ set }) => Object.entries(set));
  return { ...step, why, args: Object.fromEntries([...kept, ...set]) };
}

interface Editing {
  readonly plan: Plan;
  readonly said: SaidValues;
  readonly isRead: boolean;
  readonly input: PlanningInput;
}

interface Edit {
  readonly slots: ReadonlySet<ValueSlot>;
  /** For each step, where the value goes. */
  readonly places: readonly (readonly Place[])[];
}

/** Where a value goes in the plan; null where that is not clear. */
function editFor(value: SaidValue, editing: Editing): Edit | null {
  const { plan, said, isRead, input } = editing;
  const { catalogue, now } = input;
  // How often a watch looks is also when it looks.
  const slots = slotsAt(value.token, catalogue).filter(
    ({ slot }) => slot !== 'time' || plan.watch === undefined,
  );
  const options = slots.map(({ slot, isOwn }) => {
    const places = plan.steps.map((step) =>
      placesFor(slot, value, step, { catalogue, now, isMore: said.isMore }),
    );
    return {
      slot,
      isOwn,
      places,
      replaced: places.map((of) => of.filter((place) => isReplaced(place, slot, said, catalogue))),
    };
  });
  const has = (places: readonly (readonly Place[])[]): boolean => places.some((of) => of.length > 0);
  const replacing = options.filter(({ replaced }) => has(replaced));
  const own = replacing.filter(({ isOwn }) => isOwn);
  // A question may be asked of another thing as a whole; an order is corrected in the one word that was said.
  const chosen = isRead || own.length === 0 ? replacing : spelt(own, value);
  // “login as well” asks for both.
  const isAdded = said.isMore && chosen.some(({ slot }) => slot !== 'status');
  if (isAdded || (chosen.length > 1 && !isRead)) return null;
  if (chosen.length > 0) {
    const isClear = chosen.every(({ replaced }) => new Set(replaced.flat().map(({ had }) => had)).size === 1);
    if (!isClear || (chosen.some(({ slot }) => isWordOnly(slot)) && !said.isLed)) return null;
    return {
      slots: new Set(chosen.map(({ slot }) => slot)),
      places: mergedPlaces(chosen.map(({ replaced }) => replaced)),
    };
  }
  if (!isRead || said.denied.length > 0) return null;
  const isAddable = (slot: ValueSlot): boolean =>
    said.isNarrower || slot === 'time' || (slot === 'order' && said.isLed);
  const adding = options.filter(({ slot, places }) => has(places) && isAddable(slot));
  const first = adding.find(({ isOwn }) => isOwn) ?? adding[0];
  const isNew = first?.places.flat().every(({ had }) => had === undefined) ?? false;
  return first !== undefined && isNew ? { slots: new Set([first.slot]), places: first.places } : null;
}

/** A single “mine?” or “open?” may be the answer to somebody else. */
const isWordOnly = (slot: ValueSlot): boolean => slot === 'assignee' || slot === 'status' || slot === 'order';

/** “OPS” is the project, and “ops” the service. */
function spelt<Option extends { readonly slot: ValueSlot }>(
  options: readonly Option[],
  { token }: SaidValue,
): readonly Option[] {
  if (options.length < 2) return options;
  const meant = token.kind === 'capitals' ? 'project' : 'service';
  return options.filter(({ slot }) => slot === meant);
}

const mergedPlaces = (all: readonly (readonly (readonly Place[])[])[]): Place[][] =>
  (all[0] ?? []).map((_of, nth) => all.flatMap((places) => places[nth] ?? []));

/** A value that the plan has, and that is the one taken back where the reply says which. */
function isReplaced({ had }: Place, slot: ValueSlot, { denied }: SaidValues, catalogue: Catalogue): boolean {
  if (typeof had !== 'string') return false;
  const named = denied.flatMap((token) => slotsAt(token, catalogue).filter((one) => one.slot === slot));
  if (denied.length === 0 || slot === 'time') return true;
  return named.some(({ value }) => value === had);
}

/** Texts that were made from the plan are made again from the changed one. */
function withMadeTexts(
  before: readonly Step[],
  after: readonly Step[],
  { manifests }: Catalogue,
): readonly Step[] {
  const [old, now] = [vocabularyOf(before, manifests), vocabularyOf(after, manifests)];
  return after.map((step, nth) => {
    const was = before[nth] as Step;
    const made = Object.keys(step.args)
      .filter((arg) => isMade(was, arg, old))
      .flatMap((arg): [string, ArgValue][] => {
        const text = madeText(step, [], now, null);
        return text === null ? [] : [[arg, text]];
      });
    return { ...step, args: { ...step.args, ...Object.fromEntries(made) } };
  });
}

/** “not checkout, payments”: a correction of what stands above, and no request of its own. */
export function takesBack(words: string, catalogue: Catalogue): boolean {
  const said = valuesIn(words, { steps: [] }, catalogue, (token) => slotsAt(token, catalogue).length > 0);
  return said !== null && said.denied.length > 0 && said.wanted.length > 0;
}
