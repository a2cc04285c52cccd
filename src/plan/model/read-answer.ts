import type { PlannerAnswer } from '../../core/answer.ts';
import { namesOf } from '../../core/catalogue.ts';
import { type Finding, finding } from '../../core/finding.ts';
import { type Plan, planSchema } from '../../core/plan.ts';
import type { PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { unmentioned } from '../account.ts';
import { saidParts, withOmissions } from '../left-out.ts';
import { withTimes } from '../watch.ts';
import type { ModelPlanAnswer, WireWatch } from './answer-schema.ts';
import { type Doubt, guardPlan, type Question } from './check-draft.ts';
import { plain, toDraft } from './draft.ts';
import { inputsOf } from './inputs.ts';
import { earlierPlan, personWords } from './person-words.ts';

/** An answer that may be shown, or its problems. */
export type Reading =
  | { readonly answer: PlannerAnswer }
  | {
      readonly answer: null;
      readonly findings: readonly Finding[];
      /** The question if only the person's confirmation is missing, else null. */
      readonly question: Question | null;
    };

interface Against {
  readonly input: PlanningInput;
  readonly review: ReviewDraft;
  /** Nothing has been sent back yet. */
  readonly isFirst: boolean;
}

const wrong = (...findings: Finding[]): Reading => ({ answer: null, findings, question: null });
const right = (answer: PlannerAnswer): Reading => ({ answer });

function readPlan(given: ModelPlanAnswer, { input, review, isFirst }: Against): Reading {
  if (given.plan === null)
    return wrong(finding('empty_answer', null, 'plan', 'is null though answer is plan'));
  const { draft, findings: formal } = toDraft(given.plan, input.goal, earlierPlan(input));
  if (draft === null) return wrong(...formal);
  const { plan: kept, findings: reviewed } = review(draft, input);
  const plan = kept && withOmissions(kept, saidParts(given.plan.omitted, input));
  // Anything in the form of a plan gets all checks, so that one correction can fix everything.
  const formed = plan ?? planSchema.safeParse(draft).data ?? null;
  const doubts = formed === null ? [] : guardPlan(formed, input);
  const times = timesSaid(given.plan.watch);
  const lost = formed === null || !isFirst ? [] : lostFrom(formed, times, input);
  const findings = [...formal, ...reviewed, ...doubts.map((doubt) => doubt.finding), ...lost];
  if (plan === null || findings.length > 0) {
    const isSettled = formal.length + lost.length > 0 || plan === null;
    return { answer: null, findings, question: isSettled ? null : questionOf(doubts) };
  }
  const timed = withTimes({ ...plan, inputs: inputsOf(plan, personWords(input)) }, times, input);
  return right('plan' in timed ? { kind: 'plan', plan: timed.plan } : timed.answer);
}

function timesSaid(watch: WireWatch | null): ReadonlyMap<string, string> | null {
  return watch && new Map(Object.entries(watch).filter(([, words]) => words.trim() !== ''));
}

/**
 * A number, a name, a quotation or a “not” that neither the plan nor the times of its watch carry is sent back once; after
 * that it becomes a note.
 */
function lostFrom(plan: Plan, times: ReadonlyMap<string, string> | null, input: PlanningInput): Finding[] {
  if (input.change !== null || input.replan !== null) return [];
  const timed = [...(times?.values() ?? [])].join(' ').toLowerCase();
  const lost = unmentioned(input, plan).filter(
    ({ isBound, word }) => isBound && !timed.includes(word.toLowerCase()),
  );
  return lost.map(({ word }) => {
    const message = `the request says “${word}”, and no argument or condition carries it; carry it, clarify, or repeat the plan where the request takes it back or only mentions it`;
    return finding('lost_bound', null, null, message);
  });
}

/** The question for the person, if only their confirmation is missing. */
function questionOf(doubts: readonly Doubt[]): Question | null {
  const questions = doubts.map(({ question }) => question);
  const first = questions.find((question) => question !== null && 'target' in question) ?? questions[0];
  return questions.includes(null) ? null : (first ?? null);
}

function readQuestion(given: ModelPlanAnswer, { input }: Against): Reading {
  const question = questionIn(given);
  if (question === '') return wrong(finding('empty_answer', null, 'clarify', 'has no question'));
  const all = (given.clarify?.missing ?? []).map((word) => plain(word, 60)).filter(Boolean);
  const [confirm] = all.flatMap((word) => /^confirm:(.*)$/.exec(word)?.[1] ?? []);
  // Who says yes to a write has to read which one.
  if (confirm !== undefined && input.catalogue.manifests.has(confirm)) return right(ask({ confirm }, input));
  const missing = all.filter((word) => !word.startsWith('confirm:'));
  const options = (given.clarify?.options ?? []).map((option) => plain(option, 500)).filter(Boolean);
  return right({
    kind: 'clarify',
    question,
    missing: missing.slice(0, 5),
    options: [...new Set(options)].filter((option) => option.length <= 75).slice(0, 5),
  });
}

const questionIn = ({ clarify }: ModelPlanAnswer): string => plain(clarify?.question ?? '', 300);
const reasonIn = ({ refuse }: ModelPlanAnswer): string => plain(refuse?.explanation ?? '', 500);

/** True for a question or a reason in the words of the model. */
export function isWordedBy(given: ModelPlanAnswer, answer: PlannerAnswer): boolean {
  if (answer.kind === 'clarify') return answer.question === questionIn(given);
  return answer.kind === 'refuse' && answer.explanation === reasonIn(given);
}

function readRefusal(given: ModelPlanAnswer): Reading {
  const explanation = reasonIn(given);
  if (!given.refuse || explanation === '') {
    return wrong(finding('empty_answer', null, 'refuse', 'has no explanation'));
  }
  return right({ kind: 'refuse', reason: given.refuse.reason, explanation });
}

/** Checks a well-formed answer: conversion, review, and whether the person asked for its actions. */
export function readAnswer(given: ModelPlanAnswer, against: Against): Reading {
  if (given.answer === 'plan') return readPlan(given, against);
  return given.answer === 'clarify' ? readQuestion(given, against) : readRefusal(given);
}

/** A plan that needs a tool that is not set up cannot be repaired: the refusal says what is missing. */
export function notConfigured(findings: readonly Finding[]): PlannerAnswer | null {
  const missing = findings.filter(({ rule }) => rule === 'tool_not_configured');
  if (missing.length === 0) return null;
  const what = [...new Set(missing.map(({ message }) => message))].join('; ');
  return {
    kind: 'refuse',
    reason: 'not_configured',
    explanation: plain(`This needs a tool that is not set up here: ${what}.`, 500),
  };
}

/** The question for the person when the model keeps planning a write without a request or target from them. */
export function ask(question: Question, input: PlanningInput): PlannerAnswer {
  if ('target' in question) {
    const kind = question.target;
    return {
      kind: 'clarify',
      question: `Which ${kind} do you mean? The request does not name one.`,
      missing: [kind],
      options: namesOf(input.catalogue, kind).slice(0, 5),
    };
  }
  const tool = question.confirm;
  const purpose = input.catalogue.manifests.get(tool)?.summary ?? tool;
  return {
    kind: 'clarify',
    question: plain(`Should the plan also do this? ${purpose} The request does not say so clearly.`, 300),
    missing: [`confirm:${tool}`],
    options: ['Yes', 'No'],
  };
}
