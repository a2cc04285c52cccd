import type { ASTNode } from '@marcbachmann/cel-js';
import type { FormValues } from '../../blocks/form-values.ts';
import { option, selectInput, textInput } from '../../blocks/inputs.ts';
import type { Block } from '../../blocks/message.ts';
import { celType, fieldOf } from '../../core/cel.ts';
import { ConditionError, compileCondition } from '../../core/condition.ts';
import { planLimits } from '../../core/plan.ts';
import { splitRef } from '../../core/refs.ts';
import { nounFor, type Vocabulary } from '../../core/step-words.ts';

/** A condition simple enough for form fields: `count.total > 20`, `count.total > sla.max_open`. */
export interface Comparison {
  readonly left: string;
  readonly operator: string;
  /** A number, a word, or `step.field`. */
  readonly right: string;
}

const operatorWords: Readonly<Record<string, string>> = {
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  '==': 'is',
  '!=': 'is not',
};
const always = 'always';

export const conditionBlocks = {
  operator: (step: string) => `if:${step}:op`,
  right: (step: string) => `if:${step}:to`,
  source: (step: string) => `if:${step}:cel`,
};

/** The condition as a comparison, or null if it is more complex. */
export function asComparison(source: string, words: Vocabulary): Comparison | null {
  let ast: ASTNode;
  try {
    ast = compileCondition(source, words.scope).ast;
  } catch (error) {
    if (error instanceof ConditionError) return null;
    throw error;
  }
  if (!Object.hasOwn(operatorWords, ast.op) || !Array.isArray(ast.args)) return null;
  const [first, second] = ast.args as [ASTNode, ASTNode];
  const left = fieldOf(first)?.join('.');
  const right = fieldOf(second)?.join('.') ?? literalOf(second);
  return left === undefined || right === null ? null : { left, operator: ast.op, right };
}

function literalOf(node: ASTNode): string | null {
  if (node.op === 'value') return String(node.args);
  return node.op === '-_' && node.args.op === 'value' ? `-${node.args.args}` : null;
}

/** Fields for a condition: operator and right-hand side, or the source of the condition. */
export function conditionFields(step: string, source: string, words: Vocabulary): Block[] {
  const comparison = asComparison(source, words);
  if (comparison === null) {
    return [
      textInput({
        blockId: conditionBlocks.source(step),
        label: 'Only if',
        hint: 'A condition on the results of earlier steps, such as count.total > 20. Leave it empty for always.',
        value: source,
        optional: true,
        max: planLimits.condition,
      }),
    ];
  }
  const { left, operator, right } = comparison;
  const options = [
    ...Object.entries(operatorWords).map(([value, label]) => option(value, label)),
    option(always, 'always, without a condition'),
  ];
  const isField = words.scope.has(splitRef(right).step);
  return [
    selectInput({
      blockId: conditionBlocks.operator(step),
      label: `Only if ${nounFor(left, words)}`,
      options,
      value: operator,
    }),
    textInput({
      blockId: conditionBlocks.right(step),
      label: 'Compared with',
      hint: isField
        ? `${right} is ${nounFor(right, words)}. A number is fine, too.`
        : 'A number, a word, or the result of an earlier step, written as step.field.',
      value: right,
      max: planLimits.condition,
    }),
  ];
}

export type ReadCondition =
  | { readonly ok: true; readonly when: string | undefined; readonly steps: readonly string[] }
  | { readonly ok: false; readonly block: string; readonly message: string };

/** The condition from the fields, checked; undefined when the step no longer has one. */
export function readCondition(
  step: string,
  source: string,
  values: FormValues,
  words: Vocabulary,
): ReadCondition {
  const written = values.get(conditionBlocks.source(step));
  if (written !== undefined) {
    const text = typeof written === 'string' ? written.trim() : '';
    return checked(step, text === '' ? undefined : text, conditionBlocks.source(step), words);
  }
  const operator = values.get(conditionBlocks.operator(step));
  const comparison = asComparison(source, words);
  if (typeof operator !== 'string' || comparison === null) return checked(step, source, 'words', words);
  if (operator === always) return { ok: true, when: undefined, steps: [] };
  const given = values.get(conditionBlocks.right(step));
  const right = typeof given === 'string' ? given.trim() : '';
  if (operator === comparison.operator && right === comparison.right) {
    return checked(step, source, conditionBlocks.right(step), words);
  }
  const operand = celOperand(comparison.left, right, words);
  if (operand === null) {
    return { ok: false, block: conditionBlocks.right(step), message: 'Write a number, or step.field.' };
  }
  return checked(step, `${comparison.left} ${operator} ${operand}`, conditionBlocks.right(step), words);
}

/** Typed text as CEL: a field, a number of the right type, or a quoted word. */
function celOperand(left: string, right: string, words: Vocabulary): string | null {
  const { step, path } = splitRef(right);
  if (path.length === 1 && words.scope.has(step) && /^\w+\.\w+$/.test(right)) return right;
  const place = splitRef(left);
  const schema = words.scope.get(place.step)?.result.shape[place.path[0] ?? ''];
  const type = schema ? celType(schema) : null;
  if (type === 'string') return JSON.stringify(right);
  const number = right.replace(/(?<=\d)[, ](?=\d{3}\b)/g, '');
  if (!/^-?\d+(\.\d+)?$/.test(number)) return null;
  return type === 'double' && /^-?\d+$/.test(number) ? `${number}.0` : number;
}

function checked(step: string, when: string | undefined, block: string, words: Vocabulary): ReadCondition {
  if (when === undefined) return { ok: true, when, steps: [] };
  const scope = new Map([...words.scope].filter(([id]) => id !== step));
  try {
    return { ok: true, when, steps: compileCondition(when, scope).steps };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { ok: false, block, message: `This condition cannot be used: ${error.message}` };
  }
}
