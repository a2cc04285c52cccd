import { LRUCache } from 'lru-cache';
import type { PlannerAnswer } from '../../core/answer.ts';
import { digestOf } from '../../core/canonical.ts';
import { catalogueDigest } from '../../core/catalogue.ts';
import { CountersignError } from '../../core/errors.ts';
import { type Finding, finding } from '../../core/finding.ts';
import type { Level } from '../../core/manifest.ts';
import { addUsage, type ModelMessage, type StructuredModel } from '../../core/model.ts';
import type { ModelUsage, PlannerReply, PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { policyDigest } from '../../core/policy.ts';
import type { FindExamples, StoppablePlanner } from '../ports.ts';
import { type ModelPlanAnswer, modelAnswerSchema } from './answer-schema.ts';
import { ModelPlanError } from './errors.ts';
import { promptFor, repairFor } from './prompt.ts';
import { ask as askPerson, notConfigured, type Reading, readAnswer } from './read-answer.ts';
import { createShortlist } from './shortlist.ts';

export interface ModelPlannerOptions {
  readonly model: StructuredModel;
  readonly review: ReviewDraft;
  /** Playbooks that match a goal; none if absent. */
  readonly examples?: FindExamples;
  /** Highest level of results that the model may see in a replan; `internal` if absent. */
  readonly clearance?: Level;
  /** Answers that are kept; 256 if absent. */
  readonly cacheSize?: number;
}

/** Answers that are sent back to be mended, before giving up. */
const repairs = 2;
const answerTokens = 4_000;
/** Under this the person is told that the model was not sure. */
const doubtful = 0.5;

type Kept = Pick<PlannerReply, 'answer' | 'confidence' | 'notes'>;

/** All that an answer depends on. The time does not belong to it: calendar words stay words in a plan. */
function keyOf(model: string, input: PlanningInput): string {
  const { goal, quoted, answers, change, replan, catalogue, policy } = input;
  const unconfigured = [...catalogue.unconfigured.keys()].sort();
  return digestOf({
    model,
    goal,
    quoted,
    answers: answers.map(({ question, missing, answer }) => ({ question, missing: [...missing], answer })),
    change,
    replan,
    catalogue: catalogueDigest(catalogue),
    open: catalogue.open,
    unconfigured,
    policy: policyDigest(policy),
  });
}

function freeOf(model: string): ModelUsage {
  return { model, calls: 0, promptTokens: 0, cachedTokens: 0, completionTokens: 0, usd: 0, ms: 0 };
}

function shapeFindings(problems: readonly string[]): Finding[] {
  return problems.map((problem) => finding('answer_shape', null, null, problem));
}

function confidenceOf(given: ModelPlanAnswer): number {
  const { confidence } = given.analysis;
  return Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0;
}

function keptFrom(answer: PlannerAnswer, given: ModelPlanAnswer): Kept {
  const confidence = confidenceOf(given);
  const unsure = answer.kind === 'plan' && confidence < doubtful;
  const notes = unsure
    ? ['The model was not sure that it understood the request; read the steps closely.']
    : [];
  return { answer, confidence, notes };
}

/**
 * Plans with a model: one structured call in the normal case, every answer converted, reviewed and checked against
 * what the person said; findings go back at most twice. Equal inputs are answered from memory.
 * `plan` throws a ModelPlanError when there is no answer that may be shown.
 */
export function createModelPlanner(options: ModelPlannerOptions): StoppablePlanner {
  const { model, review } = options;
  const kept = new LRUCache<string, Kept>({ max: options.cacheSize ?? 256 });
  const shortlist = createShortlist();

  function prompt(input: PlanningInput): ModelMessage[] {
    const examples = (options.examples?.(input) ?? []).slice(0, 1);
    const tools = shortlist(
      input,
      examples.flatMap(({ plan }) => plan.steps.map((step) => step.tool)),
    );
    return promptFor(input, tools, examples, { clearance: options.clearance ?? 'internal' });
  }

  async function ask(messages: readonly ModelMessage[], usage: ModelUsage | null, signal: AbortSignal) {
    const question = { name: 'plan', schema: modelAnswerSchema, messages, maxTokens: answerTokens };
    try {
      return await model.ask(question, signal);
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      const code = signal.aborted ? 'model_stopped' : 'model_failed';
      throw new ModelPlanError(code, error.message, { usage, cause: error });
    }
  }

  /** One answer of the model with what is wrong with it; `given` is null when it has not even the shape. */
  async function attempt(
    messages: readonly ModelMessage[],
    input: PlanningInput,
    before: ModelUsage | null,
    signal: AbortSignal,
  ): Promise<{ given: ModelPlanAnswer | null; reading: Reading; text: string; usage: ModelUsage }> {
    const { value, problems, declined, text, usage } = await ask(messages, before, signal);
    if (declined) {
      throw new ModelPlanError('model_declined', problems.join('; '), { usage: addUsage(before, usage) });
    }
    const unread: Reading = { answer: null, findings: shapeFindings(problems), question: null };
    const reading = value === null ? unread : readAnswer(value, input, review);
    return { given: value, reading, text, usage: addUsage(before, usage) };
  }

  async function answer(
    input: PlanningInput,
    signal: AbortSignal,
  ): Promise<{ kept: Kept; usage: ModelUsage }> {
    const messages = prompt(input);
    let usage: ModelUsage | null = null;
    for (let repair = 0; ; repair += 1) {
      const { given, reading, text, usage: total } = await attempt(messages, input, usage, signal);
      usage = total;
      if (given !== null && reading.answer !== null) return { kept: keptFrom(reading.answer, given), usage };
      const findings = reading.answer === null ? reading.findings : [];
      const refusal = notConfigured(findings);
      if (given !== null && refusal !== null) return { kept: keptFrom(refusal, given), usage };
      if (repair < repairs) {
        messages.push(...repairFor(text, findings));
        continue;
      }
      if (given !== null && reading.answer === null && reading.question !== null) {
        return { kept: keptFrom(askPerson(reading.question, input), given), usage };
      }
      const message = `the model's answer could not be used after ${repairs} corrections`;
      throw new ModelPlanError('model_gave_up', message, { findings, usage });
    }
  }

  return {
    async plan(input, signal = new AbortController().signal) {
      const key = keyOf(model.name, input);
      const known = kept.get(key);
      if (known) return { ...known, planner: 'model', usage: freeOf(model.name) };
      const fresh = await answer(input, signal);
      kept.set(key, fresh.kept);
      return { ...fresh.kept, planner: 'model', usage: fresh.usage };
    },
  };
}
