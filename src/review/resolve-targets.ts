import type { Problem } from '../core/dedup-key.ts';
import { ArgumentNeeded, ArgumentRefused, describeError } from '../core/errors.ts';
import { fieldInfo } from '../core/fields.ts';
import type { JsonObject } from '../core/json.ts';
import type { Plan, Step } from '../core/plan.ts';
import type { Readers } from '../core/ports.ts';
import { isRef } from '../core/refs.ts';
import type { ReadContext, Resolved, ResolvedTarget, TargetContext, WriteTool } from '../core/tool.ts';

/** Write tools by name. */
export type WriteTools = ReadonlyMap<string, WriteTool>;

function literalArgs(step: Step): JsonObject {
  const literal = Object.entries(step.args).filter(([, value]) => !isRef(value) && !Array.isArray(value));
  return Object.fromEntries(literal) as JsonObject;
}

/**
 * Targets that could not be looked up are marked as such, with the reason once; their names are approved, but not who
 * is behind them.
 */
function unresolved(step: Step, tool: WriteTool, error: unknown): ResolvedTarget[] {
  const targets = Object.entries(literalArgs(step)).flatMap(([arg, value]) => {
    const schema = tool.manifest.args.shape[arg];
    const kind = schema ? fieldInfo(schema).target : undefined;
    if (kind === undefined || kind === 'severity' || typeof value !== 'string') return [];
    return [{ step: step.id, arg, kind, value, label: value, identity: '' }];
  });
  const { message } = describeError(error);
  const last =
    error instanceof ArgumentRefused
      ? { label: `(${message.replace(/\.$/, '')})`, instead: { code: 'cannot_work', message } as const }
      : { label: `(could not be looked up: ${message.replace(/\.$/, '')})` };
  return targets.map((target, index) =>
    index === targets.length - 1 ? { ...target, ...last, label: `${target.value} ${last.label}` } : target,
  );
}

/** Resolves the current targets of every write, with reads only; all steps at once. */
export async function resolveTargets(
  plan: Plan,
  problems: readonly Problem[],
  tools: WriteTools,
  { readers, ...rest }: ReadContext,
): Promise<Resolved> {
  const context = { ...rest, readers: sharedReads(readers) };
  const needs: Resolved['needs'][number][] = [];
  const found = await Promise.all(
    plan.steps.map(async (step): Promise<ResolvedTarget[]> => {
      const tool = tools.get(step.tool);
      if (!tool) return [];
      const problem = problems.find((one) => one.step === step.id) ?? null;
      try {
        const args = literalArgs(step);
        const [targets, about] = await Promise.all([
          tool.resolve(args, { ...context, problem }),
          aboutOf(tool, args, { ...context, problem }),
        ]);
        return targets.map((target, index) => ({
          step: step.id,
          ...target,
          ...(index === 0 ? about : {}),
        }));
      } catch (error) {
        if (error instanceof ArgumentNeeded) needs.push({ ...error.need, step: step.id });
        return unresolved(step, tool, error);
      }
    }),
  );
  return { targets: found.flat(), needs };
}

/** Good to know and no more: where it cannot be read, the card goes without. */
async function aboutOf(
  tool: WriteTool,
  args: JsonObject,
  context: TargetContext,
): Promise<Pick<ResolvedTarget, 'about' | 'handle'>> {
  try {
    return (await tool.about?.(args, context)) ?? {};
  } catch {
    return {};
  }
}

/**
 * Readers that ask a vendor only once for repeated calls while one card is made, never longer. Calls are equal when
 * their arguments are, whatever their signals.
 */
function sharedReads(readers: Readers): Readers {
  const answers = new Map<string, unknown>();
  const ports = Object.entries(readers).map(([name, port]) => [name, shared(port, `${name}.`, answers)]);
  return Object.fromEntries(ports) as unknown as Readers;
}

function shared(port: object, prefix: string, answers: Map<string, unknown>): object {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...args: unknown[]): unknown => {
        const what = args.filter((arg) => !(arg instanceof AbortSignal));
        const key = `${prefix}${name}${JSON.stringify(what)}`;
        if (!answers.has(key)) answers.set(key, value.apply(target, args));
        return answers.get(key);
      };
    },
  });
}
