import { certainReply, type Planner, type PlannerReply, type PlanningInput } from '../core/planning.ts';
import { planTitle } from '../core/title.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import { type Parsed, parse } from '../notation/parse.ts';
import { problemLine } from '../notation/problems.ts';
import { parseRevision } from '../notation/revise.ts';

/** More lines would not be read on a phone. */
const maxShown = 6;
/** Slack's limit for the text of a button. */
const maxButton = 75;

/** The input with the latest wording of the goal: an answer may restate it, in words or as a plan. */
function saidLast(input: PlanningInput): PlanningInput {
  const at = input.answers.findLastIndex(
    ({ missing, answer }) => missing.includes('goal') || looksLikeNotation(answer, input.catalogue),
  );
  const { answer: goal } = input.answers[at] ?? {};
  return goal === undefined ? input : { ...input, goal, answers: input.answers.slice(at + 1) };
}

/** The text with every problem replaced by its suggestion, if that makes it valid. */
function mended(text: string, { problems }: Parsed, input: PlanningInput): string[] {
  const lines = text.split('\n');
  for (const { line, column, word, meant } of problems.toReversed()) {
    const before = lines[line - 1];
    if (meant === null || before?.slice(column - 1, column - 1 + word.length) !== word) return [];
    lines[line - 1] = before.slice(0, column - 1) + meant + before.slice(column - 1 + word.length);
  }
  const whole = lines.join('\n');
  return whole.length <= maxButton && parse(whole, input.catalogue.manifests).plan !== null ? [whole] : [];
}

function answerTo(text: string, input: PlanningInput): PlannerReply['answer'] {
  const { manifests, unconfigured } = input.catalogue;
  const parsed =
    input.change === null ? parse(text, manifests) : parseRevision(text, input.change.plan, manifests);
  // A card's title describes what the steps do, not what somebody calls it.
  if (parsed.plan !== null)
    return { kind: 'plan', plan: { ...parsed.plan, summary: planTitle(parsed.plan.steps, manifests) } };
  const { problems } = parsed;
  const missing = problems.find(({ code, word }) => code === 'unknown_tool' && unconfigured.has(word))?.word;
  if (missing !== undefined) {
    return {
      kind: 'refuse',
      reason: 'not_configured',
      explanation: `${missing} needs ${unconfigured.get(missing)}.`,
    };
  }
  const lines = problems.slice(0, maxShown).map((problem) => `• ${problemLine(problem, text)}`);
  const rest = problems.length - lines.length;
  const question = [
    'This looks like plan notation, but I can’t parse it. What did you mean?',
    ...lines,
    ...(rest > 0 ? [`• and ${rest} more`] : []),
  ].join('\n');
  return { kind: 'clarify', question, missing: ['goal'], options: mended(text, parsed, input) };
}

/** Plans text in plan notation exactly as typed; anything else goes to `next`. */
export function notationFirst(next: Planner): Planner {
  return {
    async plan(input) {
      const said = saidLast(input);
      const text = input.change?.words ?? said.goal;
      if (input.replan === null && looksLikeNotation(text, input.catalogue))
        return certainReply(answerTo(text, input), 'person');
      return next.plan(looksLikeNotation(input.goal, input.catalogue) ? said : input);
    },
  };
}
