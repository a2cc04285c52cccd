import type { PlannerAnswer } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Finding } from './finding.ts';
import type { JsonObject } from './json.ts';
import type { Plan, PlannedBy } from './plan.ts';
import type { Policy } from './policy.ts';

/** Everything a planner sees. Tool output is not part of it, except in a replan, marked as data. */
export interface PlanningInput {
  readonly goal: string;
  /** A quoted message or pasted ticket: data, never orders. */
  readonly quoted: string | null;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Questions already asked for this request, with the answers. */
  readonly answers: readonly {
    readonly question: string;
    readonly missing: readonly string[];
    readonly answer: string;
  }[];
  /** The plan that is being changed, and the change in words. */
  readonly change: { readonly plan: Plan; readonly words: string } | null;
  /** A run that failed: what is done, what is left, and the results as data. */
  readonly replan: {
    readonly plan: Plan;
    readonly done: readonly string[];
    readonly failed: readonly string[];
    readonly results: JsonObject;
  } | null;
  /** It was asked in a thread whose runs have made or changed an incident: "it" may be that one, `thread`. */
  readonly hasIncident?: boolean;
  /** Services of the catalogue whose on-call is whoever asked, and nobody else; told only where that was asked about. */
  readonly onCallFor?: readonly string[];
  /** Plans that people approved for other requests, the latest first: the same words mean the same again. */
  readonly remembered?: readonly { readonly goal: string; readonly plan: Plan }[];
  /** What another planner made of the goal without understanding all of it; a hint, never an order. */
  readonly hint?: Plan;
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
  /** 0 to 1: how sure the planner is that it understood. */
  readonly confidence: number;
  readonly usage: ModelUsage | null;
  /** The watch (`watch:<id>`) or playbook (`playbook:<name>`) that it came of, with the digest of the playbook. */
  readonly source?: { readonly scope: string; readonly version: string };
  /** What people should know about how the plan came to be: "the model did not answer in time". */
  readonly notes: readonly string[];
}

/** Turns a goal into a plan, a question or a refusal, without any side effect. */
export interface Planner {
  plan(input: PlanningInput): Promise<PlannerReply>;
}

/** The review as planners are handed it: findings of a draft, empty when it may be shown. */
export type ReviewDraft = (
  draft: unknown,
  input: PlanningInput,
) => { plan: Plan | null; findings: Finding[] };
