import { fieldInfo } from '../../../core/fields.ts';
import type { PlanningInput } from '../../../core/planning.ts';
import { isRef } from '../../../core/refs.ts';
import type { Token } from '../words/token.ts';
import { kinds, type Scope, scopeOf, withoutTargets } from './scope.ts';
import type { Steps } from './steps.ts';

function manifestOf(input: PlanningInput, tool: string) {
  return input.catalogue.manifests.get(tool);
}

/** Replaces literal arguments of a kind: "use P2" also moves the SLA limit. `old` alone, where one is named. */
function replaceTargets(
  steps: Steps,
  kind: string,
  value: string,
  input: PlanningInput,
  only?: string,
): Steps {
  return steps.map((step) => {
    const shape = manifestOf(input, step.tool)?.args.shape ?? {};
    const args = Object.entries(step.args).map(([name, old]) => {
      const schema = shape[name];
      const same = schema && fieldInfo(schema).target === kind && typeof old === 'string';
      return [name, same && (only === undefined || old === only) ? value : old] as const;
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

const also = /\b(?:also|as well|too|in addition|additionally)\b/i;

/** What a change of names comes to: new steps, or the question that it leaves open. */
export type Renamed = { readonly steps: Steps } | { readonly question: string };

const list = (names: readonly string[]): string => names.join(' and ');

/** One kind of name: replaced where it is clear which, dropped where that is said, else asked about. */
function renameOne(steps: Steps, scope: Scope, kind: string, words: string, input: PlanningInput): Renamed {
  const { before, fresh, gone, only } = scope;
  const [name, other] = fresh;
  if (other !== undefined)
    return {
      question: `Which of ${list(fresh)} should take whose place? Please say the whole request again.`,
    };
  if (name === undefined) {
    const spare = only.length > 0 ? [...before].filter((value) => !only.includes(value)) : gone;
    if (spare.length === 0) return { steps };
    const left = withoutTargets(steps, kind, spare, input);
    if (left === null)
      return { question: `Other steps depend on ${list(spare)}. What should decide instead?` };
    return { steps: left };
  }
  if (before.size > 1 && gone.length !== 1)
    return { question: `The plan has ${list([...before])}. Which of them should become ${name}?` };
  if (also.test(words))
    return { question: `Should ${name} come in addition? Then please say the whole request again.` };
  const linked = kind === 'project' ? linkedServices(gone[0] ?? [...before][0], name, input) : null;
  let changed = replaceTargets(steps, kind, name, input, gone[0]);
  if (linked?.from && guessed(input, 'service'))
    changed = replaceTargets(changed, 'service', linked.to, input);
  if (kind === 'severity' || kind === 'project')
    changed = replaceInTexts(changed, new Set(gone.length > 0 ? gone : before), name);
  return { steps: changed };
}

/** "use P2", "PAY-13 instead of PAY-12", "without WEB-3", "only checkout". */
export function replaceNames(
  steps: Steps,
  tokens: readonly Token[],
  words: string,
  input: PlanningInput,
): Renamed {
  let changed = steps;
  for (const each of kinds) {
    const scope = scopeOf(tokens, each, changed, input);
    // A channel in place of a person, or of a page, is another matter.
    if (scope.before.size === 0) continue;
    const renamed = renameOne(changed, scope, each[1], words, input);
    if ('question' in renamed) return renamed;
    changed = renamed.steps;
  }
  return { steps: changed };
}
