import type { PlannerAnswer } from '../../core/answer.ts';
import { filledPlan } from '../../core/missing-input.ts';
import { type Plan, planLimits } from '../../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { planTitle } from '../../core/title.ts';
import { type Candidate, candidatesFor, type Hearing } from './candidates.ts';
import { type Composed, compose } from './compose.ts';
import type { Draft, Lack, Part } from './draft.ts';
import { type Heard, hear } from './heard.ts';
import { recalled } from './memory.ts';
import { nameIndex } from './names.ts';
import type { Network } from './network.ts';
import { askWith, questionFor } from './questions.ts';
import { heardOf } from './said.ts';
import { missingTool } from './search.ts';
import { forUnseenTool } from './unseen.ts';
import { forVettedQuery } from './vetted.ts';
import { WeightsError } from './weights.ts';

export interface EverydayOptions {
  /** The error, if its weights cannot be used. */
  readonly network: Network | WeightsError;
  readonly review: ReviewDraft;
}

/** From which odds on a plan is given: one that writes has to be surer than one that only reads. */
const sureEnough = { read: 0.45, write: 0.6, refuse: 0.5 } as const;
/** What is less likely is no button. */
const worthAButton = 0.02;
/** Beginnings that are kept where the likeliest plan is not sure enough. */
const width = 4;
/** Maximum tokens of a request. */
const maxTokens = 250;

type Reply = Pick<PlannerReply, 'answer' | 'confidence'>;

/** The learned planner: small, and it asks with buttons rather than guess wrong. The same request always gets the same answer. */
export function createEverydayPlanner(options: EverydayOptions): Planner {
  return {
    plan(input) {
      return Promise.resolve({ ...answer(input, options), planner: 'offline', usage: null, notes: [] });
    },
  };
}

const noNetwork =
  'I can’t plan from words right now. Type the plan in notation, or /plan list for ready-made ones.';
const tooLong = 'That is too long to read word by word. What should be done, in a sentence or two?';

/** In a replan the goal would repeat finished steps: the answer is a request of its own. */
const rest: Reply = {
  answer: { ...askWith([], 'What should I do about the rest of the plan?'), missing: ['rest', 'goal'] },
  confidence: 0.05,
};

function answer(input: PlanningInput, { network, review }: EverydayOptions): Reply {
  if (input.replan !== null) return rest;
  if (network instanceof WeightsError) return { answer: askWith([], noNetwork), confidence: 0 };
  const heard = heardOf(input);
  if (heard === null || heard.tokens.length === 0) return { answer: askWith([]), confidence: 0 };
  if (heard.tokens.length > maxTokens || heard.text.length > 4 * planLimits.goal)
    return { answer: askWith([], tooLong), confidence: 0.6 };
  const known = recall(heard, input, review) ?? vetted(heard, input, review);
  if (known !== null) return known;
  const hearing: Hearing = {
    heard,
    input,
    network,
    review,
    tools: input.catalogue.manifests,
    memory: network.listen(heard.tokens),
  };
  const [first] = candidatesFor(hearing, 1);
  const sure = (first && surely(first, hearing)) ?? null;
  if (sure?.answer.kind === 'plan') return sure;
  return unseen(hearing) ?? notSetUp(hearing) ?? sure ?? lessSurely(hearing);
}

/** What is asked for needs a tool that is not set up here. */
function notSetUp(hearing: Hearing): Reply | null {
  const { catalogue } = hearing.input;
  const tool = missingTool(hearing);
  if (tool === null) return null;
  const lacks = catalogue.unconfigured.get(tool);
  const explanation = lacks === undefined ? (refusals.no_tool ?? '') : `${tool} needs ${lacks}.`;
  return { answer: { kind: 'refuse', reason: 'not_configured', explanation }, confidence: sureEnough.refuse };
}

/** What is read with more than the likeliest line: ways to say the same add up, and others are asked about. */
function lessSurely(hearing: Hearing): Reply {
  const candidates = candidatesFor(hearing, width);
  const [best] = candidates;
  return (best && (surely(best, hearing) ?? settled(best, hearing))) ?? ask(candidates, hearing);
}

/** The plan a person approved for the same words. */
function recall(heard: Heard, input: PlanningInput, review: ReviewDraft): Reply | null {
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
function vetted(heard: Heard, input: PlanningInput, review: ReviewDraft): Reply | null {
  const draft = input.change === null ? forVettedQuery(heard, input) : null;
  return draft && inItsOwnWords(draft, { heard, input, review });
}

/** A plan of one tool that the network has never seen. */
function unseen(hearing: Hearing): Reply | null {
  const { heard, input, network } = hearing;
  const seen = new Set(network.actions);
  const draft = input.change === null ? forUnseenTool(heard, input.catalogue.manifests, seen) : null;
  return draft && inItsOwnWords(draft, hearing);
}

/** A plan of one step that every word of the request belongs to, or a question about what it lacks. */
function inItsOwnWords(
  draft: Draft,
  { heard, input, review }: Pick<Hearing, 'heard' | 'input' | 'review'>,
): Reply | null {
  const composed = draft.kind === 'plan' ? compose(draft, heard, input) : null;
  if (composed === null) return null;
  const [lack] = composed.lacks;
  if (lack !== undefined) return { answer: blankQuestion(lack, composed, input, review), confidence: 0.9 };
  const { plan } = review(composed.plan, input);
  return plan && { answer: { kind: 'plan', plan }, confidence: 0.9 };
}

const writes = (plan: Plan, { catalogue }: PlanningInput): boolean =>
  plan.steps.some(({ tool }) => catalogue.manifests.get(tool)?.effect === 'write');

/** The answer if it is sure enough, or null where it is better to ask. The review says why a draft is rejected. */
function surely(
  { odds: confidence, draft, composed, lost, drafted, instead }: Candidate,
  { input, review }: Hearing,
): Reply | null {
  if (draft.kind === 'refuse')
    return confidence < sureEnough.refuse ? null : { answer: refusal(draft.reason), confidence };
  if (draft.kind === 'none') return { answer: askWith([]), confidence: 0 };
  if (composed === null) return null;
  if (confidence < (writes(composed.plan, input) ? sureEnough.write : sureEnough.read)) return null;
  if (instead !== null) return { answer: instead, confidence };
  if (lost.length > 0) return null;
  const [lack] = composed.lacks;
  if (lack !== undefined) return { answer: blankQuestion(lack, composed, input, review), confidence };
  return drafted && { answer: { kind: 'plan', plan: drafted }, confidence };
}

/** Arguments that a question refers to. */
const askedArgs: Readonly<Record<string, readonly string[]>> = {
  ...{ service: ['service'], project: ['project'], channel: ['channel', 'user'], user: ['user', 'channel'] },
  ...{ key: ['key'], incident: ['incident'], status: ['status'], text: ['text', 'summary'] },
};

/** A value that is missing and was therefore filled in by code, or a name by its form or in the workspace. */
function isKnown(parts: readonly Part[] | null | undefined, { tokens }: Heard): boolean {
  if (parts === null) return true;
  return (parts ?? []).some((part) => {
    const token = 'said' in part ? tokens[part.from] : undefined;
    return (
      token !== undefined &&
      (token.kind === 'channel' || token.kind === 'person' || Object.keys(token.names).length > 0)
    );
  });
}

/**
 * When a question asks for one thing: the plan that lacks only that, as a question with whole plans as buttons; or the
 * plan itself where code knows the answer: the thread's incident, the service the requester is on call for, or a name
 * in the request after all.
 */
function settled({ draft, odds: confidence, plan, lost }: Candidate, hearing: Hearing): Reply | null {
  const isFilled = draft.kind === 'plan' && draft.steps.some(({ args }) => [...args.values()].includes(null));
  if (isFilled && plan !== null && lost.length === 0) return { answer: { kind: 'plan', plan }, confidence };
  const args = draft.kind === 'clarify' ? askedArgs[draft.slot] : undefined;
  if (args === undefined) return null;
  const { input, review } = hearing;
  const plans = candidatesFor(hearing, width, false).filter(({ lost }) => lost.length === 0);
  for (const { draft: other, composed, plan: whole } of plans) {
    const isOpen =
      other.kind === 'plan' &&
      other.steps.some((step) => args.some((arg) => isKnown(step.args.get(arg), hearing.heard)));
    const lack = composed?.lacks.find(({ arg }) => args.includes(arg));
    if (composed && lack) return { answer: blankQuestion(lack, composed, input, review), confidence };
    if (isOpen && whole) return { answer: { kind: 'plan', plan: whole }, confidence };
  }
  return null;
}

/** A question about the only missing thing: names become buttons with the whole plan, words are taken verbatim. */
function blankQuestion(
  lack: Lack,
  { plan, lacks }: NonNullable<Composed>,
  input: PlanningInput,
  review: ReviewDraft,
): PlannerAnswer {
  const isMe = lack.arg === 'service' && /(?:^|\s)me(?:\s|$|[.,!?])/iu.test(input.goal);
  const question = { ...questionFor(lack, input.catalogue), ...(isMe ? { missing: ['service', 'me'] } : {}) };
  const step = plan.steps.find(({ id }) => id === lack.id);
  if (lacks.length > 1 || step === undefined) return question;
  const blank = { plan, planner: 'offline', step: step.id, arg: lack.arg, item: null } as const;
  if (isDictated(lack.arg)) return { ...question, blank };
  const offers = question.options.flatMap((option) => {
    const filled = review(filledPlan(blank, option), input).plan;
    return filled === null
      ? []
      : [{ option, plan: { ...filled, summary: planTitle(filled.steps, input.catalogue.manifests) } }];
  });
  return { ...question, offers };
}

const isDictated = (arg: string): boolean => arg === 'text' || arg === 'summary';

const refusals: Readonly<Record<string, string>> = {
  dangerous:
    'I don’t do that: it is too broad, or it would change or give away data. Name the single things it is about.',
  injection: 'That asks me to work around my own rules, so I did nothing.',
  no_tool: 'I have no tool for that. Type /plan help to see what I can look up and do.',
  out_of_scope:
    'That’s not something I do. I plan incident work: tickets, on-call, incidents, logs, runbooks and messages.',
};

const refusal = (reason: Extract<PlannerAnswer, { kind: 'refuse' }>['reason']): PlannerAnswer => ({
  ...{ kind: 'refuse', reason, explanation: refusals[reason] ?? refusals.no_tool ?? '' },
});

/** One question with at most three plans as buttons; mentions words that none of them carries. */
function ask(candidates: readonly Candidate[], { input }: Hearing): Reply {
  const [best] = candidates;
  const confidence = best?.odds ?? 0;
  const shown = candidates.flatMap(({ plan, isDenied, odds }) =>
    plan === null || isDenied || odds < worthAButton ? [] : [plan],
  );
  const slot = best?.draft.kind === 'clarify' ? best.draft.slot : undefined;
  if (shown.length > 0) {
    const asked = slot === undefined ? undefined : questionFor({ slot }, input.catalogue);
    const answer = askWith(shown, asked?.question, best?.lost);
    return { answer: { ...answer, missing: asked?.missing ?? answer.missing }, confidence };
  }
  const instead = best?.instead ?? null;
  if (instead !== null) return { answer: instead, confidence };
  const lack = slot === undefined ? candidates.flatMap(({ composed }) => composed?.lacks ?? [])[0] : { slot };
  return {
    answer: lack === undefined ? askWith([], undefined, best?.lost) : questionFor(lack, input.catalogue),
    confidence,
  };
}
