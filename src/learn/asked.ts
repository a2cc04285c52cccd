import type { Plan } from '../core/plan.ts';
import { type SlotChange, slotChanges } from '../core/slot-change.ts';

/** A request with all plans that were made of it, oldest first, as they are stored. */
export interface Told {
  readonly goal: string;
  /** Questions of the planner before the first plan. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly revisions: readonly {
    readonly plan: Plan;
    readonly planner: string;
    readonly state: string;
    /** Why it was rejected. */
    readonly reason: string | null;
  }[];
}

/** What became of one request at the hands of people. */
export interface Asked {
  readonly goal: string;
  /** The goal without what does not matter: case, spaces, the mark at its end. */
  readonly phrase: string;
  /** The playbook that planned it; null for none. */
  readonly playbook: string | null;
  readonly last: Plan;
  /** From the first plan to the last that a person made of it; empty when nobody changed anything. */
  readonly edits: readonly SlotChange[];
  /** What was asked about it, and what people answered. */
  readonly answers: Told['answers'];
  /** Somebody said yes to the last plan, or it answered without one. */
  readonly wasTaken: boolean;
  readonly rejectedFor: string | null;
}

/** States after which the next plan is a person's change of this one; after a run it is what the run left. */
const editable = new Set(['superseded', 'answered']);

/** Null for a request that never came to a plan. */
export function readAsked(
  { goal, answers, revisions }: Told,
  playbookOf: (plan: Plan) => string | null,
): Asked | null {
  const [first] = revisions;
  if (first === undefined) return null;
  const end = revisions.findIndex(({ state }) => !editable.has(state));
  const last = revisions[end < 0 ? revisions.length - 1 : end] ?? first;
  return {
    goal,
    phrase: phraseOf(goal),
    playbook: first.planner === 'playbook' ? playbookOf(first.plan) : null,
    last: { ...last.plan, inputs: inputsOf(first.plan, last.plan) },
    edits: slotChanges(first.plan, last.plan),
    answers,
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

/** A plan that was typed over names no inputs; those of the goal are still the goal's. */
function inputsOf(first: Plan, last: Plan): Plan['inputs'] {
  const named = new Set(last.inputs.map(({ name }) => name));
  return [...last.inputs, ...first.inputs.filter(({ name }) => !named.has(name))];
}

/** What a person added to the goal, by answer or by edit, the same for requests of which it was the same. */
export function correctionOf({ answers, edits }: Asked): string {
  return JSON.stringify([answers.map(({ answer }) => answer), edits]);
}

/** True when nobody had to answer or change anything. */
export function cameRight({ answers, edits }: Asked): boolean {
  return answers.length === 0 && edits.length === 0;
}
