import { type Json, type JsonObject, jsonOf } from '../../core/json.ts';
import { type Level, levels } from '../../core/manifest.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { plain, toWire } from './draft.ts';
import { tableLines } from './tables.ts';

export interface DataLimits {
  /** Highest level of results the model may see in a replan. */
  readonly clearance: Level;
}

const quotedLimit = 1_500;
const valueLimit = 200;
const resultsLimit = 3_000;

/** The person's goal, answers and changes: the only part of a prompt that gives orders. */
export function requestOf(input: PlanningInput): JsonObject {
  const { change, replan } = input;
  const request: JsonObject = { goal: input.goal };
  if (input.answers.length > 0) {
    request.answered = input.answers.map(({ question, answer }) => ({
      question: plain(question, 300),
      answer: plain(answer, 500),
    }));
  }
  if (change) {
    request.task = 'Change the plan as the words say; keep every step that they do not concern as it is.';
    request.change = change.words;
    request.plan = jsonOf(toWire(change.plan));
  }
  if (replan) {
    request.task =
      'The run of this plan failed. Plan what is left with reads that may be repeated; writes that are done must ' +
      'not be, and no write may be added. Where nothing sensible is left, refuse with no_tool.';
    request.plan = jsonOf(toWire(replan.plan));
    request.done = [...replan.done];
    request.failed = [...replan.failed];
  }
  if (input.hint) request.hint = jsonOf(toWire(input.hint));
  return request;
}

function clip(value: Json): Json {
  if (typeof value === 'string') return plain(value, valueLimit);
  if (Array.isArray(value)) return value.slice(0, 10).map(clip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [plain(key, 60), clip(inner)]));
}

/** Results of the failed run that the model is cleared for; for others only that they exist. */
function resultsOf(
  replan: NonNullable<PlanningInput['replan']>,
  input: PlanningInput,
  limits: DataLimits,
): Json {
  const tools = new Map(replan.plan.steps.map((step) => [step.id, step.tool]));
  const results: JsonObject = {};
  let size = 0;
  for (const [id, result] of Object.entries(replan.results)) {
    const manifest = input.catalogue.manifests.get(tools.get(id) ?? '');
    const cleared =
      manifest !== undefined && levels.indexOf(manifest.yields) <= levels.indexOf(limits.clearance);
    const shown = cleared ? clip(result) : '(withheld)';
    size += JSON.stringify(shown).length;
    results[id] = size > resultsLimit ? '(too long)' : shown;
  }
  return results;
}

/** Data for the request: a quoted message, results of a failed run, tables that it may be about. Null if there is none. */
export function materialOf(input: PlanningInput, limits: DataLimits): JsonObject | null {
  const material: JsonObject = {};
  if (input.quoted !== null) material.quoted_message = plain(input.quoted, quotedLimit);
  if (input.replan) material.results = resultsOf(input.replan, input, limits);
  const tables = tableLines(input);
  if (tables.length > 0) material.tables = tables;
  return Object.keys(material).length === 0 ? null : material;
}
