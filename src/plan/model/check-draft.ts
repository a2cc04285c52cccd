import { canonicalJson } from '../../core/canonical.ts';
import type { TargetKind } from '../../core/fields.ts';
import { type Finding, finding } from '../../core/finding.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan, Step } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { asksFor } from '../../core/question-words.ts';
import { refsOf } from '../../core/refs.ts';
import { quotationsIn } from '../quotations.ts';
import { forbidden } from './forbidden-requests.ts';
import { keywordSaid } from './mentions.ts';
import {
  earlierPlan,
  literalTargets,
  madeTargets,
  names,
  originOf,
  type PersonWords,
  personWords,
} from './person-words.ts';
import { tableLines } from './tables.ts';

/** The question for a finding that only the person can settle. */
export type Question = { readonly target: TargetKind } | { readonly confirm: string };
export interface Doubt {
  readonly finding: Finding;
  /** Null where there is nothing to ask: the plan contradicts the request. */
  readonly question: Question | null;
}

/** Kinds whose name must come from the person or the operator before a write may target it. */
const aimed = new Set(['service', 'project', 'issue', 'incident', 'channel', 'user', 'space']);

/**
 * Whether the prompt contained other people's words that may have asked for a write: a message, results, comments of
 * tables, or a quotation in the goal that mentions it. Otherwise all of it is the person's own words.
 */
function isTempted(manifest: Manifest, input: PlanningInput): boolean {
  const { goal, quoted, replan } = input;
  // "How many …", "who …": a question changes nothing.
  if (asksFor(goal) || tableLines(input).length > 0) return true;
  return quoted !== null || replan !== null || keywordSaid(manifest, quotationsIn(goal).join('\n'));
}

function confirmed(input: PlanningInput, tool: string): boolean {
  return input.answers.some(
    ({ missing, answer }) =>
      missing.includes(`confirm:${tool}`) && /^(y|yes|ok|ja|oui|s[ií]|sim)\b/i.test(answer.trim()),
  );
}

/**
 * A write counts as requested if the request has a word for it, its channel or its person, if it continues the plan, or
 * if it was confirmed.
 */
function isAsked(step: Step, manifest: Manifest, person: PersonWords, input: PlanningInput): boolean {
  const addressed = literalTargets(step, input.catalogue).some(
    ({ kind, value }) =>
      (kind === 'channel' || kind === 'user') &&
      names(
        person.said.filter((word) => /^[#@]/.test(word)),
        kind,
        value,
      ),
  );
  return (
    addressed ||
    keywordSaid(manifest, `${person.text} ${person.english}`) ||
    (earlierPlan(input)?.steps ?? []).some((earlier) => earlier.tool === step.tool) ||
    confirmed(input, step.tool)
  );
}

function aimDoubts(step: Step, person: PersonWords): Doubt[] {
  return literalTargets(step, person.catalogue)
    .filter(({ kind, value }) => aimed.has(kind) && originOf(person, kind, value) === null)
    .map(({ arg, kind, value }) => {
      const message =
        `the request does not name the ${kind} "${value}"; quoted texts and results do not count. Use the one ` +
        `that the request names, or clarify with missing ["${kind}"]`;
      return {
        finding: finding('ungrounded_target', step.id, `args.${arg}`, message),
        question: { target: kind },
      };
    });
}

function askDoubts(step: Step, manifest: Manifest, person: PersonWords, input: PlanningInput): Doubt[] {
  if (!isTempted(manifest, input) || isAsked(step, manifest, person, input)) return [];
  const message = `the request does not ask for ${step.tool}; leave it out, or clarify with missing ["confirm:${step.tool}"]`;
  return [{ finding: finding('unasked_write', step.id, 'tool', message), question: { confirm: step.tool } }];
}

/** A write's targets, literal or not, as one comparable text; a target returned by a completed write counts as literal. */
function aimOf(step: Step, input: PlanningInput): string {
  const made = madeTargets(input);
  const targets = [
    ...literalTargets(step, input.catalogue).map(({ arg, value }) => [arg, value]),
    ...refsOf(step).flatMap(({ arg, ref }) =>
      made.filter((one) => one.ref === ref).map(({ value }) => [arg, value]),
    ),
  ];
  const fromResults = refsOf(step).filter(({ arg }) => !targets.some(([name]) => name === arg));
  const shape = input.catalogue.manifests.get(step.tool)?.args.shape ?? {};
  const aims = fromResults.filter(({ arg }) => Object.hasOwn(shape, arg) && aimed.has(arg));
  return canonicalJson([step.tool, targets, aims.map(({ arg, ref }) => [arg, ref])]);
}

/** After a failed run, results have been read: they may not add a write, and completed writes are not repeated. */
function replanFindings(step: Step, input: PlanningInput): Finding[] {
  if (!input.replan) return [];
  const aim = aimOf(step, input);
  const same = input.replan.plan.steps.filter((earlier) => aimOf(earlier, input) === aim);
  if (same.length === 0) {
    return [finding('new_write', step.id, 'tool', 'the plan that failed had no such write; leave it out')];
  }
  const done = new Set(input.replan.done);
  // Among several with the same targets it is unclear which one this is, and one of them may already be made.
  if (!same.some((earlier) => done.has(earlier.id))) return [];
  return [finding('already_done', step.id, 'tool', 'this write was already made; leave it out')];
}

/**
 * Checks what the review cannot know: whether the person asked for a write and for its target. A quoted message, a
 * result or a description may have talked a model into either. Returns all doubts together.
 */
export function guardPlan(plan: Plan, input: PlanningInput): Doubt[] {
  const person = personWords(input);
  return plan.steps.flatMap((step) => {
    const manifest = input.catalogue.manifests.get(step.tool);
    if (manifest?.effect !== 'write') return [];
    const against = [...forbidden(step, manifest, person.text), ...replanFindings(step, input)];
    return [
      ...askDoubts(step, manifest, person, input),
      ...aimDoubts(step, person),
      ...against.map((found) => ({ finding: found, question: null })),
    ];
  });
}
