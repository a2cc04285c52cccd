import type { Catalogue } from '../../core/catalogue.ts';
import { durationMinutes } from '../../core/duration.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { unaccounted } from '../account.ts';
import { ordersDropped } from '../orders.ts';
import { withoutQuotes } from '../quotations.ts';
import { isUnaskedWrite } from './asked-for.ts';
import type { Draft } from './draft.ts';
import { emptyWords, isVagueAmount } from './empty-words.ts';
import { aheadOf } from './forms.ts';
import type { Heard } from './heard.ts';
import { type Difference, lostDenials, soughtAfterAll } from './negations.ts';
import { rolesPaged } from './objects.ts';
import { slotsOf } from './slots.ts';
import type { Token } from './tokens.ts';

/**
 * Words that a plan does not carry: those found for plans in general, and also times, tokens recognised by their form,
 * a negation that no step honours, and words that are not filler in the examples.
 */
export function misread(
  plan: Plan,
  { watch }: Extract<Draft, { kind: 'plan' }>,
  heard: Heard,
  input: PlanningInput,
  isPlain: (word: string) => boolean,
): {
  readonly words: readonly string[];
  /** Orders among them. */
  readonly orders: readonly string[];
  readonly isDenied: boolean;
  /** All tokens without a place, also those for which an answer stands. */
  readonly unplaced: readonly Token[];
} {
  const said = saidBy(plan);
  const difference = input.change && differenceOf(input.change.plan, plan);
  const times = [...(watch?.values() ?? [])].join(' ').toLowerCase();
  const isPassedOn = passedOn(plan, heard.text, input.catalogue.manifests);
  const isTime = ({ low }: Token): boolean => times.includes(low);
  const spoken = heard.tokens.filter(
    (token) => token.section !== 2 && token.kind !== 'section' && !isPassedOn(token) && !isTime(token),
  );
  const isReplaced = replacedBy(input);
  const missed = [
    ...spoken.filter(
      (token) =>
        !(difference?.isGone(token) ?? false) && (!isCarried(token, said) || isLost(token, said, isPlain)),
    ),
    ...rolesPaged(plan, spoken, input.catalogue.manifests),
    ...(input.change === null ? boundless(plan, spoken) : []),
  ];
  const lost = missed.filter((token) => !isReplaced(token));
  const denied = [
    ...lostDenials(plan, spoken, input.catalogue.manifests, difference),
    ...(input.change === null ? soughtAfterAll(plan, heard.tokens) : []),
  ];
  const own =
    input.change === null
      ? unaccounted(input, plan).filter(
          ({ word }) =>
            !times.includes(word.toLowerCase()) &&
            !spoken.some((token) => token.raw === word && isReplaced(token)),
        )
      : [];
  const orders =
    input.change === null
      ? own.filter(({ isOrder }) => isOrder).map(({ word }) => word)
      : ordersDropped(withoutQuotes(input.change.words), plan, input.catalogue);
  const { manifests } = input.catalogue;
  const words = [
    ...[...orders, ...own.map(({ word }) => word), ...[...lost, ...denied].map(({ raw }) => raw)],
    ...unsaidChoices(plan, heard, input),
  ];
  const shares = sharesAsCounts(plan, heard.tokens, input.catalogue);
  const drops =
    own.some(({ isCondition }) => isCondition) ||
    shares.length > 0 ||
    (input.change === null && lost.some(isUnnamed) && isUnaskedWrite(plan, heard, manifests)) ||
    lost.some(({ kind, names }) => kind === 'person' || names.user !== undefined);
  const isAsked = ({ raw }: Token): boolean =>
    input.answers.some(({ question }) => question.includes(`“${raw}”`));
  // The number in an answer takes the place of “lots”; a name may be another one than was asked for.
  const unplaced = [
    ...missed.filter((token) => lost.includes(token) || !(isAsked(token) || isVagueAmount(token.low))),
    ...[...denied, ...spoken.filter(({ raw }) => own.some(({ word }) => word === raw))],
  ];
  return {
    words: [...new Set([...shares, ...words])],
    orders,
    isDenied: denied.length > 0 || drops,
    unplaced,
  };
}

/** “above 5%” that became more than five. A database’s own number may be a share; what is counted is none. */
function sharesAsCounts(
  { steps, success }: Plan,
  tokens: readonly Token[],
  { manifests }: Catalogue,
): string[] {
  const counts = new Set(
    steps.filter(({ tool }) => manifests.get(tool)?.system !== 'sql').map(({ id }) => id),
  );
  const compared = [...steps.flatMap(({ when }) => when ?? []), ...success];
  const bounds = compared.flatMap((condition) =>
    [...condition.matchAll(/\b(\w{1,32})\.total [<>=!]{1,2} (\d{1,12}(?:\.\d{1,6})?)/gu)].flatMap(
      ([, id = '', bound]) => (counts.has(id) ? Number(bound) : []),
    ),
  );
  return tokens.flatMap(({ values, section, raw }, at) =>
    section !== 2 && tokens[at + 1]?.low === '%' && bounds.includes(values.number ?? Number.NaN)
      ? [`${raw}%`]
      : [],
  );
}

/** “many” in a plan whose condition has made any of it. */
function boundless({ steps }: Plan, tokens: readonly Token[]): Token[] {
  if (steps.every(({ when }) => when === undefined)) return [];
  return tokens.filter(
    ({ low }, at) => isVagueAmount(low) && !/^(?:how|wie|too|zu)$/u.test(tokens[at - 1]?.low ?? ''),
  );
}

const saidBy = ({ steps }: Plan): string =>
  JSON.stringify(steps.map(({ args, when }) => [args, when ?? ''])).toLowerCase();

/** A change is compared with the plan before it: “P2, not P1” names something that is gone, and rightly so. */
function differenceOf(old: Plan, plan: Plan): Difference {
  const [before, after] = [saidBy(old), saidBy(plan)];
  const has = ({ kind, values, ...token }: Token, said: string): boolean => {
    if (kind === 'number')
      return (said.match(/\d+/gu) ?? []).map(Number).includes(values.number ?? Number.NaN);
    const isName = kind !== 'word' || Object.keys(token.names).length > 0;
    return isName && kind !== 'mark' && isCarried({ kind, values, ...token }, said);
  };
  const values = ({ steps }: Plan): string[] =>
    steps.flatMap(({ tool, args, when = '' }) => [
      tool,
      when,
      ...Object.entries(args).map((entry) => JSON.stringify(entry)),
    ]);
  const now = new Set(values(plan));
  return {
    isGone: (token) => has(token, before) && !has(token, after),
    isThere: (token) => has(token, after),
    takesAway: values(old).some((value) => !now.has(value)),
  };
}

const unnamed: ReadonlySet<Token['kind']> = new Set([
  ...(['word', 'capitals', 'hyphened', 'code', 'channel', 'person'] as const),
]);

/** An answer stands for what it was asked about: a number for "too many", a project for one that nobody has. */
function replacedBy({ answers }: PlanningInput): (token: Token) => boolean {
  const isAnswered = answers.some(({ missing }) => !/^(?:goal|what|rest)$/u.test(missing[0] ?? 'goal'));
  return ({ kind, section, names }) =>
    isAnswered && section === 0 && unnamed.has(kind) && Object.keys(names).length === 0;
}

/**
 * One of a closed list that a write takes, as the low urgency of a page, which neither a change nor the plan before it
 * says. What the tool does anyway need not be said, and a request may say it in other words: “not urgent”.
 */
function unsaidChoices(plan: Plan, { text }: Heard, { catalogue, change }: PlanningInput): string[] {
  if (change === null) return [];
  const said = `${text} ${JSON.stringify(change.plan.steps.map(({ args }) => args))}`.toLowerCase();
  return plan.steps.flatMap(({ tool, args }) => {
    const manifest = catalogue.manifests.get(tool);
    if (manifest?.effect !== 'write') return [];
    return [...slotsOf(manifest)].flatMap(([arg, slot]) => {
      const value = String(args[arg] ?? '');
      const isUsual = manifest.about?.same?.[arg] === value;
      return slot === 'choice' && !isUsual && !said.includes(value.toLowerCase()) ? [value] : [];
    });
  });
}

const isUnnamed = ({ kind, names }: Token): boolean => kind === 'word' && Object.keys(names).length === 0;

const isLost = (
  { kind, low, names, values }: Token,
  said: string,
  isPlain: (word: string) => boolean,
): boolean =>
  kind === 'word' &&
  !isPlain(low) &&
  !emptyWords.has(low) &&
  values.duration === undefined &&
  Object.keys(names).length === 0 &&
  !said.includes(low);

/** Whether a token lies inside a text that the plan passes on. */
function passedOn(
  plan: Plan,
  text: string,
  manifests: ReadonlyMap<string, Manifest>,
): (token: Token) => boolean {
  const low = text.toLowerCase();
  const spans = plan.steps.flatMap(({ tool, args }) => {
    const manifest = manifests.get(tool);
    const texts = Object.entries(args).flatMap(([arg, value]) =>
      manifest !== undefined && slotsOf(manifest).get(arg) === 'text' ? [value].flat() : [],
    );
    return texts.flatMap((part) => {
      const from = typeof part === 'string' && part.length > 2 ? low.indexOf(part.toLowerCase()) : -1;
      return from < 0 ? [] : [{ from, to: from + String(part).length, isSaid: manifest?.effect === 'write' }];
    });
  });
  // A number is not searched for in words: "zero errors".
  const isQuantity = ({ kind, raw }: Token): boolean => kind === 'number' && !/\d/u.test(raw);
  return (token) =>
    spans.some(
      ({ from, to, isSaid }) => token.start >= from && token.end <= to && (isSaid || !isQuantity(token)),
    );
}

function isCarried({ kind, values, low, names }: Token, said: string): boolean {
  const bare = (name: string): string => name.replace(/^[#@]/u, '').toLowerCase();
  const isNamed = Object.values(names).some((name) => said.includes(bare(name)));
  switch (kind) {
    case 'severity':
      return said.includes(bare(values.priority ?? ''));
    case 'duration':
      return (
        said.includes(bare(values.duration ?? '')) ||
        said.includes(aheadOf(values.duration ?? '') || low) ||
        said.includes(String(durationMinutes(values.duration ?? '')))
      );
    case 'time':
    case 'clock':
      return said.includes(values.time ?? low);
    case 'code':
    case 'capitals':
    case 'hyphened':
    case 'incident':
    case 'channel':
    case 'person':
      return isNamed || said.includes(String(values.number ?? bare(low)));
    default:
      // A person is somebody in particular; another name may be an ordinary word.
      if (names.user !== undefined) return isNamed;
      return isNamed || Object.keys(names).length === 0 || kind !== 'word' || !/[-_\d]/u.test(low);
  }
}
