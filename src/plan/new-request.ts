import type { Blank } from '../core/blank.ts';
import type { Request } from '../core/request.ts';
import { ownRequest, pendingTools, takesAnyWords } from './offline/answers.ts';
import { lexiconFor } from './offline/words/lexicon.ts';
import { readText, type Text } from './offline/words/text.ts';
import { type PlanPort, planningInput } from './planning.ts';

/** The question that is open about a request. */
export interface OpenQuestion {
  readonly missing: readonly string[];
  readonly options: readonly string[];
  readonly blank?: Blank | undefined;
}

/**
 * Whether words said under a question are plainly a request of their own: they order or ask for something, and not what
 * the question is about. What says the same request anew answers it, and so does any request where one was asked for.
 */
export async function isNewRequest(
  request: Request,
  { missing, options, blank }: OpenQuestion,
  words: string,
  port: PlanPort,
): Promise<boolean> {
  const slot = missing[0] ?? 'goal';
  if (slot === 'goal' || slot === 'rest') return false;
  const input = planningInput(request, { answers: await port.answersTo(request.id) }, port);
  const read = (said: string): Text => readText(said, input, lexiconFor(input.catalogue));
  const isText = takesAnyWords(slot) && options.length === 0;
  const own = ownRequest(read(words), isText);
  const { answer, planner } = await port.offline.plan(
    planningInput({ ...request, goal: words, quoted: null }, {}, port),
  );
  const plan = answer.kind === 'plan' ? answer.plan : null;
  const before = blank?.plan.steps.map(({ tool }) => tool) ?? pendingTools(input, read);
  if (areSame(plan?.steps.map(({ tool }) => tool) ?? own?.tools ?? [], before)) return false;
  const isRefused = answer.kind === 'refuse' && answer.reason !== 'out_of_scope';
  return own !== null || planner !== 'offline' || plan?.watch !== undefined || (isRefused && !isText);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [new Set(some), new Set(others)];
  return one.size > 0 && one.size === other.size && one.isSubsetOf(other);
}
