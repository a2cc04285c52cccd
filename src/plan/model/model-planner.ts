import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { PlannerAnswer } from '../../core/answer.ts';
import { digestOf } from '../../core/canonical.ts';
import { catalogueDigest } from '../../core/catalogue.ts';
import { CountersignError } from '../../core/errors.ts';
import { type Finding, finding } from '../../core/finding.ts';
import type { Level, Manifest } from '../../core/manifest.ts';
import { addUsage, type ModelMessage, type ModelQuestion, type StructuredModel } from '../../core/model.ts';
import type { ModelUsage, PlannerReply, PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { policyDigest } from '../../core/policy.ts';
import type { FindExamples, StoppablePlanner } from '../ports.ts';
import { answerSchemaFor, type ModelPlanAnswer } from './answer-schema.ts';
import { ModelPlanError } from './errors.ts';
import { askOutline, forgotten, looksLarge, type Outline } from './outline.ts';
import { promptFor, repairFor } from './prompt.ts';
import { ask as askPerson, isWordedBy, notConfigured, type Reading, readAnswer } from './read-answer.ts';
import { createShortlist } from './shortlist.ts';

export interface ModelPlannerOptions {
  readonly model: StructuredModel;
  readonly review: ReviewDraft;
  /** Playbooks that match a goal; none if absent. */
  readonly examples?: FindExamples;
  /** Highest level of results the model may see in a replan; `internal` if absent. */
  readonly clearance?: Level;
  /** Number of cached answers; 256 if absent. */
  readonly cacheSize?: number;
  /** Milliseconds for which an answer is given again; as long as there is room if absent, 0 for not at all. */
  readonly keepMs?: number;
}

/** Maximum number of repairs before giving up. */
const maxRepairs = 2;
const answerTokens = 4_000;
/** Below this the person is told that the model was not sure. */
const doubtful = 0.5;

type Kept = Pick<PlannerReply, 'answer' | 'confidence' | 'notes'>;

/** Cache key: everything an answer depends on. The time is not part of it: calendar words stay words in a plan. */
function keyOf(model: string, input: PlanningInput): string {
  const { goal, quoted, answers, change, replan, catalogue, policy, hint = null } = input;
  const { hasIncident = false, onCallFor = [] } = input;
  const unconfigured = [...catalogue.unconfigured.keys()].sort();
  return digestOf({
    model,
    goal,
    quoted,
    answers: answers.map(({ question, missing, answer }) => ({ question, missing: [...missing], answer })),
    change,
    replan,
    ...{ hint, hasIncident, onCallFor: [...onCallFor] },
    catalogue: catalogueDigest(catalogue),
    open: catalogue.open,
    advice: [catalogue.glossary ?? [], catalogue.guidance ?? []],
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
  const { confidence } = given;
  return Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0;
}

function keptFrom(answer: PlannerAnswer, given: ModelPlanAnswer): Kept {
  const confidence = confidenceOf(given);
  const unsure = answer.kind === 'plan' && confidence < doubtful;
  const notes = [
    ...(unsure ? ['The model was not sure that it understood the request; read the steps closely.'] : []),
    // Other people's words may have told it what to ask for.
    ...(isWordedBy(given, answer) ? ['Worded by a model.'] : []),
  ];
  return { answer, confidence, notes };
}

interface Asking {
  readonly model: StructuredModel;
  readonly review: ReviewDraft;
  readonly input: PlanningInput;
  readonly signal: AbortSignal;
  /** The first pass over a large request, else null. */
  readonly outline: Outline | null;
  readonly repairs: number;
}

/** One answer of the model and its problems; `given` is null when it does not even match the schema. */
interface Attempt {
  readonly given: ModelPlanAnswer | null;
  readonly reading: Reading;
  readonly text: string;
  /** Total of all attempts so far. */
  readonly usage: ModelUsage;
}

/**
 * Plans with a model: normally one structured call, for a large request two; every answer is converted, reviewed and checked against the
 * person's words, and findings go back at most twice. Equal inputs are answered from the cache.
 * `plan` throws a ModelPlanError when there is no answer that may be shown.
 */
export function createModelPlanner(options: ModelPlannerOptions): StoppablePlanner {
  const { model, review } = options;
  const { keepMs } = options;
  const kept = new LRUCache<string, Kept>({ max: options.cacheSize ?? 256, ...(keepMs && { ttl: keepMs }) });
  const shortlist = createShortlist();

  function prompt(input: PlanningInput, outline: Outline | null): ModelMessage[] {
    const examples = (options.examples?.(input) ?? []).slice(0, 1);
    const used = examples.flatMap(({ plan }) => plan.steps.map((step) => step.tool));
    const tools = outline === null ? shortlist(input, used) : toolsOf(outline, input);
    return promptFor(input, tools, examples, { clearance: options.clearance ?? 'internal', outline });
  }

  /** A large request in two passes, everything else and what two passes cannot plan in one. */
  async function passes(asking: Asking): Promise<Planned> {
    const { input, signal } = asking;
    const first = looksLarge(input) ? await outlined(asking) : null;
    let usage = first?.usage ?? null;
    if (first !== null && first.outline !== null) {
      const { outline } = first;
      try {
        return await answer({ ...asking, outline, repairs: 1 }, prompt(input, outline), usage);
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelPlanError) || error.code !== 'model_gave_up')
          throw error;
        usage = error.usage;
      }
    }
    return answer(asking, prompt(input, null), usage);
  }

  return {
    async plan(input, signal = new AbortController().signal) {
      const key = keyOf(model.name, input);
      const known = kept.get(key);
      if (known) return { ...known, planner: 'model', usage: freeOf(model.name) };
      const fresh = await passes({ model, review, input, signal, outline: null, repairs: maxRepairs });
      if (keepMs !== 0) kept.set(key, fresh.kept);
      return { ...fresh.kept, planner: 'model', usage: fresh.usage };
    },
  };
}

interface Planned {
  readonly kept: Kept;
  readonly usage: ModelUsage;
}

/** Null where the model could not be asked for an outline; the next call says why, if it fails as well. */
async function outlined({
  model,
  input,
  signal,
}: Asking): Promise<Awaited<ReturnType<typeof askOutline>> | null> {
  try {
    return await askOutline(model, input, signal);
  } catch (error) {
    if (error instanceof CountersignError) return null;
    throw error;
  }
}

/** The tools of an outline and of what the planning starts from. */
function toolsOf(outline: Outline, { catalogue, hint }: PlanningInput): Manifest[] {
  const names = new Set([...outline, ...(hint?.steps ?? [])].map(({ tool }) => tool));
  return [...catalogue.manifests.values()].filter(({ name }) => names.has(name));
}

async function answer(asking: Asking, messages: ModelMessage[], before: ModelUsage | null): Promise<Planned> {
  const { repairs } = asking;
  let usage = before;
  for (let repair = 0; ; repair += 1) {
    const tried: Attempt = await attempt({ ...asking, isFirst: repair === 0 }, messages, usage);
    usage = tried.usage;
    const findings = tried.reading.answer === null ? tried.reading.findings : [];
    const kept = usable(tried, findings) ?? (repair < repairs ? null : lastResort(tried, asking.input));
    if (kept !== null) return { kept, usage };
    if (repair >= repairs) {
      const message = `the model’s answer could not be used after ${repairs} corrections`;
      throw new ModelPlanError('model_gave_up', message, { findings, usage });
    }
    messages.push(...repairFor(tried.text, findings));
  }
}

/** The part of an attempt that may be shown: its answer, or that a tool is not set up here. */
function usable({ given, reading }: Attempt, findings: readonly Finding[]): Kept | null {
  if (given === null) return null;
  const shown = reading.answer ?? notConfigured(findings);
  return shown === null ? null : keptFrom(shown, given);
}

/** After failed corrections: the question that would settle it, if there is one. */
function lastResort({ given, reading }: Attempt, input: PlanningInput): Kept | null {
  if (given === null || reading.answer !== null || reading.question === null) return null;
  return keptFrom(askPerson(reading.question, input), given);
}

async function attempt(
  { model, review, input, signal, outline, isFirst }: Asking & { readonly isFirst: boolean },
  messages: readonly ModelMessage[],
  before: ModelUsage | null,
): Promise<Attempt> {
  const { value, problems, declined, text, usage } = await askOnce(
    model,
    { name: 'plan', messages, schema: answerSchemaFor(input.policy), maxTokens: answerTokens },
    before,
    signal,
  );
  if (declined) {
    throw new ModelPlanError('model_declined', problems.join('; '), { usage: addUsage(before, usage) });
  }
  const unread: Reading = { answer: null, findings: shapeFindings(problems), question: null };
  const read = value === null ? unread : readAnswer(value, { input, review, isFirst });
  const lost = isFirst && read.answer?.kind === 'plan' ? forgotten(outline, read.answer.plan) : [];
  const reading: Reading = lost.length === 0 ? read : { answer: null, findings: lost, question: null };
  return { given: value, reading, text, usage: addUsage(before, usage) };
}

/** Throws a ModelPlanError with the cost so far when the model cannot be reached. */
export async function askOnce<S extends z.ZodType>(
  model: StructuredModel,
  question: ModelQuestion<S>,
  usage: ModelUsage | null,
  signal: AbortSignal,
) {
  try {
    return await model.ask(question, signal);
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    const code = signal.aborted ? 'model_stopped' : 'model_failed';
    throw new ModelPlanError(code, error.message, { usage, cause: error });
  }
}
