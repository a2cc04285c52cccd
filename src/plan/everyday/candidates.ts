import type { PlannerAnswer } from '../../core/answer.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { withTimes } from '../watch.ts';
import { misread } from './account.ts';
import { read } from './actions.ts';
import { type Composed, compose, unavailable } from './compose.ts';
import type { Draft } from './draft.ts';
import type { Heard } from './heard.ts';
import type { Memory, Network } from './network.ts';
import { type Line, search } from './search.ts';

/** A request as it was heard, and all that it is read by. */
export interface Hearing {
  readonly heard: Heard;
  readonly memory: Memory;
  readonly input: PlanningInput;
  readonly network: Network;
  readonly review: ReviewDraft;
}

/** One way to understand a request. */
export interface Candidate {
  readonly line: Line;
  readonly draft: Draft;
  readonly composed: NonNullable<Composed> | null;
  /** Words that the plan does not carry. */
  readonly lost: readonly string[];
  /** A “not” is among them: such a plan may do the opposite. */
  readonly isDenied: boolean;
  /** The plan as it may be shown, where it lacks nothing and the review takes it. */
  readonly plan: Plan | null;
  /** What has to be said instead: about its times, or a tool that is not set up. */
  readonly instead: PlannerAnswer | null;
}

/** The likeliest ways to understand a request, the best first; without `asks` only those that are plans. */
export function candidatesFor(hearing: Hearing, width: number, asks = true): Candidate[] {
  const { heard, memory, input, network } = hearing;
  const lines = search(network, memory, heard.tokens, input.catalogue.manifests, { width, asks });
  return lines.flatMap((line) => candidateOf(line, hearing));
}

function candidateOf(line: Line, { heard, input, network, review }: Hearing): Candidate[] {
  const { manifests, unconfigured } = input.catalogue;
  const draft = read(heard.text, heard.tokens, line.actions, manifests);
  if (draft === null) return [];
  const none = { line, draft, composed: null, lost: [], isDenied: false, plan: null, instead: null };
  if (draft.kind !== 'plan') return [none];
  const composed = compose(draft, heard, input);
  if (composed === null) return [];
  const timed = withTimes(composed.plan, draft.watch, input);
  const plan = 'plan' in timed ? timed.plan : composed.plan;
  const { words, isDenied } = misread(plan, draft, heard, input, network.isPlain);
  const instead = unavailable(plan, unconfigured) ?? ('answer' in timed ? timed.answer : null);
  const isWhole = composed.lacks.length === 0 && instead === null && review(plan, input).plan !== null;
  return [{ line, draft, composed, lost: words, isDenied, plan: isWhole ? plan : null, instead }];
}
