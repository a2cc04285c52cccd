import { onlyReads } from '../../core/code-step.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlannerReply, PlanningInput } from '../../core/planning.ts';
import { asksWhether } from '../../core/question-words.ts';
import { type Candidate, candidatesFor, type Hearing } from './candidates.ts';
import { isVagueAmount } from './empty-words.ts';
import { askOpenly, askWith, blankQuestion, questionFor, refusal, stillOpen } from './questions.ts';

/** From readings of a request to an answer: a plan where one is sure enough, else a question. */

export type Reply = Pick<PlannerReply, 'answer' | 'confidence'> & Partial<Pick<PlannerReply, 'notes'>>;

/** From which odds on a plan is given: one that writes or looks again and again has to be surer than one that only reads. */
const sureEnough = { once: 0.55, more: 0.65, refuse: 0.5 } as const;
/** A reading less likely than this is no button. */
const worthAButton = 0.02;
/** Beginnings that are kept where the likeliest plan is not sure enough. */
const width = 4;

/** Reads several of the likeliest lines: ways to say the same add up, and others are asked about. */
export function ofSeveral(hearing: Hearing): Reply {
  const candidates = candidatesFor(hearing, width);
  const [best] = candidates;
  return (best && (surely(best, hearing) ?? settled(best, hearing))) ?? ask(candidates, hearing);
}

/** The question for the one thing that an order lacks which says nothing but what to do: “page me”. */
export function lackingOne(hearing: Hearing): Reply | null {
  const { input, review } = hearing;
  const plans = input.change === null ? candidatesFor(hearing, width, false) : [];
  const isBare = ({ draft }: Candidate): boolean =>
    draft.kind === 'plan' && draft.steps.every(({ args }) => [...args.values()].every((one) => one === null));
  const found = plans.find((one) => one.composed?.lacks.length === 1 && one.lost.length === 0 && isBare(one));
  const [lack] = found?.composed?.lacks ?? [];
  return found?.composed && lack
    ? { answer: blankQuestion(lack, found.composed, input, review), confidence: found.odds }
    : null;
}

const readsOnce = ({ steps, watch }: Plan, { catalogue }: PlanningInput): boolean =>
  watch === undefined && onlyReads(steps, catalogue.manifests);

/** The answer if it is sure enough, or null where it is better to ask. The review says why a draft is rejected. */
export function surely(
  { odds: confidence, draft, composed, lost, drafted, instead }: Candidate,
  { input, review }: Hearing,
): Reply | null {
  if (draft.kind === 'refuse')
    return confidence < sureEnough.refuse ? null : { answer: refusal(draft.reason), confidence };
  if (draft.kind === 'none') return { answer: stillOpen(input) ?? askOpenly(), confidence: 0 };
  if (composed === null) return null;
  if (confidence < (readsOnce(drafted ?? composed.plan, input) ? sureEnough.once : sureEnough.more))
    return null;
  if (instead !== null) return { answer: instead, confidence };
  if (lost.length > 0 || onlyAsks(composed.plan, input)) return null;
  const [lack] = composed.lacks;
  if (lack !== undefined) return { answer: blankQuestion(lack, composed, input, review), confidence };
  return drafted && { answer: { kind: 'plan', plan: drafted }, confidence };
}

/** “is it still broken”: a question, of which somebody would be paged in words that nobody said. */
function onlyAsks({ steps }: Plan, { goal, change, catalogue: { manifests } }: PlanningInput): boolean {
  if (change !== null || !asksWhether(goal)) return false;
  const words = new Set(goal.toLowerCase().match(/[\p{L}-]+/gu));
  return steps.some(({ tool }) => {
    const { asked } = manifests.get(tool) ?? {};
    return asked?.role === 'page' && !asked.verbs.some((verb) => words.has(verb));
  });
}

/** Arguments that a question refers to. */
const askedArgs: Readonly<Record<string, readonly string[]>> = {
  ...{ service: ['service'], project: ['project'], channel: ['channel', 'user'], user: ['user', 'channel'] },
  ...{ key: ['key'], incident: ['incident'], status: ['status'], text: ['text', 'summary'] },
};

/**
 * When a question asks for one thing: the plan that lacks only that, as a question with whole plans as buttons; or the
 * plan itself where code knows the answer: the thread's incident, or the service the requester is on call for.
 */
function settled({ draft, odds: confidence, plan, lost }: Candidate, hearing: Hearing): Reply | null {
  const isFilled = draft.kind === 'plan' && draft.steps.some(({ args }) => [...args.values()].includes(null));
  if (isFilled && plan !== null && lost.length === 0) return { answer: { kind: 'plan', plan }, confidence };
  const args = draft.kind === 'clarify' ? askedArgs[draft.slot] : undefined;
  if (args === undefined) return null;
  const { input, review } = hearing;
  const plans = candidatesFor(hearing, width, false).filter(({ lost }) => lost.length === 0);
  for (const { draft: other, composed, plan: whole } of plans) {
    const isFound =
      other.kind === 'plan' && other.steps.some((step) => args.some((arg) => step.args.get(arg) === null));
    const lack = composed?.lacks.find(({ arg }) => args.includes(arg));
    if (composed && lack) return { answer: blankQuestion(lack, composed, input, review), confidence };
    if (isFound && whole) return { answer: { kind: 'plan', plan: whole }, confidence };
  }
  return null;
}

const isConditional = ({ when }: Plan['steps'][number]): boolean => when !== undefined;

/** One question with at most three plans as buttons; mentions words that none of them carries. */
function ask(candidates: readonly Candidate[], { input }: Hearing): Reply {
  const [best] = candidates;
  const confidence = best?.odds ?? 0;
  const offered = candidates.filter(
    ({ plan, isDenied, odds }) => plan !== null && !isDenied && odds >= worthAButton,
  );
  const shown = offered.flatMap(({ plan }) => plan ?? []);
  const slot = best?.draft.kind === 'clarify' ? best.draft.slot : undefined;
  if (shown.length > 0) {
    const [first] = offered;
    const unsure = first === undefined || first.lost.length === 0 ? [] : (first.plan?.omitted ?? first.lost);
    const isBoundless =
      unsure.length > 0 && unsure.every(isVagueAmount) && shown[0]?.steps.some(isConditional);
    const open = isBoundless ? 'threshold' : slot;
    const asked = open === undefined ? undefined : questionFor({ slot: open }, input);
    const answer = askWith(shown, input.catalogue, { question: asked?.question, lost: unsure });
    return { answer: { ...answer, missing: asked?.missing ?? answer.missing }, confidence };
  }
  const instead = best?.instead ?? null;
  if (instead !== null) return { answer: instead, confidence };
  const open = (slot ?? 'what') === 'what' && (best?.lost.length ?? 0) === 0 ? stillOpen(input) : null;
  if (open !== null) return { answer: open, confidence };
  const lack = slot === undefined ? candidates.flatMap(({ composed }) => composed?.lacks ?? [])[0] : { slot };
  return {
    answer:
      lack === undefined ? askWith([], input.catalogue, { lost: best?.lost }) : questionFor(lack, input),
    confidence,
  };
}
