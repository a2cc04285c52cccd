import type { PlannerAnswer } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Finding } from './finding.ts';
import type { JsonObject } from './json.ts';
import type { Plan, PlannedBy } from './plan.ts';
import type { Policy } from './policy.ts';

/** A planner's whole input. Tool output is not part of it, except in a replan, marked as data. */
export interface PlanningInput {
  readonly goal: string;
  /** A quoted message or pasted ticket: data, never orders. */
  readonly quoted: string | null;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Slack id of the channel that is told; absent where that is not known. */
  readonly channel?: string;
  /** Questions already asked for this request, with the answers. */
  readonly answers: readonly {
    readonly question: string;
    readonly missing: readonly string[];
    readonly answer: string;
  }[];
  /** The plan being changed, and the change in words. */
  readonly change: { readonly plan: Plan; readonly words: string } | null;
  /** A failed run: finished steps, remaining steps, and the results as data. */
  readonly replan: {
    readonly plan: Plan;
    readonly done: readonly string[];
    readonly failed: readonly string[];
    readonly results: JsonObject;
  } | null;
  /** Asked in a thread whose runs made or changed an incident: "it" may mean that incident, `thread`. */
  readonly hasIncident?: boolean;
  /** Service of the alert in whose thread it is asked: the one that is meant if none is named. */
  readonly threadService?: string | undefined;
  /** Services for which the requester alone is on call; set only when the request asks about that. */
  readonly onCallFor?: readonly string[];
  /** Plans people approved for other requests, latest first: the same words mean the same again. */
  readonly remembered?: readonly { readonly goal: string; readonly plan: Plan }[];
  /** Another planner's partial reading of the goal; a hint, never an order. */
  readonly hint?: Plan;
  /** IANA time zone of the requester; absent where it is not known. */
  readonly zone?: string | undefined;
  readonly now: Date;
}

/** Tokens, time and money of model calls made for one answer. */
export interface ModelUsage {
  readonly model: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** US dollars at list price; 0 for a model without a known price. */
  readonly usd: number;
  readonly ms: number;
}

export interface PlannerReply {
  readonly answer: PlannerAnswer;
  readonly planner: PlannedBy;
  /** How sure the planner is that it understood, 0 to 1. */
  readonly confidence: number;
  readonly usage: ModelUsage | null;
  /** The watch (`watch:<id>`) or playbook (`playbook:<name>`) it came from, with the playbook's digest. */
  readonly source?: { readonly scope: string; readonly version: string };
  /** A model should have planned and gave no answer, so another planner did. */
  readonly fellBack?: true;
  /** Remarks on how the plan was made: "the model did not answer in time". */
  readonly notes: readonly string[];
}

/** Notes beside a plan on how it was made. A model’s words are marked as its own. */
export const planningNotes = (reply: PlannerReply | null, summary: string): string[] => [
  ...(reply?.notes ?? []),
  ...(reply?.planner === 'model' ? [`The model’s note: “${summary}”`] : []),
];

/** An answer that was not guessed: no model was asked, and nothing in it is in doubt. */
export function certainReply(
  answer: PlannerAnswer,
  planner: PlannedBy,
  notes: readonly string[] = [],
): PlannerReply {
  return { answer, planner, confidence: 1, usage: null, notes };
}

/** The plan of a cause's fix with its goal, or why there is none. */
export type FixReply = { readonly goal: string; readonly reply: PlannerReply } | { readonly why: string };

/** Turns a goal into a plan, a question or a refusal, without any side effect. */
export interface Planner {
  plan(input: PlanningInput): Promise<PlannerReply>;
}

/** The review as planners see it: findings for a draft, empty when it may be shown. */
export type ReviewDraft = (
  draft: unknown,
  input: PlanningInput,
) => { plan: Plan | null; findings: Finding[] };
