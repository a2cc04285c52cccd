import type { Manifest } from '../../core/manifest.ts';
import { unaccounted } from '../account.ts';
import type { Hearing } from './candidates.ts';
import { compose } from './compose.ts';
import type { Draft } from './draft.ts';
import { hear } from './heard.ts';
import { recalled } from './memory.ts';
import { nameIndex } from './names.ts';
import { askWith, blankQuestion } from './questions.ts';
import type { Reply } from './readings.ts';
import { type Share, shareOf } from './shares.ts';
import { forUnseenTool, isCalled, ordinal } from './unseen.ts';
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

/** A write of a new tool was ordered, and there is more to the order than the tool can take: it is offered without that. */
export function orderTooLong(hearing: Hearing): Reply | null {
  const ordered = newTools(hearing).find((tool) => tool.effect === 'write' && isCalled(tool, hearing.heard));
  if (ordered === undefined) return null;
  const offered = withoutOrdinals(hearing, ordered);
  if (offered !== null) return offered;
  const can = `I can do “${ordered.summary.replace(/[.]$/u, '')}”, but I did not understand all of this.`;
  const question = `${can} Say only what it is done to, without a condition.`;
  return { answer: askWith([], question), confidence: 0.5 };
}

/** “the last deploy” may be more than the tool can tell apart, so the plan without “last” is asked about. */
function withoutOrdinals(hearing: Hearing, tool: Manifest): Reply | null {
  const { heard, input, review } = hearing;
  const lost = heard.tokens.filter(({ low }) => ordinal.test(low));
  const tokens = heard.tokens.filter((token) => !lost.includes(token));
  const draft = lost.length === 0 ? null : forUnseenTool({ ...heard, tokens }, [tool]);
  const composed = draft?.kind === 'plan' ? compose(draft, { ...heard, tokens }, input) : null;
  const { plan } = composed?.lacks.length === 0 ? review(composed.plan, input) : { plan: null };
  const words = lost.map(({ raw }) => raw);
  return plan && { answer: askWith([plan], undefined, words), confidence: 0.5 };
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
