import { z } from 'zod';
import { canonicalJson } from './canonical.ts';
import { cut, oneLine } from './clean-text.ts';
import { type Code, codeField, codeTool } from './code.ts';
import { codeInput } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { ArgWords, Effect, Manifest } from './manifest.ts';
import type { Step } from './plan.ts';

type Manifests = ReadonlyMap<string, Manifest>;

/** Read or write, by the name of a tool. What is not declared is a write. */
export function effectOf(tool: string, manifests: Manifests): Effect {
  return tool === codeTool ? 'read' : (manifests.get(tool)?.effect ?? 'write');
}

/** Whether steps change nothing. */
export const onlyReads = (steps: readonly Pick<Step, 'tool'>[], manifests: Manifests): boolean =>
  steps.every(({ tool }) => effectOf(tool, manifests) === 'read');

/** Whether two steps call one tool with the same arguments. */
export const isSameCall = (one: Pick<Step, 'tool' | 'args'>, other: Pick<Step, 'tool' | 'args'>): boolean =>
  one.tool === other.tool && canonicalJson(one.args) === canonicalJson(other.args);

/** A plan that is looked at again and again is made of the same steps. */
const known = new WeakMap<Step, Manifest>();

/** The declaration of a step: that of its tool, or what a code step declares of itself. */
export function manifestOf(step: Step, manifests: Manifests): Manifest | undefined {
  if (step.tool !== codeTool) return manifests.get(step.tool);
  if (step.code === undefined) return undefined;
  const manifest = known.get(step) ?? codeManifest(step.id, Object.keys(step.args), step.code);
  known.set(step, manifest);
  return manifest;
}

/** Milliseconds from asking to the answer, waiting for a free worker included; the code itself gets far less. */
const timeoutMs = 5_000;

/** The manifest of a code step: its arguments are whatever goes in, its result is what it says. */
export function codeManifest(id: string, args: readonly string[], { result }: Code): Manifest {
  const fields = Object.entries(result);
  const names = fields.map(([name]) => wordOf(name));
  const said = fields.flatMap(([name, type]) => (type.endsWith('text') ? [] : [name]));
  return {
    ...{ name: codeTool, system: codeTool, effect: 'read', keywords: [], exactlyOne: [], inDoubt: 'unknown' },
    purpose: 'decide',
    summary: 'Compute something from earlier results.',
    args: z.strictObject(Object.fromEntries(args.map((name) => [name, codeInput()]))),
    result: z.strictObject(Object.fromEntries(fields.map(([name, type]) => [name, codeField(type)]))),
    // It knows only what goes in, so its result is as confidential as that: see the rule about flows.
    ...{ yields: 'public', accepts: 'restricted', limits: { timeoutMs, attempts: 1 } },
    sentence: (words) => `Compute ${listed(names)} in code from ${listed(inputWords(words))}`,
    nouns: Object.fromEntries(fields.map(([name, type]) => [name, () => nounFor(name, type, id)])),
    outcome: (found) => outcomeOf(found as JsonObject, id, said),
    said,
  };
}

/** A statement for a yes or no, else a value with its article. */
function nounFor(name: string, type: string, id: string): string {
  return type === 'yes/no' ? `${wordOf(name)} of ${id}` : `the ${wordOf(name)} of ${id}`;
}

function inputWords(words: ArgWords): string[] {
  const given = Object.entries(words).map(([name, value]) => `${wordOf(name)} (${value})`);
  return given.length === 0 ? ['nothing'] : given;
}

const maxShown = 120;

/** "worst: key OPS-12, hours 30.5": what came out, under the name of the step; texts are told apart from it. */
function outcomeOf(found: JsonObject, id: string, said: readonly string[]): string {
  const fields = said.map((name) => {
    const value = found[name] ?? '';
    const text = Array.isArray(value) ? value.join(', ') || 'none' : String(value);
    return `${wordOf(name)} ${cut(oneLine(text), maxShown)}`;
  });
  return `${wordOf(id)}: ${fields.join(', ') || 'computed'}`;
}

function wordOf(name: string): string {
  return name.replaceAll('_', ' ');
}

function listed(all: readonly string[]): string {
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ');
}
