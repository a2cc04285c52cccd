import { queryOf } from '../../core/catalogue.ts';
import { cut } from '../../core/clean-text.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { takesTime } from '../../core/queries/bind.ts';
import { candidatesFor, type Hearing } from './candidates.ts';
import { type DraftStep, literal, type Part } from './draft.ts';
import { emptyWords } from './empty-words.ts';
import { hear } from './heard.ts';
import { nameIndex } from './names.ts';
import { type Place, placeIn } from './share-place.ts';
import type { Token } from './tokens.ts';
import { forVettedQuery } from './vetted.ts';

/** “errors of checkout as a share of requests”: a request for one number in percent of another, alone or as a condition. */

const share = 'numbers.share';

export interface Share extends Pick<Place, 'from' | 'to' | 'compared'> {
  /** The part and the whole. */
  readonly numbers: readonly [DraftStep, DraftStep];
  /** The request asks for nothing else. */
  readonly isAll: boolean;
}

/** Null where no share is asked for; a question where one is, and its two numbers are not clear. */
export function shareIn(hearing: Omit<Hearing, 'memory'>): Share | { readonly question: string } | null {
  const { heard, input, tools } = hearing;
  if (!tools.has(share) || input.change !== null || input.quoted !== null) return null;
  const place = placeIn(heard);
  if (place === null) return null;
  const { from, to, compared, parts } = place;
  const likely = numberOf(place.whole, hearing);
  const part = firstOf(parts, (words) => numberOf(words, hearing, likely?.tool));
  const whole = numberOf(place.whole, hearing, part?.tool);
  if (!part || !whole) {
    // “5 % of capacity”: without the words for a share it may be anything.
    if (compared.length > 0 && !part && !whole) return null;
    const unknown = cut(wordsOf((part ? place.whole : parts[0]) ?? []), 60);
    return { question: `I can’t count “${unknown}”. ${whatItNeeds}` };
  }
  const numbers = alike(part, whole, input);
  if (numbers === null) return { question: `Both would be the same number. ${whatItNeeds}` };
  const rest = [...heard.tokens.slice(0, from), ...heard.tokens.slice(to)];
  return { from, to, compared, numbers, isAll: compared.length === 0 && rest.every(isEmpty) };
}

const whatItNeeds =
  'A share needs two numbers: tickets, incidents, or queries by the names that /plan help lists.';

/** The step that puts two numbers, whose places among the steps are given, into relation. */
export const shareOf = (part: number, whole: number): DraftStep => ({
  tool: share,
  args: new Map([
    ['part', [{ step: part }]],
    ['whole', [{ step: whole }]],
  ]),
  ...{ when: null, after: [] },
});

const isEmpty = ({ kind, low }: Token): boolean => kind === 'mark' || emptyWords.has(low);
const wordsOf = (tokens: readonly Token[]): string => tokens.map(({ raw }) => raw).join(' ');

function firstOf<T, R>(all: readonly T[], find: (one: T) => R | null): R | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

/** From which odds on the network's reading of a number is taken. */
const sureEnough = 0.55;

/** Without such a word the network would take anything for tickets. */
const isCounted = ({ low, kind }: Token): boolean =>
  kind === 'severity' ||
  /^(?:tickets?|issues?|bugs?|tasks?|stories|epics?|incidents?|alerts?|pages?)$/u.test(low);

/** A query of the operator's, or what the network reads as a count. */
function numberOf(
  tokens: readonly Token[],
  hearing: Omit<Hearing, 'memory'>,
  preferred?: string,
): DraftStep | null {
  const { heard, input, network, tools } = hearing;
  const vetted = forVettedQuery({ text: heard.text, tokens }, input, preferred);
  if (vetted?.kind === 'plan') return literal(vetted.steps[0] as DraftStep);
  if (!tokens.some(isCounted)) return null;
  const goal = `how many ${wordsOf(tokens).replace(/^(?:(?:all|the) )+/iu, '')}`;
  const asked = hear({ goal }, nameIndex(input.catalogue));
  const alone = { ...hearing, heard: asked, input: { ...input, goal }, memory: network.listen(asked.tokens) };
  const [best] = candidatesFor(alone, 1, false);
  if (best === undefined || best.odds < sureEnough || best.lost.length > 0) return null;
  const [step, other] = best.draft.kind === 'plan' ? best.draft.steps : [];
  const tool = step && tools.get(step.tool);
  const isNumber = tool?.effect === 'read' && tool.asked?.compares?.number !== undefined;
  if (step === undefined || other !== undefined || step.when !== null || !isNumber) return null;
  // A project that nobody named is that of the other number, or asked for.
  return literal({ ...step, args: new Map([...step.args].filter(([, parts]) => parts !== null)) });
}

/**
 * The subject of one of the two, such as its time or service, holds for the other one as well. Null where they
 * would be the same number.
 */
function alike(part: DraftStep, whole: DraftStep, input: PlanningInput): [DraftStep, DraftStep] | null {
  const times = commonTimes(part, whole, input);
  // “open tickets as a share of tickets”: of all, and not of the open ones.
  const isOfAll = part.args.has('status') && takes(whole, 'status', input);
  const all: Args = isOfAll ? [['status', [{ literal: 'all' }]]] : [];
  const together = (named: (step: DraftStep) => Args): [DraftStep, DraftStep] => [
    withMore(part, [...named(whole), ...times], input),
    withMore(whole, [...named(part), ...times, ...all], input),
  ];
  const both = together(namesOf);
  if (!areSame(...both)) return both;
  // “incidents of ops as a share of incidents”: of all of them, where the tool needs no name.
  const apart = together(() => []);
  const needsName = 'project' in (input.catalogue.manifests.get(whole.tool)?.args.shape ?? {});
  return areSame(...apart) || needsName || vettedOf(whole, input) !== undefined ? null : apart;
}

const areSame = (one: DraftStep, other: DraftStep): boolean =>
  one.tool === other.tool &&
  JSON.stringify([...one.args].toSorted()) === JSON.stringify([...other.args].toSorted());

type Args = [arg: string, parts: readonly Part[] | null][];

const namesOf = ({ args }: DraftStep): Args =>
  [...args].filter(([arg]) => arg === 'service' || arg === 'project');
const timesOf = ({ args }: DraftStep): Args => [...args].filter(([arg]) => timeArgs.has(arg));
const timeArgs: ReadonlySet<string> = new Set(['window', 'since', 'until', 'during']);

/** The arguments that it takes and does not have. It has a time of its own as a whole or not at all. */
function withMore(step: DraftStep, more: Args, input: PlanningInput): DraftStep {
  const isTimed = timesOf(step).length > 0;
  const taken = more.filter(
    ([arg, parts]) =>
      !step.args.has(arg) && !(isTimed && timeArgs.has(arg)) && takes(step, arg, input, parts),
  );
  return { ...step, args: new Map([...step.args, ...taken]) };
}

/** The time that one of them says; else the usual one of the part, so that both are about the same, and say it. */
function commonTimes(part: DraftStep, whole: DraftStep, input: PlanningInput): Args {
  const said = [part, whole].map(timesOf).find(({ length }) => length > 0);
  const [own, other] = [part, whole].map((step) => windowOf(step, input));
  if (said !== undefined || own === undefined || other === undefined) return said ?? [];
  return [['window', [{ literal: own }]]];
}

const windowOf = (step: DraftStep, input: PlanningInput): string | undefined => {
  const query = vettedOf(step, input);
  return query !== undefined && takesTime(query) ? query.window : undefined;
};

const vettedOf = ({ args, tool }: DraftStep, { catalogue }: PlanningInput) =>
  queryOf({ tool, args: { named: literalIn(args.get('named')) } }, catalogue);

const literalIn = (parts: readonly Part[] | null | undefined): string | undefined => {
  const [part] = parts ?? [];
  return part !== undefined && 'literal' in part ? part.literal : undefined;
};

function takes(step: DraftStep, arg: string, input: PlanningInput, parts?: readonly Part[] | null): boolean {
  const query = vettedOf(step, input);
  const tool = input.catalogue.manifests.get(step.tool);
  if (query === undefined) return tool !== undefined && Object.hasOwn(tool.args.shape, arg);
  if (timeArgs.has(arg)) return takesTime(query);
  const { services, parameters } = query;
  return (
    Object.hasOwn(parameters, arg) && (services.length === 0 || services.includes(literalIn(parts) ?? ''))
  );
}
