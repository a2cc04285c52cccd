import type { Catalogue } from '../core/catalogue.ts';
import type { Plan } from '../core/plan.ts';
import type { PlanningInput } from '../core/planning.ts';
import { withoutCourtesies } from './courtesies.ts';
import { ordersDropped } from './orders.ts';
import { quotationsIn, withoutQuotes } from './quotations.ts';

/** Words of a request that a plan does not carry. */
interface Missing {
  readonly word: string;
  /** A number, a name, a quotation, an order or a “not”: a plan without it does something else than requested. */
  readonly isBound: boolean;
  /** It makes something conditional, or leaves something out. */
  readonly isCondition: boolean;
  /** It is an order, up to the end of its clause. */
  readonly isOrder: boolean;
}

/** The words of a plan: arguments, conditions and criteria, in lower case, and the numbers of these and of its times. */
interface Said {
  readonly text: string;
  readonly numbers: ReadonlySet<number>;
  readonly hasCondition: boolean;
  /** A filter that excludes something, or a condition that something is not so. */
  readonly hasNot: boolean;
}

export const flat = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ').trim();

function saidBy({ steps, success, watch }: Plan, now: Date): Said {
  const conditions = [...steps.flatMap(({ when = [] }) => when), ...success];
  const values = steps.flatMap(({ args }) => Object.values(args).flat());
  const text = flat(
    [...values.map((value) => (typeof value === 'object' ? '' : value)), ...conditions].join(' '),
  );
  const names = steps.flatMap(({ args }) => Object.keys(args));
  return {
    text,
    numbers: new Set([...(text.match(/\d+/gu) ?? []).map(Number), ...timesOf(watch, now)]),
    hasCondition: conditions.length > 0,
    hasNot: names.some((name) => name.endsWith('_not')) || /!|\bnot\b|unassigned|open/u.test(text),
  };
}

/** The minutes between two looks, the hours at which it looks, and the minutes after which it ends. */
function timesOf(watch: Plan['watch'], now: Date): number[] {
  if (watch === undefined) return [];
  const { every, until } = watch;
  const often = 'minutes' in every ? [every.minutes] : (every.cron.match(/\d+/gu) ?? []).map(Number);
  return until === undefined ? often : [...often, Math.ceil((Date.parse(until) - now.getTime()) / 60_000)];
}

/** The same number in another unit (2 days are 48 hours), or as the other side of a limit (at least 3 is more than 2). */
function isCarried(number: number, { numbers, hasCondition }: Said): boolean {
  const units = [1, 7, 24, 60, 168, 1_000, 1_440, 10_080];
  const near = hasCondition ? [number - 1, number + 1] : [];
  return [...units.flatMap((unit) => [number * unit, number / unit]), ...near].some((one) =>
    numbers.has(one),
  );
}

/** Whole numbers, alone or with a unit; zero and one are ways to say none and any. */
function numbersIn(text: string): [word: string, value: number][] {
  const bare = text.replaceAll(/(?<=\d)[,.](?=\d{3}\b)/gu, '');
  const found = bare.matchAll(
    /(?<![\p{L}\p{N}_#@/:.-])(\d{1,9})(?:\s?(?:h|hrs?|hours?|m|mins?|minutes?|d|days?|w|weeks?|s|k|%|x))?(?![\p{L}\p{N}_]|[/:.-]\d)/gu,
  );
  return [...found]
    .map(([word, digits]): [string, number] => [word, Number(digits)])
    .filter(([, n]) => n > 1);
}

/** Words that must be names: signs, keys and names of the workspace that are not ordinary words. */
function namesIn(text: string, { services, projects, open }: Catalogue): string[] {
  const signed = text.match(/(?<![\p{L}\p{N}&/<])[#@][\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}]/gu) ?? [];
  const keys = [...text.matchAll(/\b((?!SEV|PRIO)[A-Z][A-Z0-9_]+)-\d+\b/gu)]
    .filter(([, project]) => open || projects.some(({ key }) => key === project))
    .map(([key]) => key);
  const words = new Set(text.match(/[\p{L}\p{N}_.-]+/gu));
  const known = [
    ...services.map(({ name }) => name).filter((name) => /[\d_.-]/u.test(name)),
    ...projects.map(({ key }) => key),
  ];
  return [
    ...signed.filter((name) => !/^#\d+$/u.test(name)),
    ...keys,
    ...known.filter((name) => words.has(name)),
  ];
}

/** A project also counts as carried by its service, and a service by its project. */
function isNamed(name: string, { text }: Said, { services, projects }: Catalogue): boolean {
  const others = [
    ...services.filter((one) => one.name === name).map(({ project }) => project),
    ...services.filter((one) => one.project === name).map((one) => one.name),
    ...projects.filter((one) => one.key === name).map(({ service }) => service),
  ];
  const isIn = (one: string | undefined): boolean =>
    one !== undefined && text.includes(one.replace(/^[#@]/u, '').toLowerCase());
  return [name, ...others].some(isIn);
}

/** A quotation appears verbatim in a plan, or most of its words in a search. */
function isQuoted(quotation: string, { text }: Said): boolean {
  const words = flat(quotation).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => text.includes(word)).length >= words.length * 0.6;
}

const unless = /\b(?:unless|except if|es sei denn|außer wenn|sauf si|a menos que|a no ser que)\b/iu;
const except =
  /\b(?:except|excluding|other than|apart from|aside from|but not|not (?:in|from|for|by|labell?ed|tagged)|außer|ausgenommen|sauf|excepto|salvo|exceto)\b(?! (?:if|wenn|si)\b)/iu;
const onlyIf =
  /(?<!\b(?:check|see|ask|know|tell me|look|verify|find out|wonder(?:ing)?|show) )\b(?:if|falls|wenn)\b/iu;

export const requested = ({ goal, answers }: PlanningInput): string =>
  [withoutCourtesies(goal), ...answers.map(({ answer }) => answer)].join('. ');

/** For any plan, whoever made it: words of the request that appear in no step. */
export function unaccounted(input: PlanningInput, plan: Plan): Missing[] {
  const { catalogue } = input;
  const whole = requested(input);
  const text = withoutQuotes(whole);
  const said = saidBy(plan, input.now);
  const lost = (pattern: RegExp, isThere: boolean): string[] => (isThere ? [] : (text.match(pattern) ?? []));
  const bounds = [
    ...quotationsIn(whole).filter((one) => !isQuoted(one, said)),
    ...numbersIn(text).flatMap(([word, value]) => (isCarried(value, said) ? [] : [word])),
    ...namesIn(text, catalogue).filter((name) => !isNamed(name, said, catalogue)),
  ];
  const conditions = [...lost(unless, said.hasCondition), ...lost(except, said.hasNot || said.hasCondition)];
  const orders = ordersDropped(text, plan, catalogue);
  const isAlone = (word: string): boolean => !orders.some((order) => order.includes(word));
  const plain = { isBound: true, isCondition: false, isOrder: false };
  return [
    ...[...new Set(bounds)].filter(isAlone).map((word) => ({ ...plain, word })),
    ...orders.map((word) => ({ ...plain, word, isOrder: true })),
    ...[...new Set(conditions)].map((word) => ({ ...plain, word, isCondition: true })),
    ...lost(onlyIf, said.hasCondition).map((word) => ({ ...plain, word, isBound: false, isCondition: true })),
  ];
}

/** The same without words of parts that the plan says it leaves out. */
export function unmentioned(input: PlanningInput, plan: Plan): Missing[] {
  const omitted = flat((plan.omitted ?? []).join('. '));
  return unaccounted(input, plan).filter(({ word }) => !omitted.includes(flat(word)));
}
