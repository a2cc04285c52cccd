import { cadenceWords } from '../../core/cadence.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
import { type Code, tidySource } from '../../core/code.ts';
import { type Finding, finding } from '../../core/finding.ts';
import { type ArgValue, type Plan, type PlanDraft, planLimits } from '../../core/plan.ts';
import { isRef } from '../../core/refs.ts';
import type { WirePlan, WireStep } from './answer-schema.ts';

/** Display text on one line with single spaces, truncated with an ellipsis. */
export function plain(text: string, limit: number): string {
  return cut(oneLine(text).replace(/\s+/g, ' '), limit);
}

const template = /\{\{|\$\{|\{[a-z]\w*\.\w+\}/;

function literals(value: ArgValue): string[] {
  return [value].flat().filter((part) => typeof part === 'string');
}

function argFindings(step: WireStep): Finding[] {
  const seen = new Set<string>();
  return step.args.flatMap(({ name, value }) => {
    const found: Finding[] = [];
    if (seen.has(name)) found.push(finding('duplicate_argument', step.id, `args.${name}`, 'is given twice'));
    seen.add(name);
    if (literals(value).some((text) => template.test(text))) {
      const message = 'is a template; write a list of texts and {"ref": "step.field"} instead';
      found.push(finding('template', step.id, `args.${name}`, message));
    }
    return found;
  });
}

/** Steps that a condition reads; they must run first, whether or not the model said so. */
function readBy(when: string | null, ids: ReadonlySet<string>, self: string): string[] {
  const bare = (when ?? '').replace(/"[^"]*"|'[^']*'/g, '');
  const found = [...bare.matchAll(/(?<![\w.])([a-z][a-z0-9_]*)\./g)].map((match) => match[1] ?? '');
  return found.filter((id) => ids.has(id) && id !== self);
}

function args(step: WireStep): Record<string, ArgValue> {
  const given = step.args.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]);
  return Object.fromEntries(given);
}

function codeOf({ id, tool, code }: WireStep, before: Plan | null): { code?: Code } {
  const kept = before?.steps.find((step) => step.id === id && step.tool === tool)?.code;
  if (!code) return kept === undefined ? {} : { code: kept };
  const result = Object.fromEntries(code.result.map(({ name, type }) => [name, type]));
  return { code: { source: tidySource(code.source), result } };
}

function always(when: string | null): boolean {
  return when === null || ['', 'true', 'null'].includes(when.trim());
}

/**
 * The model's plan in our own form. Changes only the form: display text is cleaned and truncated, everything else is
 * left for the review. The goal comes from the request, never from the model. A code step that stands in the plan
 * `before` keeps its source, which the model need not repeat.
 */
export function toDraft(
  wire: WirePlan,
  goal: string,
  before: Plan | null = null,
): { draft: PlanDraft | null; findings: Finding[] } {
  if (wire.steps.length > planLimits.steps) {
    const message = `${wire.steps.length} steps; a plan may have ${planLimits.steps}`;
    return { draft: null, findings: [finding('too_many_steps', null, 'steps', message)] };
  }
  const ids = new Set(wire.steps.map((step) => step.id));
  const steps = wire.steps.map((step) => ({
    id: step.id,
    tool: step.tool,
    why: plain(step.why, 300) || 'Part of the request.',
    args: args(step),
    ...codeOf(step, before),
    needs: [...new Set([...step.needs, ...readBy(step.when, ids, step.id)])],
    ...(step.each ? { each: step.each.trim() } : {}),
    ...(always(step.when) ? {} : { when: (step.when ?? '').trim() }),
    ...(step.success.length > 0 ? { success: step.success.slice(0, 5) } : {}),
    onSkip: step.if_skipped,
  }));
  const draft: PlanDraft = {
    goal,
    summary: plain(wire.summary, 200) || plain(goal, 200),
    assumptions: wire.assumptions
      .map((line) => plain(line, 300))
      .filter(Boolean)
      .slice(0, 10),
    steps,
    success: wire.success.filter((line) => line.trim() !== '').slice(0, 10),
  };
  return { draft, findings: wire.steps.flatMap(argFindings) };
}

function wireCode({ source, result }: Code): WireStep['code'] {
  return { source, result: Object.entries(result).map(([name, type]) => ({ name, type })) };
}

/** A plan in the model's form, for changing or continuing it. */
export function toWire(plan: Pick<PlanDraft, 'summary' | 'steps' | 'watch'>): object {
  return {
    summary: plan.summary,
    steps: plan.steps.map((step) => ({
      id: step.id,
      tool: step.tool,
      args: Object.entries(step.args).map(([name, value]) => ({
        name,
        value: isRef(value) ? { ref: value.ref } : value,
      })),
      needs: step.needs ?? [],
      ...(step.code === undefined ? {} : { code: wireCode(step.code) }),
      when: step.when ?? null,
      each: step.each ?? null,
      if_skipped: step.onSkip ?? 'skip',
    })),
    ...(plan.watch === undefined ? {} : { watched: cadenceWords(plan.watch.every) }),
  };
}
