import type { ASTNode } from '@marcbachmann/cel-js';
import { celType, fieldOf } from './cel.ts';
import { boundWords, countWords, statementWords } from './comparison-words.ts';
import { ConditionError, compileCondition, sentenceOf } from './condition.ts';
import { own } from './own-property.ts';
import type { ArgValue } from './plan.ts';
import { isRef, lookUp, splitRef } from './refs.ts';
import { argText, capital, nounFor, type Vocabulary, wordsFor } from './step-words.ts';

const operators: Record<string, string> = {
  '==': 'is',
  '!=': 'is not',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  '+': '+',
  '-': '−',
  '*': '×',
  in: 'is one of',
};

interface Field {
  readonly noun: string;
  /** Its value, if known. */
  readonly value: string | undefined;
  /** The form of its noun: the plural of a count, a statement, or the name of a value. */
  readonly kind: 'count' | 'statement' | 'value';
}

function fieldAt(node: ASTNode, words: Vocabulary): Field | null {
  const at = fieldOf(node);
  if (at === null) return null;
  const [step, field] = at;
  const ref = `${step}.${field}`;
  const noun = nounFor(ref, words);
  const value = lookUp(words.results?.get(step), [field]);
  return {
    noun,
    value: value === undefined || typeof value === 'object' ? undefined : String(value),
    kind: kindOf(ref, noun, words),
  };
}

function kindOf(ref: string, noun: string, words: Vocabulary): Field['kind'] {
  const { step, path } = splitRef(ref);
  const schema = words.scope.get(step)?.result.shape[path[0] ?? ''];
  const type = schema === undefined ? null : celType(schema);
  if (type === 'bool') return 'statement';
  return type === 'int' && noun !== ref && !noun.startsWith('the ') ? 'count' : 'value';
}

/** The single result a text consists of, with or without its name in front; null where it says anything else. */
export function soleResult(text: ArgValue | undefined, words: Vocabulary): string | null {
  const parts = [text ?? []].flat();
  const last = parts.at(-1);
  if (last === undefined || !isRef(last) || parts.length > 2) return null;
  const noun = nounFor(last.ref, words);
  if (parts.length === 2 && parts[0] !== `${capital(noun)}: `) return null;
  return kindOf(last.ref, noun, words) === 'count' ? `the number of ${noun}` : noun;
}

function nounAndValue({ noun, value }: Field, { bare }: Vocabulary): string {
  if (value === undefined) return noun;
  return bare ? value : `${noun} (${value})`;
}

/** A statement as the condition words it; with values only, as it turned out. */
function statement({ noun, value }: Field, holds: boolean, { bare }: Vocabulary): string {
  if (bare && value !== undefined) return statementWords(noun, value === 'true');
  const shown = value === undefined || value === String(holds) ? '' : ` (${value})`;
  return statementWords(noun, holds) + shown;
}

/** The manifest's words for a field's value: "OPS-1 has breached its SLA". */
function saysOf(node: ASTNode, value: string, words: Vocabulary): string | null {
  const at = fieldOf(node);
  if (at === null) return null;
  const [id, field] = at;
  const step = words.steps.get(id);
  const says = own(words.scope.get(id)?.says ?? {}, field);
  return step && says
    ? says(
        wordsFor(step, (one) => argText(one)),
        value,
      )
    : null;
}

/** That a field has a value, or does not; with values only, its actual value. */
function stated(left: ASTNode, op: string, bound: string, words: Vocabulary): string | null {
  if (op !== '==' && op !== '!=') return null;
  const value = fieldAt(left, words)?.value;
  if (words.bare && value !== undefined) return saysOf(left, value, words);
  const noun = saysOf(left, bound, words);
  return noun === null ? null : statementWords(noun, op === '==');
}

/** True for a comparison that a manifest turns into a statement. */
export function isStatement({ op, args }: ASTNode, words: Vocabulary): boolean {
  if (op !== '==' && op !== '!=') return false;
  const [left, right] = args;
  return right.op === 'value' && typeof right.args === 'string' && saysOf(left, right.args, words) !== null;
}

/** Conditions that read well without an operator: counts and statements; null for anything else. */
function saidPlainly(node: ASTNode, words: Vocabulary): string | null {
  const alone = fieldAt(node, words);
  if (alone?.kind === 'statement') return statement(alone, true, words);
  if (!Object.hasOwn(opposites, node.op)) return null;
  const [left, right] = node.args as [ASTNode, ASTNode];
  const field = fieldAt(left, words);
  const bound = right.op === 'value' ? right.args : null;
  if (field?.kind === 'statement' && typeof bound === 'boolean')
    return ['==', '!='].includes(node.op) ? statement(field, bound === (node.op === '=='), words) : null;
  const said = typeof bound === 'string' ? stated(left, node.op, bound, words) : null;
  if (said !== null) return said;
  const isNumber = typeof bound === 'bigint' || typeof bound === 'number';
  if (field === null || !isNumber || words.bare) return null;
  if (field.kind !== 'count') return boundWords(nounAndValue(field, words), node.op, String(bound));
  return countWords(field.noun, node.op, Number(bound), field.value);
}

/** Nested arithmetic and comparisons keep their brackets: without them two conditions could read the same. */
function operand(node: ASTNode, words: Vocabulary): string {
  const said = node.op === '.' ? saidWithOperators(node, words) : say(node, words);
  return node.op === '&&' || Object.hasOwn(operators, node.op) ? `(${said})` : said;
}

function say(node: ASTNode, words: Vocabulary): string {
  const plain = undenied(node, words);
  return saidPlainly(plain, words) ?? saidWithOperators(plain, words);
}

function saidWithOperators(node: ASTNode, words: Vocabulary): string {
  // Quoted as data, so that a word with quotation marks in it cannot pass as part of the condition.
  if (node.op === 'value')
    return typeof node.args === 'string' ? JSON.stringify(node.args) : String(node.args);
  if (node.op === 'id') return node.args;
  if (node.op === '.') {
    const field = fieldAt(node, words);
    return field === null ? node.args[1] : nounAndValue(field, words);
  }
  if (node.op === '&&') return `${say(node.args[0], words)} and ${say(node.args[1], words)}`;
  if (node.op === '||') return `(${say(node.args[0], words)} or ${say(node.args[1], words)})`;
  if (node.op === '!_')
    return memberWords(node.args, words, 'is not among') ?? `not (${say(node.args, words)})`;
  if (node.op === '-_') return `−${operand(node.args, words)}`;
  if (node.op === 'call') return `the number of ${node.args[1].map((arg) => say(arg, words)).join(', ')}`;
  if (node.op === 'list') return node.args.map((item) => say(item, words)).join(', ');
  const word = operators[node.op];
  if (word !== undefined && Array.isArray(node.args)) {
    const [left, right] = node.args as [ASTNode, ASTNode];
    return memberWords(node, words, 'is among') ?? `${operand(left, words)} ${word} ${operand(right, words)}`;
  }
  return node.op;
}

/** "OPS-3 is among the open P1 tickets in OPS"; null for any other condition. */
export function memberWords({ op, args }: ASTNode, words: Vocabulary, is: string): string | null {
  if (op !== 'in') return null;
  const [left, right] = args as [ASTNode, ASTNode];
  const entry = left.op === 'value' && typeof left.args === 'string' ? left.args : null;
  const list = fieldAt(right, words);
  if (entry === null || list === null) return null;
  // Quoted unless it is one plain word, so that it cannot pass as part of the condition.
  const name = /^[\w.-]+$/.test(entry) ? entry : JSON.stringify(entry);
  return `${name} ${is} ${words.bare ? 'them' : list.noun}`;
}

/** "PAY-12 is not done": a negated condition as its opposite, where that has words. */
function undenied(node: ASTNode, words: Vocabulary): ASTNode {
  if (node.op !== '!_') return node;
  if (fieldAt(node.args, words)?.kind === 'statement') return { op: '==', args: [node.args, no] } as ASTNode;
  const denied = opposite(node.args);
  return denied.op === '!_' && denied.args === node.args ? node : undenied(denied, words);
}

/** A whole condition needs no outer brackets. */
function sayWhole(ast: ASTNode, words: Vocabulary): string {
  const said = say(ast, words);
  return undenied(ast, words).op === '||' ? said.slice(1, -1) : said;
}

/** A condition in plain words: "open P1 tickets in OPS > the SLA limit for P1 in OPS". */
export function conditionWords(source: string, words: Vocabulary): string {
  return sayWhole(compileCondition(source, words.scope).ast, words);
}

/** A condition with values in place of field names: "24 > 20". */
export function conditionValues(source: string, words: Vocabulary): string {
  return sayWhole(compileCondition(source, words.scope).ast, { ...words, bare: true });
}

/** Like `conditionWords`, but shows the source of a condition that no longer compiles. */
export function sayCondition(source: string, words: Vocabulary): string {
  try {
    return conditionWords(source, words);
  } catch (error) {
    if (error instanceof ConditionError) return source;
    throw error;
  }
}

/** The opposite of a condition: "open P1 tickets in OPS ≤ the SLA limit for P1 in OPS". */
export function sayOpposite(source: string, words: Vocabulary): string {
  return sayWhole(opposite(compileCondition(source, words.scope).ast), words);
}

const no = { op: 'value', args: false };
const opposites = { '==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

function opposite(node: ASTNode): ASTNode {
  if (node.op === '!_') return node.args;
  if (node.op === '&&' || node.op === '||') {
    const args = node.args.map(opposite);
    return { op: node.op === '&&' ? '||' : '&&', args } as ASTNode;
  }
  const op = own(opposites, node.op);
  return (op === undefined ? { op: '!_', args: node } : { op, args: node.args }) as ASTNode;
}

/** A success criterion: a condition, or a sentence. */
export function sayCriterion(source: string, words: Vocabulary): string {
  return sentenceOf(source) ?? sayCondition(source, words);
}
