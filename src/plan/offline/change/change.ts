import { dependenciesOf } from '../../../core/graph.ts';
import type { Plan } from '../../../core/plan.ts';
import type { PlanningInput } from '../../../core/planning.ts';
import { clausesOf } from '../clauses/clauses.ts';
import { liftNegations } from '../clauses/negation.ts';
import type { DraftStep } from '../draft/draft.ts';
import { settle } from '../draft/settle.ts';
import { planFrom } from '../draft/to-plan.ts';
import { createWork, type Trouble } from '../draft/work.ts';
import { interpret } from '../interpret.ts';
import { namesRead } from '../reads/reads.ts';
import { readVerbs } from '../words/grammar.ts';
import type { Lexicon } from '../words/normalise.ts';
import { readGoal } from '../words/normalise.ts';
import { ofKind, type Token, type TokenKind } from '../words/token.ts';
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
  if (!isAskedFor(work.steps.slice(count), tokens, input)) return null;
  return { plan: underSameCondition(planFrom(plan.goal, work.steps, plan), plan, words, input) };
}

const nouns = /^(ticket|bug|story|task|epic|note|comment)$/;

/** A change adds a write only where its words name both the act and its target. */
function isAskedFor(steps: readonly DraftStep[], tokens: readonly Token[], input: PlanningInput): boolean {
  const says = (kinds: readonly TokenKind[]): boolean => ofKind(tokens, ...kinds).length > 0;
  const reading = tokens.some(
    (token) => readVerbs.has(token.word) || /^(also|incident|runbook|on-call)$/.test(token.word),
  );
  const writes = steps.filter(({ tool }) => input.catalogue.manifests.get(tool)?.effect === 'write');
  if (writes.length === 0) return reading && tokens.length > 2;
  return writes.every(({ tool }) => {
    if (tool === 'slack.post')
      return says(['channel', 'user']) || tokens.some(({ word }) => word === 'on-call');
    if (tool === 'pagerduty.page') return says(['service']) || tokens.some(({ word }) => word === 'on-call');
    if (tool === 'jira.create') return tokens.some(({ word }) => nouns.test(word));
    return says(['key', 'id', 'number']) || tokens.some(({ word }) => nouns.test(word));
  });
}

/** "also page checkout": under the condition that everything else is under, unless it is to happen anyway. */
function underSameCondition(changed: Plan, plan: Plan, words: string, input: PlanningInput): Plan {
  const isWrite = ({ tool }: Plan['steps'][number]): boolean =>
    input.catalogue.manifests.get(tool)?.effect === 'write';
  const conditions = new Set(plan.steps.filter(isWrite).map(({ when }) => when));
  const [when] = conditions;
  if (
    conditions.size !== 1 ||
    when === undefined ||
    /\b(?:always|anyway|in any case|regardless|either way)\b/i.test(words)
  )
    return changed;
  const like = plan.steps.find((step) => isWrite(step));
  const known = new Set(plan.steps.map(({ id }) => id));
  const steps = changed.steps.map((step) =>
    isWrite(step) && !known.has(step.id) && step.when === undefined
      ? { ...step, when, needs: [...new Set([...step.needs, ...(like?.needs ?? [])])] }
      : step,
  );
  return { ...changed, steps };
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

function asks(question: string): { readonly trouble: Trouble } {
  return { trouble: { kind: 'ask', missing: ['goal'], question, options: [] } };
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
  // With the denials: "not checkout" is about a name.
  const renamed = replaceNames([...plan.steps], reading.tokens, words, input);
  if ('question' in renamed) return asks(renamed.question);
  let steps: Steps = renamed.steps;
  // Where a name was left out, the tool itself stays.
  const narrowed = steps.length < plan.steps.length;
  const gone = narrowed ? new Set<string>() : new Set([...forbidden, ...dropped(tokens, words)]);
  if (named && !steps.some((step) => step.tool === 'slack.post')) {
    const posted = withPost(steps, tokens, /\binstead\b/i.test(words) || gone.has('pagerduty.page'));
    if (!posted) return added({ ...plan, steps: withoutTools(steps, gone) }, tokens, words, input);
    steps = posted;
  }
  steps = withoutTools(steps, gone);
  steps = narrowed ? steps : replaceReceiver(steps, tokens);
  const bounded = replaceThreshold(steps, tokens);
  if (bounded === null)
    return asks('The plan has several limits. Which one is meant? Please say the whole condition.');
  steps = bounded;
  steps = replaceTimes(steps, tokens);
  const worded = replaceText(steps, tokens, words);
  if (worded === null) return asks('The plan says several things. Which text should be replaced?');
  steps = worded;
  if (steps.length === 0) return asks('Nothing would be left of the plan. What should it do instead?');
  if (JSON.stringify(steps) === JSON.stringify(plan.steps)) return added(plan, tokens, words, input);
  return { plan: refreshed(plan, steps) };
}
