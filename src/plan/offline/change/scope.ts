import { fieldInfo } from '../../../core/fields.ts';
import type { PlanningInput } from '../../../core/planning.ts';
import { refsOf, splitRef } from '../../../core/refs.ts';
import { ofKind, type Token, type TokenKind } from '../words/token.ts';
import type { Steps } from './steps.ts';

/** Kinds of names in a change, and what they are in the arguments of a step. */
export const kinds: readonly (readonly [TokenKind, string])[] = [
  ['project', 'project'],
  ['priority', 'severity'],
  ['service', 'service'],
  ['key', 'issue'],
  ['id', 'incident'],
  ['channel', 'channel'],
  ['user', 'user'],
];

/** What a change says of one kind of name. */
export interface Scope {
  /** Values of the plan. */
  readonly before: ReadonlySet<string>;
  /** Names that the plan does not have yet. */
  readonly fresh: readonly string[];
  /** Names of the plan that shall go. */
  readonly gone: readonly string[];
  /** Names of the plan that are kept alone: "only checkout". */
  readonly only: readonly string[];
}

const leaving =
  /^(?:not|no|without|drop|dropping|remove|forget|skip|except|leave|minus|nor|instead of|rather than|but not|don't|do not|leave out)\b|\binstead of$/i;

/** "without WEB-3", "not ops", "instead of PAY-12": a name that shall go. */
function isGone(tokens: readonly Token[], token: Token): boolean {
  const at = tokens.indexOf(token);
  const near = tokens.slice(Math.max(0, at - 3), at);
  return near.some(
    (other, index) =>
      (other.kind === 'word' && (leaving.test(other.raw) || /^(do-not|except|not|none)$/.test(other.word))) ||
      (/^instead$/i.test(other.raw) && near[index + 1]?.word === 'of'),
  );
}

/** Values of the plan that are of a kind. */
export function valuesOf(steps: Steps, kind: string, input: PlanningInput): Set<string> {
  const found = new Set<string>();
  for (const step of steps)
    for (const [name, value] of Object.entries(step.args))
      if (kindOf(step.tool, name, input) === kind && typeof value === 'string') found.add(value);
  return found;
}

export function kindOf(tool: string, name: string, input: PlanningInput): string | undefined {
  const schema = input.catalogue.manifests.get(tool)?.args.shape?.[name];
  return schema ? fieldInfo(schema).target : undefined;
}

export function scopeOf(
  tokens: readonly Token[],
  [tokenKind, kind]: readonly [TokenKind, string],
  steps: Steps,
  input: PlanningInput,
): Scope {
  const before = valuesOf(steps, kind, input);
  const same = (token: Token): string | undefined =>
    [...before].find((value) => value.toLowerCase() === settled(token.word, kind, input).toLowerCase());
  const named = ofKind(tokens, tokenKind);
  const gone = named.filter((token) => isGone(tokens, token)).flatMap((token) => same(token) ?? []);
  const kept = named.filter((token) => !isGone(tokens, token));
  const alone = tokens.some((token) => /^(?:only|just)$/i.test(token.raw) || token.word === 'only');
  return {
    before,
    gone,
    fresh: [...new Set(kept.filter((token) => same(token) === undefined).map((token) => token.word))],
    only: alone ? kept.flatMap((token) => same(token) ?? []) : [],
  };
}

/** A nickname is the service of the project that goes by it. */
function settled(word: string, kind: string, { catalogue }: PlanningInput): string {
  if (kind !== 'service' || catalogue.services.some(({ name }) => name === word)) return word;
  const home = catalogue.projects.find(({ aliases }) =>
    aliases.some((alias) => alias === word.toLowerCase()),
  );
  return home?.service ?? word;
}

/** Leaves out the steps that are aimed at these names; null when what is left would hang on them. */
export function withoutTargets(
  steps: Steps,
  kind: string,
  names: readonly string[],
  input: PlanningInput,
): Steps | null {
  const aimed = (step: Steps[number]): boolean =>
    Object.entries(step.args).some(
      ([name, value]) => kindOf(step.tool, name, input) === kind && names.includes(String(value)),
    );
  const gone = new Set(steps.filter(aimed).map(({ id }) => id));
  const left = steps.filter(({ id }) => !gone.has(id));
  const hangs = left.some(
    (step) =>
      refsOf(step).some(({ ref }) => gone.has(splitRef(ref).step)) ||
      [...gone].some((id) => new RegExp(`\\b${id}\\.`).test(step.when ?? '')),
  );
  if (hangs) return null;
  return left.map((step) => ({ ...step, needs: step.needs.filter((need) => !gone.has(need)) }));
}
