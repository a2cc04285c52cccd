import { sayCondition, sayCriterion } from '../../core/condition-words.ts';
import type { Plan, Step } from '../../core/plan.ts';
import { argWords, stepSentence, vocabularyOf } from '../../core/step-words.ts';
import { type Manifests, planViews } from './step-view.ts';

/** The relevant changes from one plan to the next, one line each, in plain words. */
export function diffPlans(before: Plan, after: Plan, manifests: Manifests): string[] {
  const was = { plan: before, words: vocabularyOf(before.steps, manifests) };
  const is = { plan: after, words: vocabularyOf(after.steps, manifests) };
  const old = new Map(before.steps.map((step) => [step.id, step]));
  const fresh = new Set(after.steps.map((step) => step.id));
  const views = planViews(after, manifests);
  const lines = after.steps.flatMap((step, index) => {
    const name = `Step ${index + 1}`;
    const previous = old.get(step.id);
    const view = views[index];
    if (!previous) return [`${name} added: ${view ? view.sentence : stepSentence(step, is.words)}`];
    if (previous.tool !== step.tool) return [`${name} is now: ${stepSentence(step, is.words)}`];
    return stepChanges(previous, step, was.words, is).map((change) => `${name}: ${change}`);
  });
  const removed = before.steps
    .filter((step) => !fresh.has(step.id))
    .map((step) => `Left out: ${stepSentence(step, was.words)}`);
  return [...lines, ...removed, ...orderChange(before, after), ...planChanges(was, is)];
}

type Side = { readonly plan: Plan; readonly words: ReturnType<typeof vocabularyOf> };

function stepChanges(before: Step, after: Step, was: Side['words'], now: Side): string[] {
  const is = now.words;
  const numbers = after.needs.map((need) => now.plan.steps.findIndex((step) => step.id === need) + 1);
  return [
    ...argChanges(before, after, was, is),
    same(before.code, after.code) ? '' : 'its code has changed; the whole plan shows it',
    ...conditionChange(before, after, was, is),
    same(before.verify, after.verify) ? '' : checkChange(before, after),
    ...listChange('criteria', before.success ?? [], after.success ?? [], was, is),
    before.onError === after.onError
      ? ''
      : after.onError === 'continue'
        ? 'if it fails, the rest now continues'
        : 'if it fails, everything now stops',
    before.onSkip === after.onSkip
      ? ''
      : after.onSkip === 'run'
        ? 'now runs even if a step before it was skipped'
        : 'is now skipped with the step before it',
    same(before.needs, after.needs)
      ? ''
      : numbers.length === 0
        ? 'now waits for nothing'
        : `now waits for step ${numbers.join(' and ')}`,
  ].filter(Boolean);
}

function argChanges(before: Step, after: Step, was: Side['words'], is: Side['words']): string[] {
  const old = argWords(before, was);
  const now = argWords(after, is);
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .filter((name) => !same(before.args[name], after.args[name]))
    .map((name) => {
      const label = name.replaceAll('_', ' ');
      if (old[name] === undefined) return `${label} is now ${now[name]}`;
      if (now[name] === undefined) return `${label} ${old[name]} was removed`;
      return `${label} ${old[name]} → ${now[name]}`;
    });
}

function conditionChange(before: Step, after: Step, was: Side['words'], is: Side['words']): string[] {
  if (before.when === after.when) return [];
  if (after.when === undefined) return [`now always; it was only if ${sayCondition(before.when ?? '', was)}`];
  if (before.when === undefined) return [`now only if ${sayCondition(after.when, is)}`];
  return [`only if ${sayCondition(before.when, was)} → only if ${sayCondition(after.when, is)}`];
}

function checkChange({ verify: before }: Step, { verify: after }: Step): string {
  if (after === undefined) return 'is no longer checked afterwards';
  return before === undefined ? 'is now checked afterwards' : 'is checked in another way afterwards';
}

function listChange(
  what: string,
  before: readonly string[],
  after: readonly string[],
  was: Side['words'],
  is: Side['words'],
): string[] {
  const gone = before
    .filter((one) => !after.includes(one))
    .map((one) => `${what}: no longer ${sayCriterion(one, was)}`);
  const come = after
    .filter((one) => !before.includes(one))
    .map((one) => `${what}: now ${sayCriterion(one, is)}`);
  return [...gone, ...come];
}

function orderChange(before: Plan, after: Plan): string[] {
  const kept = (plan: Plan, other: Plan): string[] =>
    plan.steps.map((step) => step.id).filter((id) => other.steps.some((step) => step.id === id));
  return same(kept(before, after), kept(after, before)) ? [] : ['The order of the steps has changed'];
}

function planChanges(was: Side, is: Side): string[] {
  const goal = was.plan.goal === is.plan.goal ? [] : [`Goal: ${is.plan.goal}`];
  return [...goal, ...listChange('At the end', was.plan.success, is.plan.success, was.words, is.words)];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
