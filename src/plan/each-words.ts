import type { PlannerAnswer } from '../core/answer.ts';
import { fieldInfo, type TargetKind } from '../core/fields.ts';
import { itemRef, kindInList, listFields } from '../core/for-each.ts';
import type { ArgValue, Plan, Step } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { isRef, splitRef } from '../core/refs.ts';
import { vocabularyOf } from '../core/step-words.ts';
import { planTitle } from '../core/title.ts';
import { defaultWhy } from '../notation/defaults.ts';
import { offersOf } from './everyday/questions.ts';
import { betweenQuotes, withoutQuotes } from './quotations.ts';
import { dangerIn } from './refusals.ts';

const time =
  '(?:other |second |few )?(?:\\d|second|minute|hour|day|week|month|morning|evening|night|weekday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|time|minuten?|stunden?|tage?|woche|morgen|jour|heure|semaine|día|hora|dia)';
/** "each", "every", "all of them" in five languages, each with the words for one of them; "every hour" is a time. */
const quantifiers: readonly [RegExp, string, string?][] = [
  [
    /(?<!\p{L})(?:(?:each(?: and every)?|every)(?: single)?(?: one)? of|all(?: of)?) (?:them|these|those)(?!\p{L})/giu,
    'the oldest',
    'the most overdue',
  ],
  [/(?<!\p{L})them all(?!\p{L})/giu, 'the oldest', 'the most overdue'],
  [
    new RegExp(
      `(?<!\\p{L})(?:each and every|each|every single|every|all(?: of)?(?: the)?)(?!\\p{L})(?! ${time})`,
      'giu',
    ),
    'the oldest',
    'the most overdue',
  ],
  [new RegExp(`(?<!\\p{L})(?:jede[nmrs]?|alle|sämtliche)(?!\\p{L})(?! ${time})`, 'giu'), 'das älteste'],
  [new RegExp(`(?<!\\p{L})(?:chaque|tous les|toutes les)(?!\\p{L})(?! ${time})`, 'giu'), 'le plus ancien'],
  [new RegExp(`(?<!\\p{L})(?:cada|todos los|todas las)(?!\\p{L})(?! ${time})`, 'giu'), 'el más antiguo'],
  [new RegExp(`(?<!\\p{L})(?:todos os|todas as)(?!\\p{L})(?! ${time})`, 'giu'), 'o mais antigo'],
];
/** A request that is about one of a list anyway. */
const ofOne = /(?<!\p{L})(?:oldest|newest|latest|first|last|älteste|neueste|ancien|antigu|antigo)/iu;

/**
 * Reads a request about each of a list as if it were about one of them, and writes for each entry in its place. Only a
 * list that is narrowed down counts: a whole project or service is not acted on at once.
 */
export function eachFirst(next: Planner, planner: Planner): Planner {
  return {
    async plan(input) {
      const replies: PlannerReply[] = [];
      for (const goal of aboutOne(input)) {
        if (dangerIn({ goal, catalogue: input.catalogue }) !== null) break;
        const reply = await planner.plan({ ...input, goal });
        const answer = forEach(reply.answer, input);
        if (answer?.kind === 'plan') return { ...reply, answer };
        if (answer !== null) replies.push({ ...reply, answer });
      }
      return replies[0] ?? next.plan(input);
    },
  };
}

/** The request with one in place of each, in the words for one that fit a list or an SLA; none where it is not about each. */
function aboutOne({ goal, change, replan }: PlanningInput): string[] {
  if (change !== null || replan !== null || ofOne.test(withoutQuotes(goal))) return [];
  const about = (nth: number): string =>
    betweenQuotes(goal, (words) =>
      quantifiers.reduce((text, [pattern, ...ones]) => text.replace(pattern, ones[nth] ?? ones[0]), words),
    );
  return [...new Set([about(0), about(1)])].filter((one) => one !== goal);
}

function forEach(answer: PlannerAnswer, input: PlanningInput): PlannerAnswer | null {
  if (answer.kind === 'plan') {
    const plan = withEach(answer.plan, input);
    return plan && { ...answer, plan };
  }
  if (answer.kind !== 'clarify') return null;
  const plans = (answer.offers ?? []).flatMap(({ plan }) => withEach(plan, input) ?? []);
  const others = offersOf(plans, input.catalogue);
  return others.length === 0
    ? null
    : { ...answer, offers: others, options: others.map(({ option }) => option) };
}

function withEach(plan: Plan, { goal, catalogue: { manifests } }: PlanningInput): Plan | null {
  const lists = new Set<string>();
  const written = plan.steps.map((step) => {
    const each = manifests.get(step.tool)?.effect === 'write' ? eachOf(step, plan, manifests) : null;
    if (each !== null) lists.add(splitRef(each.each ?? '').step);
    return each ?? step;
  });
  if (lists.size === 0) return null;
  const steps = written.map((step) => (lists.has(step.id) ? wholeList(step) : step));
  const sent = new Set(steps.flatMap(({ each, args }) => (each === undefined ? [] : Object.values(args))));
  if (!steps.every((step) => !lists.has(step.id) || isNarrow(step, sent))) return null;
  const words = vocabularyOf(steps, manifests);
  const said = steps.map((step) => ({ ...step, why: defaultWhy(step, words) }));
  return { ...plan, goal, steps: said, summary: planTitle(said, manifests) };
}

type Manifests = PlanningInput['catalogue']['manifests'];

/** The write for each entry of the list whose first one is its target; null for any other. */
function eachOf(step: Step, { steps }: Plan, manifests: Manifests): Step | null {
  const shape = manifests.get(step.tool)?.args.shape ?? {};
  for (const [arg, value] of Object.entries(step.args)) {
    const kind = shape[arg] && fieldInfo(shape[arg]).target;
    if (!kind || !isRef(value)) continue;
    const list = listBehind(value.ref, kind, steps, manifests);
    if (list === null) continue;
    const item = { ref: itemRef(list) };
    const isFirst = (part: unknown): boolean => isRef(part) && part.ref === value.ref;
    const entry = (one: ArgValue): ArgValue =>
      Array.isArray(one) ? one.map((part) => (isFirst(part) ? item : part)) : isFirst(one) ? item : one;
    const args = Object.entries(step.args).map(([name, one]) => [name, entry(one)]);
    return { ...step, args: Object.fromEntries(args), each: list };
  }
  return null;
}

function listBehind(
  ref: string,
  kind: TargetKind,
  steps: readonly Step[],
  manifests: Manifests,
): string | null {
  const { step: id, path } = splitRef(ref);
  const manifest = manifests.get(steps.find((one) => one.id === id)?.tool ?? '');
  if (manifest === undefined || path.length !== 1) return null;
  const field = listFields(manifest).find((name) => kindInList(manifest, name) === kind);
  return field === undefined ? null : `${id}.${field}`;
}

/** Not just the oldest one, which only stood for each. */
function wholeList(step: Step): Step {
  const { order: _order, limit: _limit, ...args } = step.args;
  return { ...step, args };
}

/** In one place, and by more than that it is open or of a type. A text that is sent to each was not said as a filter. */
function isNarrow({ args }: Step, sent: ReadonlySet<ArgValue>): boolean {
  const { project, service, type: _type, status, ...rest } = args;
  const isOpen = status === undefined || status === 'open' || status === 'all';
  const filters = Object.values(rest).filter((value) => !sent.has(value));
  return (project ?? service) !== undefined && (!isOpen || filters.length > 0);
}
