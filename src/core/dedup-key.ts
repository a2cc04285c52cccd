import type { ASTNode } from '@marcbachmann/cel-js';
import { canonicalJson, digestOf } from './canonical.ts';
import { children, fieldOf } from './cel.ts';
import { visibleText } from './clean-text.ts';
import { compileCondition } from './condition.ts';
import type { Json } from './json.ts';
import type { Manifest } from './manifest.ts';
import type { ArgValue, Plan, Step } from './plan.ts';
import { isRef, splitRef } from './refs.ts';
import { nounFor, type Vocabulary, vocabularyOf } from './step-words.ts';

/**
 * The problem a write is about. Plans about the same problem share a key, so their writes become one at the vendor.
 * Derived from the plan's literals only, never from results: docs/paging.md has the rule.
 */
export interface Problem {
  readonly step: string;
  /** At most 120 characters. */
  readonly key: string;
  /** For the card: "only a note if an incident about open P1 tickets in OPS is already open". */
  readonly words: string;
}

/** The problem of every write whose manifest declares one. */
export function problemsOf(plan: Pick<Plan, 'steps'>, manifests: ReadonlyMap<string, Manifest>): Problem[] {
  const words = vocabularyOf(plan.steps, manifests);
  return plan.steps.flatMap((step) => {
    const about = manifests.get(step.tool)?.about;
    if (about === undefined) return [];
    const facts = Object.entries(about.same).map(([name, absent]) =>
      canonicalArg(step.args[name] ?? absent, words),
    );
    const measured = step.when === undefined ? null : measuredBy(step.when, words);
    const subject = measured?.canonical ?? ['words', canonicalText(step.args[about.text] ?? '', words)];
    const digest = digestOf([step.tool, facts, subject]).slice(0, 20);
    const [first] = facts;
    const key = `cs-${typeof first === 'string' ? first : 'about'}-${digest}`;
    return [
      {
        step: step.id,
        key,
        words: `if ${about.joins} ${measured === null ? 'with the same words' : `about ${measured.words}`} is already open, it only gets a note`,
      },
    ];
  });
}

/**
 * The measure in a condition, without its bound; null when it measures nothing and the write's words must identify the
 * problem.
 */
function measuredBy(when: string, words: Vocabulary): { canonical: Json; words: string } | null {
  const { ast } = compileCondition(when, words.scope);
  const kept = conjuncts(ast).filter((one) => fieldsIn(one, words).some(({ measures }) => measures));
  if (kept.some((one) => !isMeasured(one, words))) return null;
  const [first, ...rest] = kept;
  if (first === undefined) return null;
  const nouns = kept.flatMap((one) => fieldsIn(one, words)).filter(({ measures }) => measures);
  return {
    canonical: rest.length === 0 ? canonical(first, words) : inAnyOrder('&&', kept, words),
    words: [...new Set(nouns.map(({ ref }) => nounFor(ref, words)))].join(' and '),
  };
}

function conjuncts(node: ASTNode): ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(conjuncts) : [node];
}

/** Every alternative must measure something; one that does not might be the actual problem. */
function isMeasured(node: ASTNode, words: Vocabulary): boolean {
  if (node.op === '||' || node.op === '&&') return node.args.every((one) => isMeasured(one, words));
  return fieldsIn(node, words).some(({ measures }) => measures);
}

interface Field {
  readonly ref: string;
  readonly measures: boolean;
}

function fieldsIn(node: ASTNode, words: Vocabulary): Field[] {
  const at = fieldOf(node);
  if (at === null) return children(node).flatMap((child) => fieldsIn(child, words));
  return [{ ref: at.join('.'), measures: words.scope.get(at[0])?.measures === true }];
}

const above = new Set(['>', '>=']);
const below = new Set(['<', '<=']);

function canonical(node: ASTNode, words: Vocabulary): Json {
  if (node.op === 'value') return typeof node.args === 'bigint' ? Number(node.args) : (node.args as Json);
  const field = fieldOf(node);
  if (field !== null) return canonicalRef(field.join('.'), words);
  if (node.op === '&&' || node.op === '||') return inAnyOrder(node.op, alternatives(node, node.op), words);
  if (above.has(node.op) || below.has(node.op)) return compared(node, words);
  return [node.op, ...children(node).map((child) => canonical(child, words))];
}

function alternatives(node: ASTNode, op: '&&' | '||'): ASTNode[] {
  return node.op === op ? node.args.flatMap((one) => alternatives(one, op)) : [node];
}

function inAnyOrder(op: string, parts: readonly ASTNode[], words: Vocabulary): Json {
  const said = parts.map((one) => canonicalJson(canonical(one, words)));
  return [op, ...[...new Set(said)].sort()];
}

/** `count.total > 20` and `limit.max_open < count.total` both say that the count is above something. */
function compared(node: ASTNode, words: Vocabulary): Json {
  const [left, right] = children(node) as [ASTNode, ASTNode];
  const measures = (side: ASTNode): boolean => fieldsIn(side, words).some((field) => field.measures);
  const isAbove = above.has(node.op);
  if (measures(left) && measures(right)) {
    const [more, less] = isAbove ? [left, right] : [right, left];
    return ['above', canonical(more, words), canonical(less, words)];
  }
  return measures(left)
    ? [isAbove ? 'above' : 'below', canonical(left, words)]
    : [isAbove ? 'below' : 'above', canonical(right, words)];
}

/** The value that is read, independent of the reading step's id. */
function canonicalRef(ref: string, words: Vocabulary): Json {
  const { step: id, path } = splitRef(ref);
  const step = words.steps.get(id);
  return step === undefined ? [ref] : [step.tool, canonicalArgs(step, words), path.join('.')];
}

function canonicalArgs({ args }: Step, words: Vocabulary): Json {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, canonicalArg(value, words)]));
}

function canonicalArg(value: ArgValue, words: Vocabulary): Json {
  if (isRef(value)) return canonicalRef(value.ref, words);
  return Array.isArray(value) ? value.map((part) => canonicalArg(part, words)) : value;
}

/** Words without case, punctuation and spacing; a result among them is identified by what it reads. */
function canonicalText(value: ArgValue, words: Vocabulary): Json {
  if (isRef(value)) return canonicalRef(value.ref, words);
  if (Array.isArray(value)) return value.map((part) => canonicalText(part, words));
  const plain = visibleText(String(value)).normalize('NFKC').toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
