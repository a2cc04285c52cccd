import type { Plan } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { fieldInfo } from '../../core/fields.ts';
import { dependenciesOf } from '../../core/graph.ts';
import { isRef, refsOf, splitRef } from '../../core/refs.ts';
import { comparisonIn } from './comparisons.ts';
import { clausesOf } from './clauses.ts';
import { interpret } from './interpret.ts';
import { contentOf, literalText } from './messages.ts';
import { liftNegations } from './negation.ts';
import type { Lexicon } from './normalise.ts';
import { readGoal } from './normalise.ts';
import { namesRead } from './reads.ts';
import { settle } from './settle.ts';
import { planFrom } from './to-plan.ts';
import { lineOf, ofKind, type Token, type TokenKind } from './token.ts';
import { createWork, type Trouble } from './work.ts';

type Steps = Plan['steps'];

/** A changed plan, a question about the change, or null when nothing in the words could be put to use. */
export type Changed = { readonly plan: Plan } | { readonly trouble: Trouble } | null;

const kindOfToken: Partial<Record<TokenKind, string>> = {
  project: 'project',
  priority: 'severity',
  service: 'service',
  key: 'issue',
  id: 'incident',
};

function manifestOf(input: PlanningInput, tool: string) {
  return input.catalogue.manifests.get(tool);
}

/** Replaces literal arguments of a kind everywhere: "use P2" also moves the SLA limit. */
function replaceTargets(steps: Steps, kind: string, value: string, input: PlanningInput): Steps {
  return steps.map((step) => {
    const shape = manifestOf(input, step.tool)?.args.shape ?? {};
    const args = Object.entries(step.args).map(([name, old]) => {
      const schema = shape[name];
      const same = schema && fieldInfo(schema).target === kind && typeof old === 'string';
      return [name, same ? value : old] as const;
    });
    return { ...step, args: Object.fromEntries(args) };
  });
}

/** Texts that speak of what was replaced: "open P1 tickets in OPS" becomes "open P2 tickets in OPS". */
function replaceInTexts(steps: Steps, before: ReadonlySet<string>, value: string): Steps {
  const swap = (text: string): string =>
    [...before].reduce((line, old) => line.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}-])${old}(?![\\p{L}\\p{N}-])`, 'gu'), value), text);
  return steps.map((step) => ({
    ...step,
    args: Object.fromEntries(
      Object.entries(step.args).map(([name, old]) => [
        name,
        Array.isArray(old) ? old.map((part) => (isRef(part) ? part : swap(part))) : old,
      ]),
    ),
  }));
}

function literals(steps: Steps, kind: string, input: PlanningInput): Set<string> {
  const found = new Set<string>();
  for (const step of steps) {
    const shape = manifestOf(input, step.tool)?.args.shape ?? {};
    for (const [name, value] of Object.entries(step.args)) {
      const schema = shape[name];
      if (schema && fieldInfo(schema).target === kind && typeof value === 'string') found.add(value);
    }
  }
  return found;
}

/** The services of the old and the new project, where both have one. */
function linkedServices(from: string | undefined, to: string, input: PlanningInput): { from: boolean; to: string } | null {
  const serviceOf = (key: string | undefined) => input.catalogue.projects.find((entry) => entry.key === key)?.service;
  const service = serviceOf(to);
  return service === undefined ? null : { from: serviceOf(from) !== undefined, to: service };
}

function guessed(input: PlanningInput, name: string): boolean {
  return input.change?.plan.inputs.some((entry) => entry.name === name && entry.source === 'default') ?? false;
}

function replaceNames(steps: Steps, tokens: readonly Token[], input: PlanningInput): Steps {
  let changed = steps;
  for (const [tokenKind, kind] of Object.entries(kindOfToken)) {
    const token = ofKind(tokens, tokenKind as TokenKind).at(-1);
    if (!token) continue;
    const before = literals(changed, kind, input);
    if (before.size === 0) continue;
    const linked = kind === 'project' ? linkedServices([...before][0], token.word, input) : null;
    changed = replaceTargets(changed, kind, token.word, input);
    if (linked && linked.from && guessed(input, 'service')) changed = replaceTargets(changed, 'service', linked.to, input);
    if (kind === 'severity' || kind === 'project') changed = replaceInTexts(changed, before, token.word);
  }
  return changed;
}

/** "post to #ops instead": every post goes there. */
function replaceReceiver(steps: Steps, tokens: readonly Token[]): Steps {
  const channel = ofKind(tokens, 'channel').at(-1)?.word;
  const user = ofKind(tokens, 'user').at(-1)?.word;
  if (channel === undefined && user === undefined) return steps;
  return steps.map((step) => {
    if (step.tool !== 'slack.post') return step;
    const { channel: _channel, user: _user, ...rest } = step.args;
    return { ...step, args: channel === undefined ? { user: user ?? '', ...rest } : { channel, ...rest } };
  });
}

/** "threshold 10", "at least 5": a new right side for every comparison, against a limit as well. */
function replaceThreshold(steps: Steps, tokens: readonly Token[]): Steps {
  const line = lineOf(tokens);
  const asked = comparisonIn(tokens);
  const bound = asked?.bounds[0];
  const number = bound?.value ?? (/\b(threshold|sla|condition|from|to|if|more|count)\b/.test(line) ? ofKind(tokens, 'number').at(-1)?.word : undefined);
  if (number === undefined) return steps;
  const changed = steps.map((step) => {
    if (step.when === undefined) return step;
    const when = step.when.replace(/(>=|<=|==|>|<)\s*(?:\d+|[a-z][a-z0-9_]*\.max_open)/g, (_, op: string) => `${sameSide(op, bound?.op)} ${number}`);
    return { ...step, when };
  });
  return withoutUnused(changed);
}

/** The new operator, turned round for the branch that holds otherwise. */
function sameSide(old: string, wanted: string | undefined): string {
  if (wanted === undefined) return old;
  const up = old.startsWith('>');
  if (wanted.startsWith('>') === up) return wanted;
  const turned: Readonly<Record<string, string>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' };
  return turned[wanted] ?? old;
}

/** Limits that nothing looks at any more are left out. */
function withoutUnused(steps: Steps): Steps {
  const used = (id: string): boolean =>
    steps.some((step) => step.id !== id && (new RegExp(`\\b${id}\\.`).test(step.when ?? '') || refsOf(step).some(({ ref }) => splitRef(ref).step === id)));
  const gone = new Set(steps.filter((step) => step.tool === 'sla.threshold' && !used(step.id) && steps.some((other) => other.needs.includes(step.id))).map((step) => step.id));
  return steps.filter((step) => !gone.has(step.id)).map((step) => ({ ...step, needs: step.needs.filter((need) => !gone.has(need)) }));
}

/** Leaves tools out, with the steps that use their results. */
function withoutTools(steps: Steps, tools: ReadonlySet<string>): Steps {
  const gone = new Set(steps.filter((step) => tools.has(step.tool)).map((step) => step.id));
  for (let size = -1; size !== gone.size; ) {
    size = gone.size;
    for (const step of steps) if (refsOf(step).some(({ ref }) => gone.has(splitRef(ref).step))) gone.add(step.id);
  }
  return steps.filter((step) => !gone.has(step.id)).map((step) => ({ ...step, needs: step.needs.filter((need) => !gone.has(need)) }));
}

const dropping: Readonly<Record<string, readonly string[]>> = {
  page: ['pagerduty.page'],
  post: ['slack.post'],
  comment: ['jira.comment'],
  note: ['pagerduty.note'],
  summary: ['llm.summarize'],
  summarize: ['llm.summarize'],
  runbook: ['runbook.search'],
  'on-call': ['pagerduty.oncall'],
  incident: ['pagerduty.incidents'],
  ticket: ['jira.create'],
  notify: ['slack.post', 'pagerduty.page'],
};

/** "drop the post", "remove the page", "leave out the comment". */
function dropped(tokens: readonly Token[], goal: string): Set<string> {
  if (!/\b(drop|remove|delete|omit|leave out|leave off|cut|no longer|forget|cancel|strip|take out)\b/i.test(goal)) return new Set();
  return new Set(tokens.flatMap((token) => (token.kind === 'word' ? (dropping[token.word] ?? rawTools(token.raw)) : [])));
}

function rawTools(raw: string): readonly string[] {
  return /^(post|message|slack)$/i.test(raw) ? ['slack.post'] : [];
}

function replaceText(steps: Steps, tokens: readonly Token[], words: string): Steps {
  const text = ofKind(tokens, 'quote').length > 0 ? literalText(tokens, words) : null;
  if (text === null) return steps;
  return steps.map((step) => (/^(slack\.post|pagerduty\.(page|note)|jira\.comment)$/.test(step.tool) ? { ...step, args: { ...step.args, text } } : step));
}

function replaceTimes(steps: Steps, tokens: readonly Token[]): Steps {
  const duration = ofKind(tokens, 'duration').at(-1)?.word;
  if (duration === undefined) return steps;
  return steps.map((step) => {
    const name = ['window', 'within'].find((candidate) => step.args[candidate] !== undefined);
    return name === undefined ? step : { ...step, args: { ...step.args, [name]: duration } };
  });
}

/** A post without words of its own says what the plan's first write says, under the same condition. */
function withPost(steps: Steps, tokens: readonly Token[], instead: boolean): Steps | null {
  const like = steps.find((step) => step.args.text !== undefined && /^(pagerduty\.page|jira\.comment|slack\.post)$/.test(step.tool));
  const verbs = tokens.some((token) => token.kind === 'word' && /^(post|tell|notify|also|add|let)$/.test(token.word));
  const text = like?.args.text;
  if (!like || text === undefined || !verbs || contentOf(withoutNames(tokens)).length > 0) return null;
  const channel = ofKind(tokens, 'channel').at(-1)?.word;
  const target = channel === undefined ? { user: ofKind(tokens, 'user').at(-1)?.word ?? '' } : { channel };
  const id = freeId(steps, 'post');
  const post = { ...like, id, tool: 'slack.post', why: 'Asked for in a change.', args: { ...target, text } };
  return instead && like.tool === 'pagerduty.page' ? steps.map((step) => (step === like ? post : step)) : [...steps, post];
}

function withoutNames(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => !/^(priority|project|service|number|duration)$/.test(token.kind) && !/^(run|instead|move|make|threshold|please)$/.test(token.word));
}

function freeId(steps: Steps, name: string): string {
  let id = name;
  for (let number = 2; steps.some((step) => step.id === id); number += 1) id = `${name}_${number}`;
  return id;
}

/** Asks for something more: "also post to #ops", "add a comment on OPS-3 …", "and page search". */
const adding = /^\s*(?:please\s+)?(?:also|add|and|additionally|plus|then|afterwards)\b/i;

function added(plan: Plan, tokens: readonly Token[], words: string, input: PlanningInput): Changed {
  const work = createWork(words, input.catalogue, new Set());
  const kept = new Map<string, (typeof work.steps)[number]>();
  for (const step of plan.steps) {
    const draft = { tool: step.tool, args: literalArgs(step), needs: new Set<(typeof work.steps)[number]>(), when: null, why: step.why, kept: { id: step.id, when: step.when ?? null, step } };
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
  const plain = Object.entries(step.args).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
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
    const more = added(plan, reading.tokens.filter((token, index) => index > 0 || !/^(add|also|and|then)$/.test(token.word) || /^(comment|note)$/.test(reading.tokens[index + 2]?.word ?? '')), words, input);
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
  if (steps.length === 0) return { trouble: { kind: 'ask', missing: ['goal'], question: 'Nothing would be left of the plan. What should it do instead?' } };
  if (JSON.stringify(steps) === JSON.stringify(plan.steps)) return added(plan, tokens, words, input);
  return { plan: refreshed(plan, steps) };
}
