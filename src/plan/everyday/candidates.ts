import type { PlannerAnswer } from '../../core/answer.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { withOmissions } from '../left-out.ts';
import { withTimes } from '../watch.ts';
import { misread } from './account.ts';
import { notAskedWith } from './asked-for.ts';
import { uncounted } from './clause.ts';
import { type Composed, compose } from './compose.ts';
import { withDictation } from './dictation.ts';
import type { Compare, Draft } from './draft.ts';
import type { Heard } from './heard.ts';
import { phrasesOf } from './omissions.ts';
import { type Line, type Listening, search } from './search.ts';
import { withShared } from './shared.ts';
import { withSought } from './sought.ts';

/** A request, and everything needed to read it and to check what it was read as. */
export interface Hearing extends Listening {
  readonly input: PlanningInput;
  readonly review: ReviewDraft;
  /** Restores a number that the network does not know in what it read. */
  readonly restored?: (draft: Draft) => Draft | null;
  readonly rest?: Heard;
}

/** One way to understand a request. */
export interface Candidate extends Line {
  readonly composed: NonNullable<Composed> | null;
  /** Words that the plan does not carry. */
  readonly lost: readonly string[];
  /** A “not” is among them: such a plan may do the opposite. */
  readonly isDenied: boolean;
  /** The plan, if it lacks nothing and no message takes its place. */
  readonly drafted: Plan | null;
  /** The same plan if it passes the review, ready to be shown. */
  readonly plan: Plan | null;
  /** The answer to give instead, about its times. */
  readonly instead: PlannerAnswer | null;
}

/** The likeliest readings of a request, best first; without `asks` only those that are plans. */
export function candidatesFor(hearing: Hearing, width: number, asks = true): Candidate[] {
  const lines = search(hearing, { width, asks });
  return unasked(merged(lines.flatMap((line) => candidateOf(line, hearing))), hearing.input);
}

/** Nothing is asked twice: of a question that was answered only the other readings are left. */
function unasked(candidates: readonly Candidate[], { answers }: PlanningInput): Candidate[] {
  const answered = new Set(answers.map(({ missing }) => missing[0]));
  const isLeft = ({ draft }: Candidate): boolean => draft.kind !== 'clarify' || !answered.has(draft.slot);
  const left = candidates.filter(isLeft);
  const scale = sumOf(candidates) / sumOf(left);
  return left.map((one) => ({ ...one, odds: one.odds * scale }));
}

const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, { odds }) => sum + odds, 0);

/** Lines that come to the same plan, as where a project and a service have one name, are one candidate. */
function merged(candidates: readonly Candidate[]): Candidate[] {
  const same = Map.groupBy(candidates, ({ draft, composed }) =>
    composed === null || draft.kind !== 'plan'
      ? JSON.stringify(draft)
      : JSON.stringify([
          composed.plan.steps.map(({ why: _why, ...step }) => step),
          composed.plan.success,
          composed.lacks,
          [...(draft.watch ?? [])],
          draft.watch === null,
        ]),
  );
  return [...same.values()]
    .map((ones) => ({ ...(ones[0] as Candidate), odds: sumOf(ones) }))
    .sort((one, other) => other.odds - one.odds);
}

/** A bare number answers “From what number on?”, so it is within the bound. */
function withinBound(draft: Draft, { answers }: PlanningInput): Draft {
  const asked = answers.findLast(({ missing }) => /^(?:bound|threshold)$/u.test(missing[0] ?? ''));
  if (draft.kind !== 'plan' || !/^\s*\d{1,9}\s*$/u.test(asked?.answer ?? '')) return draft;
  const within = (part: Compare): Compare => {
    const isIt = 'said' in part.right && Number(part.right.said) === Number(asked?.answer);
    return isIt && (part.op === '>' || part.op === '<=')
      ? { ...part, op: part.op === '>' ? '>=' : '<' }
      : part;
  };
  const steps = draft.steps.map((step) => ({
    ...step,
    when: step.when && { ...step.when, parts: step.when.parts.map(within) },
  }));
  return { ...draft, steps };
}

/** Arguments that the network leaves out of a plan though the request says it of its steps. */
const completed: typeof withShared = (draft, heard, tools) =>
  withSought(withShared(draft, heard, tools), heard, tools);

/** From which odds on a look-up is one that no word of the request asks for. */
const sureOfUnasked = 0.75;

function candidateOf(
  line: Line,
  { heard, input, network, review, restored, rest = heard }: Hearing,
): Candidate[] {
  const { odds } = line;
  const read = restored === undefined ? line.draft : restored(line.draft);
  if (read === null) return [];
  const bound = withinBound(read, input);
  if (bound.kind !== 'plan') return [{ draft: bound, odds, ...nothing }];
  const { manifests } = input.catalogue;
  const draft =
    input.change === null ? withDictation(completed(bound, heard, manifests), heard, manifests) : bound;
  if (draft === null) return [];
  const made = compose(draft, heard, input);
  if (made === null) return [];
  const goal = restored === undefined ? input.goal : rest.tokens.map(({ raw }) => raw).join(' ');
  const { words, orders, isDenied, unplaced } = misread(
    made.plan,
    draft,
    rest,
    { ...input, goal },
    network.isPlain,
  );
  const uncountedParts = uncounted(draft, rest, manifests);
  const left = [...made.left, ...orders, ...uncountedParts, ...phrasesOf(unplaced, draft, rest, manifests)];
  const composed = { ...made, plan: withOmissions(made.plan, left) };
  const timed = withTimes(composed.plan, draft.watch, input);
  const plan = 'plan' in timed ? timed.plan : composed.plan;
  const doubted =
    odds < sureOfUnasked && input.change === null ? notAskedWith(plan, rest.tokens, manifests) : [];
  // A word that no example has may be a misspelt one.
  const isOther = doubted.length > 0 && doubted.every((word) => network.isPlain(word.toLowerCase()));
  const instead = 'answer' in timed ? timed.answer : null;
  const drafted = composed.lacks.length === 0 && instead === null ? plan : null;
  const shown = drafted !== null && review(drafted, input).plan !== null ? drafted : null;
  return [
    {
      draft,
      odds,
      composed,
      lost: [...new Set([...doubted, ...words, ...uncountedParts])],
      isDenied: isDenied || isOther,
      drafted,
      plan: shown,
      instead,
    },
  ];
}

const nothing = { composed: null, lost: [], isDenied: false, drafted: null, plan: null, instead: null };
