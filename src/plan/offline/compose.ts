import { aim, isForAsker } from './aim.ts';
import type { Clause } from './clause.ts';
import { conditionOf } from './decide.ts';
import { both, type Condition, contradicts, type DraftStep, opposed, sourcesOf } from './draft.ts';
import type { Text } from './frame.ts';
import { range } from './heard.ts';
import {
  addReads,
  combinations,
  createMemory,
  type Given,
  type Memory,
  type Need,
  need,
  noteFrame,
  settled,
  stepFor,
  turnInto,
  twinOf,
} from './memory.ts';
import { makesOfResults } from './reads.ts';
import { isRuledOut, sameCondition } from './ruled-out.ts';
import type { Reading } from './search.ts';
import { textArgOf } from './takes.ts';
import { contentOf, isAgain, putText, summarizeAlso, wordlessIn } from './texts.ts';

/** A reading put together: steps with their conditions, and what has to be asked before they are a plan. */
export interface Composed {
  readonly steps: readonly DraftStep[];
  readonly needs: readonly Need[];
  /** Tokens that no step carries. */
  readonly left: readonly number[];
  readonly assumptions: readonly string[];
  /** Steps whose text nobody said, with the argument it belongs in: it is made of the facts of the plan. */
  readonly wordless: ReadonlyMap<DraftStep, string>;
  readonly score: number;
}

type Of<Kind extends Clause['kind']> = Extract<Clause, { kind: Kind }>;

const has = ({ lead }: Clause, ...words: readonly string[]): boolean => words.some((word) => lead.has(word));
const hangs = (clause: Clause): boolean => has(clause, 'if', 'unless');

/** Goes through the clauses of one reading. */
class Composer {
  private readonly memory: Memory;
  private readonly clauses: readonly Clause[];
  private readonly left: number[] = [];
  private readonly forbidden = new Set<string>();
  /** Orders of this sentence that have no condition yet. */
  private open: DraftStep[] = [];
  private lastCondition: Condition | null = null;

  constructor(text: Text, given: Given, clauses: readonly Clause[]) {
    this.memory = createMemory(text, given);
    this.clauses = clauses;
  }

  run(score: number): Composed {
    this.clauses.forEach((clause, index) => {
      if (this.startsSentence(clause)) this.newSentence(clause);
      this.take(clause, index);
    });
    const { steps, assumptions, remark, needs } = this.memory;
    if (remark !== null) this.left.push(...remark.tokens);
    const wordless = wordlessIn(this.memory);
    this.dropNamed();
    this.check();
    const found = score - 1.6 * needs.length - 2 * this.left.length;
    return {
      steps,
      needs,
      left: [...this.left, ...this.clauses.flatMap(({ left }) => left)],
      assumptions,
      wordless,
      score: found,
    };
  }

  private markBefore({ from }: Clause): string {
    const before = this.memory.text.tokens[from - 1];
    return before?.kind === 'mark' ? before.raw : '';
  }

  private startsSentence(clause: Clause): boolean {
    return /^[.;!]$/u.test(this.markBefore(clause));
  }

  private newSentence(clause: Clause): void {
    this.open = [];
    const goesOn =
      has(clause, 'and', 'then', 'but', 'else', 'so') || clause.kind === 'mark' || clause.kind === 'empty';
    if (!goesOn) this.memory.condition = null;
  }

  private take(clause: Clause, index: number): void {
    if (clause.kind !== 'condition' && has(clause, 'else') && clause.kind !== 'empty')
      this.memory.condition = this.otherwise();
    else if (clause.kind === 'mark' || (clause.kind === 'order' && has(clause, 'so')))
      this.memory.condition = this.lastCondition ?? this.implied();
    if (clause.kind === 'condition') this.takeCondition(clause, index);
    else if (clause.kind === 'read') this.takeRead(clause, index);
    else if (clause.kind === 'order') this.takeOrder(clause);
    else if (clause.kind === 'remark') this.takeRemark(clause);
    else if (clause.kind === 'topic') this.takeTopic(clause);
    else if (clause.kind === 'forbid' && !has(clause, 'else')) this.takeForbid(clause, index);
  }

  /** What is ruled out under the condition of an order contradicts it; elsewhere it leaves something undone. */
  private takeForbid({ tools }: Of<'forbid'>, index: number): void {
    const { memory } = this;
    if (!this.isConditional(index)) for (const tool of tools) this.forbidden.add(tool);
    else if (
      memory.steps.some(
        ({ tool, when }) => tools.includes(tool.name) && sameCondition(when, memory.condition),
      )
    )
      need(memory, 'conflict', 'goal');
  }

  private takeRead(clause: Of<'read'>, index: number): void {
    // A look-up behind a condition may be meant as what to do then: "over 50: P1 in OPS".
    if (this.clauses[index - 1]?.kind === 'condition' && !this.startsSentence(clause))
      this.left.push(...clause.frame.used);
    const { memory } = this;
    const last = this.clauses[index - 1];
    const summed = last?.kind === 'order' && makesOfResults(last.frame.tool);
    const listed = (last?.kind === 'read' || summed) && !this.startsSentence(clause);
    const before = listed || memory.summary !== null ? memory.reads : [];
    const service = listed && !clause.frame.slots.has('service') ? memory.service : null;
    if (service !== null) memory.topic.set('service', service);
    const found = addReads(memory, clause.frame, clause);
    // "…, look it up": what is made of a result stands for it.
    const chained = found.some((step) => sourcesOf(step).some((source) => before.includes(source)));
    memory.reads = [...new Set([...(chained ? [] : before), ...found])];
    if (memory.summary !== null && !this.startsSentence(clause)) summarizeAlso(memory, found);
    if (!has(clause, 'and', 'then')) memory.condition = null;
  }

  private takeTopic({ things, words }: Of<'topic'>): void {
    const { memory } = this;
    for (const { kind, value } of things) {
      if (kind === 'issue') memory.issue = value;
      else if (kind === 'incident') memory.incident = value;
      else memory.topic.set(kind, value);
    }
    memory.because = words;
  }

  private takeRemark({ words, from, to }: Of<'remark'>): void {
    const first = this.memory.waiting.shift();
    const last = this.memory.steps.at(-1);
    if (first) first.step.args.set(first.arg, words);
    else if (last?.tool.effect === 'write' && textArgOf(last.tool) === null)
      last.why = `${last.why}: ${words}`;
    else if (this.memory.remark === null) this.memory.remark = { words, tokens: range(from, to) };
    else this.left.push(...range(from, to));
  }

  /** "if none, don't bother": what is left undone under a condition rules nothing out. "Don't page unless" says when. */
  private isConditional(index: number): boolean {
    const before = this.clauses.slice(0, index).findLast(({ kind }) => kind !== 'empty')?.kind;
    const next = this.clauses[index + 1];
    return before === 'condition' || before === 'mark' || (next?.kind === 'condition' && has(next, 'unless'));
  }

  private otherwise(): Condition | null {
    const last = this.lastCondition ?? this.implied();
    return last === null ? null : opposed(last);
  }

  /** "Is PAY-3 breached? If so …": the question itself is the condition. */
  private implied(): Condition | null {
    const found = conditionOf(this.memory, this.memory.reads, [{ kind: 'exists', some: true }], false);
    if (found === null) need(this.memory, 'condition', 'condition');
    this.lastCondition = found;
    return found;
  }

  private subjectOf(clause: Of<'condition'>): DraftStep[] {
    const { memory } = this;
    if (clause.subject !== null) return addReads(memory, clause.subject, clause);
    // Tickets that were only named and then compared with a number are counted.
    const counted =
      clause.tests.some(({ kind }) => kind === 'number') &&
      memory.reads.every((step) => memory.verbless.has(step));
    if (counted) turnInto(memory, 'count');
    return memory.reads;
  }

  private takeCondition(clause: Of<'condition'>, index: number): void {
    const { memory } = this;
    const subject = this.subjectOf(clause);
    const found = conditionOf(memory, subject, clause.tests, clause.any);
    if (found === null) {
      need(memory, 'condition', 'condition');
      return;
    }
    if (found.parts.some(({ right }) => typeof right === 'object')) memory.compared = found;
    if (clause.subject !== null) memory.reads = subject;
    if (subject.some(({ args }) => args.has('text'))) turnInto(memory, 'list');
    const before = this.clauses[index - 1];
    const denied = has(clause, 'unless') && before?.kind === 'forbid' ? before : null;
    const condition = this.joined(
      has(clause, 'unless') && denied === null ? opposed(found) : found,
      clause,
      before,
    );
    if (contradicts(condition)) need(memory, 'conflict', 'condition');
    // The rest of a condition holds for the orders before it, too.
    if (condition !== found && before?.kind === 'condition')
      for (const step of memory.steps)
        if (step.when === this.lastCondition && step.when !== null) step.when = condition;
    for (const step of this.governed(clause, index)) step.when = condition;
    this.open = [];
    this.lastCondition = condition;
    memory.condition = condition;
    if (denied?.frame)
      this.takeOrder({ ...denied, kind: 'order', frame: denied.frame, carries: { kind: 'nothing' } });
  }

  /** "if A and B": two conditions side by side are one. */
  private joined(own: Condition, clause: Clause, before: Clause | undefined): Condition {
    const last = this.lastCondition;
    if (before?.kind !== 'condition' || last === null || !has(clause, 'and', 'but', 'or')) return own;
    return has(clause, 'or') ? { any: true, parts: [...last.parts, ...own.parts] } : (both(last, own) ?? own);
  }

  /** Orders before a condition that it governs: "page ops if …", unless it begins something new. */
  private governed(clause: Clause, index: number): readonly DraftStep[] {
    if (!hangs(clause)) return [];
    const mark = this.markBefore(clause);
    const next = this.clauses.slice(index + 1).find(({ kind }) => kind !== 'empty');
    const leads =
      next?.kind === 'order' && !has(next, 'and', 'else') && (/^[,:–—]$/u.test(mark) || has(clause, 'and'));
    if (this.open.length > 0) return leads ? [] : this.open;
    // "page ops if A, tell #ops if B": each order keeps the condition right behind it.
    return this.clauses[index - 1]?.kind === 'order' && mark === '' && !has(clause, 'and')
      ? this.memory.orders
      : [];
  }

  private takeOrder(clause: Of<'order'>): void {
    const { memory } = this;
    const { carries } = clause;
    const frame = settled(memory, clause.frame);
    noteFrame(memory, frame);
    // "…, please create": what was ordered before is meant.
    if (
      frame.filling.size === 0 &&
      carries.kind === 'nothing' &&
      memory.orders.some(({ tool }) => tool === frame.tool)
    )
      return;
    const before = memory.orders.length > 0 ? memory.orders : memory.reads;
    const content = contentOf(memory, carries, clause);
    // "wake ops and say …": what is said to nobody else is the text of the order before.
    const aimless = frame.tool.exactlyOne.some((group) => group.every((arg) => !frame.slots.has(arg)));
    const words = frame.slots.get(textArgOf(frame.tool) ?? '')?.[0];
    const waiting = aimless && words !== undefined && has(clause, 'and') ? memory.waiting.shift() : undefined;
    if (waiting && words !== undefined) {
      waiting.step.args.set(waiting.arg, words);
      return;
    }
    if (isForAsker(memory, frame, clause)) return;
    const own = ['said', 'nothing', 'oncall'].includes(carries.kind);
    const made = combinations(frame).flatMap((args) => {
      const step = stepFor(memory, frame.tool, args, clause, memory.condition);
      if (!own) args.delete(textArgOf(frame.tool) ?? '');
      if (carries.kind === 'oncall' && memory.person !== null) args.set('user', memory.person);
      if (!frame.verb) memory.verbless.add(step);
      aim(memory, step, clause, frame);
      putText(memory, step, content);
      if (has(clause, 'then', 'before')) for (const earlier of before) step.after.add(earlier);
      if (twinOf(memory, step) || isAgain(step)) return [];
      this.replace(step);
      memory.steps.push(step);
      return [step];
    });
    this.remember(made);
  }

  /** "@ana asked for the list, send it to her": the second says in full what the first one began. */
  private replace({ tool, args }: DraftStep): void {
    const { steps, verbless } = this.memory;
    const at = steps.findIndex(
      (other) =>
        verbless.has(other) &&
        other.tool === tool &&
        ['channel', 'user', 'service', 'key'].every((arg) => other.args.get(arg) === args.get(arg)),
    );
    if (at >= 0) steps.splice(at, 1);
  }

  private remember(made: readonly DraftStep[]): void {
    const { memory } = this;
    for (const step of made) {
      const { tool, args, when } = step;
      if (when === null) this.open.push(step);
      memory.issue =
        args.get('key') ?? (tool.result.shape.key === undefined ? memory.issue : { step, field: 'key' });
      memory.incident = args.get('incident') ?? memory.incident;
      memory.person = args.get('user') ?? memory.person;
      if (tool.asked?.role === 'message') memory.post = step;
      if (tool.effect === 'read' || tool.asked?.role === 'create') memory.reads = [step];
      if (makesOfResults(tool)) memory.summary = step;
    }
    memory.orders = [...made];
  }

  /** "PAY-3: comment …": a thing that was only named is no look-up once an order is about it. */
  private dropNamed(): void {
    const { steps, named } = this.memory;
    const used = new Set(steps.flatMap((step) => [...sourcesOf(step), ...step.after]));
    const idle = steps.filter(
      (step) =>
        named.has(step) &&
        !used.has(step) &&
        steps.some(({ tool, args }) => tool.effect === 'write' && args.get('key') === step.args.get('key')),
    );
    for (const step of idle) steps.splice(steps.indexOf(step), 1);
  }

  /** No step waits for its own result, and none does what the request rules out. */
  private check(): void {
    const { memory } = this;
    const before = (step: DraftStep, seen: Set<DraftStep>): Set<DraftStep> => {
      for (const source of [...sourcesOf(step), ...step.after])
        if (!seen.has(source)) before(source, seen.add(source));
      return seen;
    };
    if (memory.steps.some((step) => before(step, new Set()).has(step)))
      need(memory, 'condition', 'condition');
    const clash = memory.steps.some(
      ({ tool, when }) =>
        this.forbidden.has(tool.name) ||
        (tool.effect === 'write' && when === null && isRuledOut(memory.text, tool.name)),
    );
    if (clash) need(memory, 'conflict', 'goal');
  }
}

/** Puts the clauses of a reading together. */
export function compose(text: Text, given: Given, { clauses, score }: Reading): Composed {
  return new Composer(text, given, clauses).run(score);
}
