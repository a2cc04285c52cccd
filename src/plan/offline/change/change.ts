import { dependenciesOf } from '../../../core/graph.ts';
import type { Plan } from '../../../core/plan.ts';
import type { PlanningInput } from '../../../core/planning.ts';
import { clausesOf } from '../clauses/clauses.ts';
import { liftNegations } from '../clauses/negation.ts';
import { settle } from '../draft/settle.ts';
import { planFrom } from '../draft/to-plan.ts';
import { createWork, type Trouble } from '../draft/work.ts';
import { interpret } from '../interpret.ts';
import { namesRead } from '../reads/reads.ts';
import type { Lexicon } from '../words/normalise.ts';
import { readGoal } from '../words/normalise.ts';
import { ofKind, type Token } from '../words/token.ts';
import { replaceNames } from './names.ts';
import {
  dropped,
  replaceReceiver,
  replaceText,
  replaceThreshold,
  replaceTimes,
  type Steps,
  withoutTools,
  withPost,
} from './steps.ts';

/** A changed plan, a question about the change, or null when nothing in the words could be put to use. */
export type Changed = { readonly plan: Plan } | { readonly trouble: Trouble } | null;

/** Asks for something more: "also post to #ops", "add a comment on OPS-3 …", "and page search". */
const adding = /^\s*(?:please\s+)?(?:also|add|and|additionally|plus|then|afterwards)\b/i;

function added(plan: Plan, tokens: readonly Token[], words: string, input: PlanningInput): Changed {
  const work = createWork(words, input.catalogue, new Set());
  const kept = new Map<string, (typeof work.steps)[number]>();
  for (const step of plan.steps) {
    const draft = {
      tool: step.tool,
      args: literalArgs(step),
      needs: new Set<(typeof work.steps)[number]>(),
      when: null,
      why: step.why,
      kept: { id: step.id, when: step.when ?? null, step },
    };
    work.steps.push(draft);
    kept.set(step.id, draft);
  }
  for (const step of plan.steps) {
    for (const need of dependenciesOf(step)) {
      const before = kept.get(need);
      if (before) kept.get(step.id)?.needs.add(before);
    }
  }
  const reads = work.steps.filter((step) => input.catalogue.manifests.get(step.tool)?.effect === 'read');
  work.lastReads = reads.filter((step) => !reads.some((other) => other.needs.has(step))).slice(-3);
  const count = work.steps.length;
  interpret(clausesOf(tokens, namesRead), work);
  if (work.steps.length === count && work.troubles.length === 0) return null;
  settle(work);
  const trouble = work.troubles[0];
  if (trouble) return { trouble };
  return { plan: planFrom(plan.goal, work.steps, plan) };
}

function literalArgs(step: Steps[number]): Record<string, string | number> {
  const plain = Object.entries(step.args).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  );
  return Object.fromEntries(plain) as Record<string, string | number>;
}

function refreshed(plan: Plan, steps: Steps): Plan {
  const values = new Set(steps.flatMap((step) => Object.values(step.args).map(String)));
  const kept = plan.inputs.filter((entry) => values.has(entry.value));
  return { ...plan, inputs: kept, steps };
}

/** Makes a new plan from an old one and a change in words: "use P2 and post to #ops instead". */
export function changePlan(input: PlanningInput, lexicon: Lexicon): Changed {
  if (input.change === null) return null;
  const { plan, words } = input.change;
  const reading = readGoal(words, input.catalogue, lexicon);
  const { tokens, forbidden } = liftNegations(reading.tokens, words);
  const named = ofKind(tokens, 'channel', 'user').length > 0;
  const plain = adding.test(words) && named ? withPost(plan.steps, tokens, false) : null;
  if (plain) return { plan: refreshed(plan, plain) };
  if (adding.test(words) && forbidden.size === 0) {
    const more = added(
      plan,
      reading.tokens.filter(
        (token, index) =>
          index > 0 ||
          !/^(add|also|and|then)$/.test(token.word) ||
          /^(comment|note)$/.test(reading.tokens[index + 2]?.word ?? ''),
      ),
      words,
      input,
    );
    if (more) return more;
  }
  const gone = new Set([...forbidden, ...dropped(tokens, words)]);
  let steps: Steps = replaceNames([...plan.steps], tokens, input);
  if (named && !steps.some((step) => step.tool === 'slack.post')) {
    const posted = withPost(steps, tokens, /\binstead\b/i.test(words) || gone.has('pagerduty.page'));
    if (!posted) return added({ ...plan, steps: withoutTools(steps, gone) }, tokens, words, input);
    steps = posted;
  }
  steps = withoutTools(steps, gone);
  steps = replaceReceiver(steps, tokens);
  steps = replaceThreshold(steps, tokens);
  steps = replaceTimes(steps, tokens);
  steps = replaceText(steps, tokens, words);
  if (steps.length === 0)
    return {
      trouble: {
        kind: 'ask',
        missing: ['goal'],
        question: 'Nothing would be left of the plan. What should it do instead?',
      },
    };
  if (JSON.stringify(steps) === JSON.stringify(plan.steps)) return added(plan, tokens, words, input);
  return { plan: refreshed(plan, steps) };
}
