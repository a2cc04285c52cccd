import type { Manifest } from '../../core/manifest.ts';
import { unaccounted } from '../account.ts';
import type { Hearing } from './candidates.ts';
import { compose } from './compose.ts';
import type { Draft } from './draft.ts';
import { hear, wordsBetween } from './heard.ts';
import { recalled } from './memory.ts';
import { nameIndex } from './names.ts';
import { holdsBack } from './negations.ts';
import { askOpenly, askWith, blankQuestion } from './questions.ts';
import type { Reply } from './readings.ts';
import { type Share, shareOf } from './shares.ts';
import { askedOf, forUnseenTool, isCalled, oneStep, valuesIn } from './unseen.ts';
import { forVettedQuery } from './vetted.ts';

/** Plans that need no network: of words approved before, and of a tool or query called by the words it declares. */

type Asked = Pick<Hearing, 'heard' | 'input' | 'review'>;

/** The plan a person approved for the same words. */
export function planFromMemory({ heard, input, review }: Asked): Reply | null {
  const names = nameIndex(input.catalogue);
  const remembered = (input.remembered ?? []).map(({ goal, plan }) => ({
    heard: hear({ goal }, names),
    plan,
  }));
  const draft = recalled(heard, remembered, input.catalogue.manifests);
  const plan = draft && review(draft, input).plan;
  return plan && { answer: { kind: 'plan', plan }, confidence: 0.95 };
}

/** A plan of a query that the operator vetted. */
export const planOfVettedQuery = (asked: Asked): Reply | null =>
  planOf(asked, () => forVettedQuery(asked.heard, asked.input));

/** A plan of one number in percent of another. */
export const planOfShare = (asked: Asked, { numbers }: Share): Reply | null =>
  planOf(asked, () => ({ kind: 'plan', watch: null, steps: [...numbers, shareOf(0, 1)] }));

/** A plan of one tool that the network has never seen. */
export const planOfNewTool = (hearing: Hearing): Reply | null =>
  planOf(hearing, () => forUnseenTool(hearing.heard, newTools(hearing)));

/**
 * A write of a new tool was ordered, and the request says more than the tool can take: the write is offered without the
 * rest, which is named. What holds it back, as “if” and “don’t” do, cannot be left out.
 */
export function orderTooLong(hearing: Hearing): Reply | null {
  const ordered = newTools(hearing).find((tool) => tool.effect === 'write' && isCalled(tool, hearing.heard));
  if (ordered === undefined) return null;
  const offered = hearing.heard.tokens.some(holdsBack) ? null : withoutRest(hearing, ordered);
  if (offered !== null) return offered;
  const can = `I can do “${ordered.summary.replace(/[.]$/u, '')}”, but I did not understand all of this.`;
  const question = `${can} Say only what it is done to, without a condition.`;
  return { answer: askOpenly(question), confidence: 0.5 };
}

/** “the last deploy” may be more than the tool can tell apart, and talk is no order. Null where a name would be left out. */
function withoutRest({ heard, input, review }: Hearing, tool: Manifest): Reply | null {
  const found = input.change === null ? valuesIn(askedOf(tool), heard) : null;
  const taken = new Set(
    [...(found?.args.values() ?? [])].flat().map((part) => ('said' in part ? part.said : null)),
  );
  const isAnother = (at: number): boolean =>
    Object.values(heard.tokens[at]?.names ?? {}).some((name) => !taken.has(name));
  if (found === null || found.left.some(isAnother)) return null;
  const composed = compose(oneStep(tool.name, found.args), heard, input);
  if (composed === null || unaccounted(input, composed.plan).some(({ isCondition }) => isCondition))
    return null;
  const { plan } = composed.lacks.length === 0 ? review(composed.plan, input) : { plan: null };
  const lost = runsOf(found.left).map(({ from, to }) => wordsBetween(heard, from, to));
  return plan && { answer: askWith([plan], input.catalogue, { lost }), confidence: 0.5 };
}

/** Places that follow each other, from the first to the last. */
function runsOf(places: readonly number[]): { readonly from: number; readonly to: number }[] {
  const begins = places.filter((place, nth) => place !== (places[nth - 1] ?? -2) + 1);
  return begins.map((from, nth) => ({
    from,
    to: places.findLast((place) => place < (begins[nth + 1] ?? Number.POSITIVE_INFINITY)) ?? from,
  }));
}

const newTools = ({ network, tools }: Hearing): Manifest[] =>
  [...tools.values()].filter(({ name }) => !network.actions.includes(name));

/** A plan of one step that every word of the request belongs to, or a question about what it lacks. */
function planOf({ heard, input, review }: Asked, draftOf: () => Draft | null): Reply | null {
  const draft = input.change === null ? draftOf() : null;
  const composed = draft?.kind === 'plan' ? compose(draft, heard, input) : null;
  // An “if” that became a part of a text holds nothing back.
  if (composed === null || unaccounted(input, composed.plan).some(({ isCondition }) => isCondition))
    return null;
  const [lack] = composed.lacks;
  if (lack !== undefined) return { answer: blankQuestion(lack, composed, input, review), confidence: 0.9 };
  const { plan } = review(composed.plan, input);
  return plan && { answer: { kind: 'plan', plan }, confidence: 0.9 };
}
