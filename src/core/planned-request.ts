import type { Plan } from './plan.ts';
import { type SlotChange, slotChanges } from './slot-change.ts';

/** A stored request with all its plans, oldest first. */
export interface RecordedRequest {
  readonly id: string;
  readonly goal: string;
  readonly channel: string;
  /** Name of the agent that proposed it, or null. */
  readonly agent: string | null;
  /** How people rated its answers and runs, each once for a plan; an explained one with their words. */
  readonly ratings: readonly { readonly rating: string; readonly why: string | null }[];
  /** Steps of its approved runs that failed or are unknown, oldest first. */
  readonly failures: readonly Failure[];
  /** The planner's questions before the first plan. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly revisions: readonly {
    readonly plan: Plan;
    readonly planner: string;
    readonly state: string;
    /** Why it was rejected. */
    readonly reason: string | null;
  }[];
}

/** A step that did not end well: why, as a code and in the words of the newest. */
export interface Failure {
  readonly tool: string;
  readonly code: string;
  readonly message: string;
}

/** The course of one request. */
export interface PlannedRequest
  extends Pick<RecordedRequest, 'id' | 'goal' | 'channel' | 'agent' | 'ratings' | 'failures'> {
  /** Of the first plan: `offline`, `model`, `playbook`, `person`. */
  readonly planner: string;
  /** The goal without irrelevant differences: case, spaces, final punctuation. */
  readonly phrase: string;
  /** The playbook that planned it, or null. */
  readonly playbook: string | null;
  readonly first: Plan;
  readonly last: Plan;
  /** From the first plan to a person's last version of it; empty when nobody changed anything. */
  readonly edits: readonly SlotChange[];
  /** The questions about it, and people's answers. */
  readonly answers: RecordedRequest['answers'];
  /** The last plan was approved, or answered without needing approval. */
  readonly wasTaken: boolean;
  /** State of that plan. */
  readonly state: string;
  readonly rejectedFor: string | null;
}

/** States after which the next plan is a person's change of this one; after a run it is the rest of the run. */
const editable = new Set(['superseded', 'answered']);

/** Null for a request that never got a plan. */
export function readPlanned(
  { id, goal, channel, agent, ratings, failures, answers, revisions }: RecordedRequest,
  playbookOf: (plan: Plan) => string | null,
): PlannedRequest | null {
  const [first] = revisions;
  if (first === undefined) return null;
  const end = revisions.findIndex(({ state }) => !editable.has(state));
  const last = revisions[end < 0 ? revisions.length - 1 : end] ?? first;
  return {
    ...{ id, goal, channel, agent, ratings, failures, planner: first.planner },
    phrase: phraseOf(goal),
    playbook: first.planner === 'playbook' ? playbookOf(first.plan) : null,
    first: first.plan,
    last: { ...last.plan, inputs: inputsOf(first.plan, last.plan) },
    edits: slotChanges(first.plan, last.plan),
    answers,
    state: last.state,
    wasTaken: last.state === 'approved' || last.state === 'answered',
    rejectedFor: last.state === 'rejected' ? (last.reason ?? '') : null,
  };
}

function phraseOf(goal: string): string {
  return goal
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s.!?])[\s.!?]+$/, '')
    .trim();
}

/** A plan that was retyped names no inputs; those of the goal still apply. */
function inputsOf(first: Plan, last: Plan): Plan['inputs'] {
  const named = new Set(last.inputs.map(({ name }) => name));
  return [...last.inputs, ...first.inputs.filter(({ name }) => !named.has(name))];
}

/** A person's additions to the goal, by answers or edits; equal for requests with the same additions. */
export function correctionOf({ answers, edits }: PlannedRequest): string {
  return JSON.stringify([answers.map(({ answer }) => answer), edits]);
}

/** True when nobody had to answer or change anything. */
export function cameRight({ answers, edits }: PlannedRequest): boolean {
  return answers.length === 0 && edits.length === 0;
}

/** True when somebody rated it as not helpful. */
export function wasUnhelpful({ ratings }: Pick<PlannedRequest, 'ratings'>): boolean {
  return ratings.some(({ rating }) => rating === 'unhelpful');
}
