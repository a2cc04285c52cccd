import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { celContext, celName, celType, children, fieldOf, fieldsFor, withStepNames } from './cel.ts';
import { CountersignError } from './errors.ts';
import type { Manifest } from './manifest.ts';
import { own } from './own-property.ts';
import { planLimits } from './plan.ts';
import type { Results } from './refs.ts';
import { renameCel } from './rename.ts';

/** Manifests of the steps that a condition may name, by step id. */
export type Scope = ReadonlyMap<string, Manifest>;

export class ConditionError extends CountersignError {}

/** A condition that parsed, is of type bool and names only steps in scope. */
export interface Condition {
  readonly source: string;
  /** Steps it reads, each once. */
  readonly steps: readonly string[];
  readonly ast: ASTNode;
  /** Throws a ConditionError when a step has no result or evaluation fails; never guesses. */
  holds(results: Results): boolean;
}

const inWords = 'words:';

/** The text of a criterion written for people, marked `words:`; null for one in CEL. */
export function sentenceOf(criterion: string): string | null {
  return criterion.startsWith(inWords) ? criterion.slice(inWords.length).trim() : null;
}

/** Operators a condition may use. No macros, no `matches`, no division: the rest is total and cheap. */
const allowed = new Set<string>([
  'value',
  'id',
  '.',
  'list',
  '&&',
  '||',
  '!_',
  '-_',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  '+',
  '-',
  '*',
]);
const celLimits = {
  maxAstNodes: 80,
  maxDepth: 12,
  maxListElements: 20,
  maxMapEntries: 0,
  maxCallArguments: 1,
};

function guard(node: ASTNode): void {
  const isSize = node.op === 'call' && node.args[0] === 'size';
  if (!isSize && !allowed.has(node.op)) {
    const what = node.op === 'call' ? node.args[0] : node.op === 'rcall' ? node.args[0] : node.op;
    throw new ConditionError('condition_operator', `"${what}" is not allowed in a condition`);
  }
  children(node).forEach(guard);
}

function idsIn(node: ASTNode): string[] {
  return node.op === 'id' ? [node.args] : children(node).flatMap(idsIn);
}

function fieldsIn(node: ASTNode): (readonly [step: string, field: string])[] {
  const field = fieldOf(node);
  return field === null ? children(node).flatMap(fieldsIn) : [field];
}

function rejectFreeText(ast: ASTNode, scope: Scope): void {
  for (const [step, name] of fieldsIn(ast)) {
    const field = scope.get(step)?.result.shape[name];
    if (field && celType(field) === null)
      throw new ConditionError(
        'condition_free_text',
        `${step}.${name} is free text and cannot decide anything`,
      );
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

function parse(source: string, scope: Scope): { evaluate: (context: object) => unknown; ast: ASTNode } {
  const environment = new Environment({ limits: celLimits });
  try {
    const renames = new Map([...scope.keys()].map((id) => [id, celName(id)]));
    const parsed = environment.parse(renameCel(source, renames));
    const ast = withStepNames(parsed.ast);
    for (const id of new Set(idsIn(ast))) {
      const manifest = scope.get(id);
      if (manifest !== undefined)
        environment.registerVariable({ name: celName(id), schema: fieldsFor(manifest) });
    }
    rejectFreeText(ast, scope);
    const checked = parsed.check();
    if (!checked.valid) throw checked.error;
    if (checked.type !== 'bool') {
      throw new ConditionError('condition_type', `must be true or false, but is of type ${checked.type}`);
    }
    return { evaluate: parsed, ast };
  } catch (error) {
    if (error instanceof ConditionError) throw error;
    throw new ConditionError('condition_invalid', firstLine(error), {}, error);
  }
}

/**
 * Compiled conditions by source: the same plan's conditions are needed from review to card. A compiled condition
 * depends only on its source and the manifests of the steps it reads. The oldest are evicted.
 */
const compiled = new Map<string, { condition: Condition; scope: Scope }>();
const maxCompiled = 200;

/** Parses and type-checks a CEL condition against the declared results of the steps in scope. */
export function compileCondition(source: string, scope: Scope): Condition {
  const known = compiled.get(source);
  if (known?.condition.steps.every((id) => scope.get(id) === known.scope.get(id))) return known.condition;
  const condition = compile(source, scope);
  compiled.delete(source);
  for (const oldest of compiled.keys()) {
    if (compiled.size < maxCompiled) break;
    compiled.delete(oldest);
  }
  const read = new Map([...scope].filter(([id]) => condition.steps.includes(id)));
  compiled.set(source, { condition, scope: read });
  return condition;
}

function compile(source: string, scope: Scope): Condition {
  if (source.length > planLimits.condition) {
    throw new ConditionError('condition_size', `is longer than ${planLimits.condition} characters`);
  }
  const { evaluate, ast } = parse(source, scope);
  guard(ast);
  const reads = { steps: [...new Set(idsIn(ast))], fields: fieldsIn(ast), scope };
  return { source, ast, steps: reads.steps, holds: (results) => holds(evaluate, reads, results) };
}

interface Reads {
  readonly steps: readonly string[];
  readonly fields: readonly (readonly [step: string, field: string])[];
  readonly scope: Scope;
}

function holds(
  evaluate: (context: object) => unknown,
  { steps, fields, scope }: Reads,
  results: Results,
): boolean {
  const context: Record<string, Record<string, unknown>> = {};
  for (const id of steps) {
    const manifest = scope.get(id);
    const result = results.get(id);
    if (!manifest || !result)
      throw new ConditionError('condition_no_result', `step ${id} has no result`, { step: id });
    context[celName(id)] = celContext(manifest, result);
  }
  try {
    const value = evaluate(context);
    if (typeof value === 'boolean') return value;
  } catch (error) {
    const [missing] = fields.filter(([id, field]) => own(context[id] ?? {}, field) === undefined);
    if (missing !== undefined)
      throw new ConditionError(
        'condition_no_value',
        `${missing.join('.')} has no value`,
        { ref: missing.join('.') },
        error,
      );
    throw new ConditionError('condition_failed', firstLine(error), {}, error);
  }
  throw new ConditionError('condition_failed', 'the condition is neither true nor false');
}

/** Steps that a condition or criterion reads; none when it is a sentence or does not compile. */
export function stepsReadBy(source: string, scope: Scope): readonly string[] {
  try {
    return sentenceOf(source) === null ? compileCondition(source, scope).steps : [];
  } catch (error) {
    if (error instanceof ConditionError) return [];
    throw error;
  }
}
