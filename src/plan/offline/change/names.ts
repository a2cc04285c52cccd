import { fieldInfo } from '../../../core/fields.ts';
import type { PlanningInput } from '../../../core/planning.ts';
import { isRef } from '../../../core/refs.ts';
import { ofKind, type Token, type TokenKind } from '../words/token.ts';
import type { Steps } from './steps.ts';

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
    [...before].reduce(
      (line, old) =>
        line.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}-])${old}(?![\\p{L}\\p{N}-])`, 'gu'), value),
      text,
    );
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
function linkedServices(
  from: string | undefined,
  to: string,
  input: PlanningInput,
): { from: boolean; to: string } | null {
  const serviceOf = (key: string | undefined) =>
    input.catalogue.projects.find((entry) => entry.key === key)?.service;
  const service = serviceOf(to);
  return service === undefined ? null : { from: serviceOf(from) !== undefined, to: service };
}

function guessed(input: PlanningInput, name: string): boolean {
  return (
    input.change?.plan.inputs.some((entry) => entry.name === name && entry.source === 'default') ?? false
  );
}

export function replaceNames(steps: Steps, tokens: readonly Token[], input: PlanningInput): Steps {
  let changed = steps;
  for (const [tokenKind, kind] of Object.entries(kindOfToken)) {
    const token = ofKind(tokens, tokenKind as TokenKind).at(-1);
    if (!token) continue;
    const before = literals(changed, kind, input);
    if (before.size === 0) continue;
    const linked = kind === 'project' ? linkedServices([...before][0], token.word, input) : null;
    changed = replaceTargets(changed, kind, token.word, input);
    if (linked?.from && guessed(input, 'service'))
      changed = replaceTargets(changed, 'service', linked.to, input);
    if (kind === 'severity' || kind === 'project') changed = replaceInTexts(changed, before, token.word);
  }
  return changed;
}
