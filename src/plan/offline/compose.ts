import type { Manifest } from '../../core/manifest.ts';
import type { Carries, Clause } from './clauses.ts';
import { wordsOf } from './clauses.ts';
import { conditionOf } from './decide.ts';
import {
  both,
  type Condition,
  contradicts,
  type DraftStep,
  type DraftValue,
  type FieldOf,
  isField,
  opposed,
  sourcesOf,
} from './draft.ts';
import { type Frame, type Text, takesOf, textArgOf } from './frames.ts';
import type { Sense } from './lexicon.ts';
import { requiredOf } from './reads.ts';
import type { Reading } from './search.ts';

/** Something that has to be asked before there is a plan. */
export interface Need {
  readonly kind: 'missing' | 'strange' | 'either' | 'text' | 'condition' | 'conflict' | 'me';
  /** What is missing, as the question names it: `service`, `channel`, `text` … */
  readonly missing: string;
  readonly tool: string | null;
  readonly said?: string;
  readonly options?: readonly string[];
}

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

/** Values that answers to questions gave, by what was asked for. */
export type Given = ReadonlyMap<string, string>;

const isRead = (tool: Manifest): boolean => tool.effect === 'read';

/** Every combination of the values of the slots: two priorities in two projects are four look-ups. */
function combinations(frame: Frame): Map<string, DraftValue>[] {
  const one = frame.tool.exactlyOne.find((group) => group.filter((arg) => frame.slots.has(arg)).length > 1);
  if (one)
    return one.flatMap((arg) =>
      frame.slots.has(arg)
        ? combinations({
            ...frame,
            slots: new Map([...frame.slots].filter(([name]) => name === arg || !one.includes(name))),
          })
        : [],
    );
  let maps: Map<string, DraftValue>[] = [new Map()];
  for (const [arg, values] of frame.slots) {
    const number = takesOf(frame.tool, arg) === 'number';
    maps = maps.flatMap((map) =>
      values.map((value) => new Map([...map, [arg, number ? Number(value) : value]])),
    );
  }
  return maps;
}

function sameValue(a: DraftValue | undefined, b: DraftValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, at) => sameValue(part, b[at]));
  return isField(a) && isField(b) ? a.step === b.step && a.field === b.field : a === b;
}

/** What is known while the clauses are gone through: what "it", "otherwise" and "then" point to. */
export class Composer {
  readonly steps: DraftStep[] = [];
  readonly needs: Need[] = [];
  readonly left: number[] = [];
  readonly assumptions: string[] = [];
  private readonly wordless = new Map<DraftStep, string>();
  lastReads: DraftStep[] = [];
  lastIssue: DraftValue | null = null;
  private lastService: string | null = null;
  private lastIncident: DraftValue | null = null;
  private lastPerson: DraftValue | null = null;
  /** The last comparison with a limit: what "if over" means. */
  compared: Condition | null = null;
  private condition: Condition | null = null;
  private lastCondition: Condition | null = null;
  /** Orders of this sentence that have no condition yet. */
  private open: DraftStep[] = [];
  private lastOrders: DraftStep[] = [];
  private lastChannel: Map<string, DraftValue> | null = null;
  private remark: { words: string; tokens: number[] } | null = null;
  private readonly forbidden = new Set<string>();

  readonly text: Text;
  private readonly given: Given;

  constructor(text: Text, given: Given) {
    this.text = text;
    this.given = given;
  }

  run(reading: Reading): Composed {
    reading.clauses.forEach((clause, index) => {
      if (this.startsSentence(clause)) this.newSentence(clause);
      this.take(clause, reading.clauses, index);
      this.left.push(...clause.left);
    });
    this.finish();
    const { steps, needs, left, assumptions, wordless } = this;
    return {
      steps,
      needs,
      left,
      assumptions,
      wordless,
      score:
        reading.score -
        1.2 * needs.length -
        2 * (left.length - reading.clauses.flatMap((clause) => clause.left).length),
    };
  }

  private startsSentence(clause: Clause): boolean {
    const before = this.text.tokens[clause.from - 1];
    return before !== undefined && /^[.;!]$/u.test(before.raw);
  }

  private newSentence(clause: Clause): void {
    this.open = [];
    const goesOn =
      ['and', 'then', 'but', 'else', 'so'].some((lead) => clause.lead.has(lead)) || clause.kind === 'mark';
    if (!goesOn && clause.kind !== 'empty') this.condition = null;
  }

  private take(clause: Clause, all: readonly Clause[], index: number): void {
    switch (clause.kind) {
      case 'mark':
        this.condition = clause.mark === 'else' ? this.otherwise() : (this.lastCondition ?? this.implied());
        break;
      case 'condition':
        this.takeCondition(clause, all, index);
        break;
      case 'read':
        if (
          this.isConditional(all, index) &&
          !this.startsSentence(clause) &&
          all[index - 1]?.kind === 'condition'
        )
          this.left.push(...clause.frame.used);
        this.lastReads = this.reads(clause.frame, clause);
        this.condition = clause.lead.has('and') || clause.lead.has('then') ? this.condition : null;
        break;
      case 'order':
        if (clause.lead.has('else')) this.condition = this.otherwise();
        if (clause.lead.has('so')) this.condition = this.lastCondition ?? this.implied();
        this.order(clause);
        break;
      case 'forbid':
        if (clause.lead.has('else')) this.condition = this.otherwise();
        else if (!this.isConditional(all, index)) for (const tool of clause.tools) this.forbidden.add(tool);
        break;
      case 'remark':
        this.takeRemark(clause);
        break;
    }
  }

  /** "if none, don't bother": what is left undone under a condition rules nothing out. */
  private isConditional(all: readonly Clause[], index: number): boolean {
    const before = all.slice(0, index).findLast(({ kind }) => kind !== 'empty');
    return before?.kind === 'condition' || before?.kind === 'mark' || this.awaited(all[index + 1]);
  }

  /** "don't page unless …" says when to page. */
  private awaited(next: Clause | undefined): boolean {
    return next?.kind === 'condition' && next.lead.has('unless');
  }

  private otherwise(): Condition | null {
    const last = this.lastCondition ?? this.implied();
    return last === null ? null : opposed(last);
  }

  /** "Is PAY-3 breached? If so …": the question itself is the condition. */
  private implied(): Condition | null {
    const found = conditionOf(this, this.lastReads, [{ kind: 'exists', some: true }], false);
    if (found === null) this.need({ kind: 'condition', missing: 'condition', tool: null });
    this.lastCondition = found;
    return found;
  }

  private takeCondition(clause: Clause & { kind: 'condition' }, all: readonly Clause[], index: number): void {
    const subject = clause.subject === null ? this.lastReads : this.subjectOf(clause.subject, clause);
    // Tickets that were only named and then compared with a number are counted.
    if (
      clause.subject === null &&
      clause.tests.some(({ kind }) => kind === 'number') &&
      subject.every((step) => this.verbless.has(step))
    )
      this.toCount();
    const found = conditionOf(this, subject, clause.tests, clause.any);
    if (found?.parts.some(({ right }) => typeof right === 'object')) this.compared = found;
    if (found === null) {
      this.need({ kind: 'condition', missing: 'condition', tool: null });
      return;
    }
    if (clause.subject !== null) this.lastReads = subject;
    if (subject.some(({ args }) => args.has('text'))) this.toSearch();
    const before = all[index - 1];
    const denied = clause.lead.has('unless') && before?.kind === 'forbid' ? before : null;
    const own = clause.lead.has('unless') && denied === null ? opposed(found) : found;
    const condition = this.joined(own, clause, all[index - 1]);
    if (contradicts(condition)) this.need({ kind: 'conflict', missing: 'condition', tool: null });
    this.lastCondition = condition;
    if (this.comesAfter(clause, all, index)) for (const step of this.open) step.when = condition;
    else if (this.belongsTo(all[index - 1], clause))
      for (const step of this.lastOrders) step.when = condition;
    this.open = [];
    this.condition = condition;
    if (denied?.frame)
      this.order({ ...denied, kind: 'order', frame: denied.frame, carries: { kind: 'nothing' } });
  }

  /** "if A and B": two conditions side by side are one. */
  private joined(own: Condition, clause: Clause, before: Clause | undefined): Condition {
    const beside =
      before?.kind === 'condition' &&
      this.lastCondition !== null &&
      ['and', 'but', 'or'].some((lead) => clause.lead.has(lead));
    if (!beside || this.lastCondition === null) return own;
    if (clause.lead.has('or')) return { any: true, parts: [...this.lastCondition.parts, ...own.parts] };
    return both(this.lastCondition, own) ?? own;
  }

  private subjectOf(frame: Frame, clause: Clause): DraftStep[] {
    return this.reads(frame, clause);
  }

  /** "page ops if A, tell #ops if B": each order keeps the condition right behind it. */
  private belongsTo(before: Clause | undefined, clause: Clause): boolean {
    const apart = this.text.tokens[clause.from - 1]?.kind === 'mark' || clause.lead.has('and');
    return before?.kind === 'order' && !apart && (clause.lead.has('if') || clause.lead.has('unless'));
  }

  /** "page ops if …": the condition of the orders before it, unless it begins something new. */
  private comesAfter(clause: Clause, all: readonly Clause[], index: number): boolean {
    if (this.open.length === 0 || !(clause.lead.has('if') || clause.lead.has('unless'))) return false;
    const comma = /^[,:–—]$/u.test(this.text.tokens[clause.from - 1]?.raw ?? '') || clause.lead.has('and');
    const next = all.slice(index + 1).find(({ kind }) => kind !== 'empty');
    const leads = next?.kind === 'order' && !next.lead.has('and') && !next.lead.has('else');
    return !(comma && leads);
  }

  reads(frame: Frame, clause: { readonly from: number; readonly to: number }): DraftStep[] {
    this.noteFrame(frame);
    const steps = combinations(frame).map((args) =>
      this.addRead(frame.tool, this.pointed(frame.tool, args, clause), clause),
    );
    if (!frame.verb) for (const step of steps) this.verbless.add(step);
    return steps;
  }

  /** "its runbooks", "incidents on it": the service that was spoken of. */
  private pointed(
    tool: Manifest,
    args: Map<string, DraftValue>,
    { from, to }: { readonly from: number; readonly to: number },
  ): Map<string, DraftValue> {
    const points = this.text.tokens
      .slice(from, to)
      .some(({ low }) => /^(?:its?|there|them|they)$/u.test(low));
    if (points && 'service' in tool.args.shape && !args.has('service') && this.lastService !== null)
      args.set('service', this.lastService);
    if (
      points &&
      'key' in tool.args.shape &&
      args.size === (args.has('state') ? 1 : 0) &&
      this.lastIssue !== null
    )
      args.set('key', this.lastIssue);
    return args;
  }

  /** Adds a look-up, or finds the one that is there. */
  addRead(
    tool: Manifest,
    args: Map<string, DraftValue>,
    clause: { readonly from: number; readonly to: number },
  ): DraftStep {
    this.complete(tool, args);
    const same = this.steps.find(
      (step) =>
        step.tool === tool &&
        step.args.size === args.size &&
        [...args].every(([name, value]) => step.args.get(name) === value),
    );
    if (same) return same;
    const step: DraftStep = { tool, args, why: this.why(clause), when: null, after: new Set() };
    this.steps.push(step);
    const key = args.get('key');
    if (key !== undefined) this.lastIssue = key;
    if (tool.result.shape.first !== undefined && args.get('limit') === 1)
      this.lastIssue = { step, field: 'first' };
    if (tool.name === 'pagerduty.oncall') this.lastPerson = { step, field: 'user' };
    return step;
  }

  why(clause: { readonly from: number; readonly to: number }): string {
    const indexes = Array.from({ length: clause.to - clause.from }, (_one, at) => clause.from + at);
    return wordsOf(this.text, indexes).slice(0, 200) || 'Asked for.';
  }

  /** What the tool is of no use without, and what the operator set for what is not said. */
  private complete(tool: Manifest, args: Map<string, DraftValue>): void {
    for (const [arg, { else: usual }] of Object.entries(tool.asked?.args ?? {}))
      if (usual !== undefined && !args.has(arg)) args.set(arg, usual);
    if (args.has('key') && 'project' in tool.args.shape) args.delete('state');
    this.carryOver(tool, args);
    if (args.has('order') && 'limit' in tool.args.shape && !args.has('limit') && !this.plural(tool))
      args.set('limit', 1);
    this.onlyOpen(tool, args);
    const { project } = this.text.catalogue.defaults;
    if (project && 'project' in tool.args.shape && !args.has('project') && !args.has('key') && isRead(tool)) {
      args.set('project', project);
      this.assume(`Project ${project}, because none was named.`);
    }
  }

  /** In a workspace, tickets are the open ones unless a time or a status is said. */
  private onlyOpen(tool: Manifest, args: Map<string, DraftValue>): void {
    const said = ['status', 'since', 'window', 'text', 'key'].some((arg) => args.has(arg));
    if (this.text.catalogue.open || said || tool.asked?.args?.status?.words?.open === undefined) return;
    args.set('status', 'open');
    this.assume('Only open tickets.');
  }

  /** "and how many does the SLA allow?": a limit is the one of what was counted. */
  private carryOver(tool: Manifest, args: Map<string, DraftValue>): void {
    if (tool.name !== 'sla.threshold') return;
    const count = this.steps.findLast(({ tool: other }) => other.name === 'jira.count');
    for (const arg of ['project', 'priority']) {
      const value = count?.args.get(arg);
      if (value !== undefined && !args.has(arg) && !args.has('project')) args.set(arg, value);
    }
  }

  /** "the oldest tickets" are several, "the oldest ticket" is one. */
  private plural(tool: Manifest): boolean {
    return this.text.tokens.some(
      ({ low }, index) =>
        /s$/u.test(low) &&
        !/^p[1-5]s$/u.test(low) &&
        this.text.phrases[index]?.some(({ senses }) =>
          senses.some(
            ({ role, of, arg }) =>
              of === tool.name && (role === 'noun' || (role === 'value' && arg === 'type')),
          ),
        ),
    );
  }

  assume(words: string): void {
    if (!this.assumptions.includes(words)) this.assumptions.push(words);
  }

  need(need: Need): void {
    if (!this.needs.some((other) => other.kind === need.kind && other.missing === need.missing))
      this.needs.push(need);
  }

  private noteFrame(frame: Frame): void {
    this.lastService = frame.slots.get('service')?.at(-1) ?? this.lastService;
    for (const { arg, said } of frame.strange)
      this.need({ kind: 'strange', missing: arg, tool: frame.tool.name, said });
    if (frame.either && !isRead(frame.tool))
      this.need({
        kind: 'either',
        missing: frame.either,
        tool: frame.tool.name,
        options: frame.slots.get(frame.either) ?? [],
      });
  }

  private order(clause: Clause & { kind: 'order' }): void {
    const { frame } = clause;
    this.noteFrame(frame);
    const made: DraftStep[] = [];
    const carried = this.carried(clause.carries, clause, frame);
    if (this.isForAsker(frame, clause)) return;
    const message = ['said', 'nothing', 'oncall'].includes(clause.carries.kind)
      ? null
      : textArgOf(frame.tool);
    for (const args of combinations(frame)) {
      if (message !== null) args.delete(message);
      const step: DraftStep = {
        tool: frame.tool,
        args,
        why: this.why(clause),
        when: this.condition,
        after: new Set(),
      };
      const somebody = this.text.tokens
        .slice(clause.from, clause.to)
        .some(({ low }) => /^(?:some|any)(?:one|body)$/u.test(low));
      this.aim(step, clause, frame.noun || (frame.left.length === 0 && !somebody));
      this.word(step, carried, clause);
      if (clause.lead.has('then') || clause.lead.has('before'))
        for (const before of this.lastOrders.length > 0 ? this.lastOrders : this.lastReads)
          step.after.add(before);
      if (this.isSame(step)) continue;
      this.replace(step);
      if (!frame.verb) this.verbless.add(step);
      this.steps.push(step);
      made.push(step);
    }
    this.remember(made);
  }

  /** "@ana asked for the list, send it to her": the second says in full what the first one began. */
  private replace(step: DraftStep): void {
    const target = (one: DraftStep): string =>
      JSON.stringify(['channel', 'user', 'service', 'key'].map((arg) => one.args.get(arg) ?? ''));
    const at = this.steps.findIndex(
      (other) => this.verbless.has(other) && other.tool === step.tool && target(other) === target(step),
    );
    if (at >= 0) this.steps.splice(at, 1);
  }

  private isSame(step: DraftStep): boolean {
    return this.steps.some(
      (other) =>
        other.tool === step.tool &&
        other.when === step.when &&
        other.args.size === step.args.size &&
        [...step.args].every(([arg, value]) => sameValue(other.args.get(arg), value)),
    );
  }

  private readonly verbless = new Set<DraftStep>();

  /** "send me the list": the result goes back to whoever asked, so that nothing is posted. "Page me" cannot be done. */
  private isForAsker(frame: Frame, clause: Clause): boolean {
    const targets = Object.keys(frame.tool.args.shape).filter((arg) =>
      ['channel', 'user', 'service'].includes(takesOf(frame.tool, arg)),
    );
    if (targets.length === 0 || targets.some((arg) => frame.slots.has(arg))) return false;
    const me = this.text.tokens
      .slice(clause.from, clause.to)
      .some(({ low }) => low === 'me' || low === 'myself');
    if (!me) return false;
    if (frame.tool.name === 'slack.post' && this.lastReads.length > 0) return true;
    this.need({ kind: 'me', missing: targets[0] ?? 'service', tool: frame.tool.name });
    return true;
  }

  private remember(made: readonly DraftStep[]): void {
    for (const step of made) {
      if (step.when === null) this.open.push(step);
      const key = step.args.get('key');
      if (key !== undefined) this.lastIssue = key;
      const incident = step.args.get('incident');
      if (incident !== undefined) this.lastIncident = incident;
      const user = step.args.get('user');
      if (user !== undefined) this.lastPerson = user;
      if (step.tool.result.shape.key !== undefined && step.args.get('key') === undefined)
        this.lastIssue = { step, field: 'key' };
      if (step.tool.name === 'slack.post') this.lastChannel = step.args;
      if (isRead(step.tool) || step.tool.name === 'jira.create') this.lastReads = [step];
    }
    this.lastOrders = [...made];
  }

  /** Fills the target that was not named from what the request can only mean. */
  private aim(step: DraftStep, clause: Clause, noun: boolean): void {
    const { tool, args } = step;
    const shape = tool.args.shape;
    const lack = (arg: string): boolean => arg in shape && !args.has(arg);
    const put = (arg: string, value: DraftValue | null | undefined): void => {
      if (value !== null && value !== undefined && lack(arg)) args.set(arg, value);
    };
    if (lack('key')) put('key', this.given.get('key') ?? this.given.get('ticket') ?? this.lastIssue);
    if (lack('incident'))
      put('incident', this.given.get('incident') ?? this.lastIncident ?? this.firstIncident());
    if (lack('project')) put('project', this.given.get('project') ?? this.projectMeant(tool));
    if (lack('service')) put('service', this.given.get('service') ?? (noun ? this.serviceMeant(tool) : null));
    if (lack('channel') && lack('user')) this.receiver(step, clause);
    if (lack('status') && tool.name === 'jira.transition') put('status', this.given.get('status'));
    for (const arg of Object.keys(shape)) {
      const needed =
        requiredOf(tool).includes(arg) &&
        takesOf(tool, arg) !== 'message' &&
        takesOf(tool, arg) !== 'results';
      if (needed && lack(arg)) this.need({ kind: 'missing', missing: arg, tool: tool.name });
    }
  }

  private firstIncident(): DraftValue | null {
    const step = this.steps.find(
      ({ tool, args }) => tool.name === 'pagerduty.incidents' && args.get('limit') === 1,
    );
    return step ? { step, field: 'first' } : null;
  }

  private projectMeant(tool: Manifest): DraftValue | null {
    const read = new Set(
      this.steps.map(({ args }) => args.get('project')).filter((one) => typeof one === 'string'),
    );
    if (read.size === 1) return [...read][0] ?? null;
    const { defaults } = this.text.catalogue;
    if (read.size === 0 && defaults.project && tool.name === 'jira.create') {
      this.assume(`Project ${defaults.project}, because none was named.`);
      return defaults.project;
    }
    return null;
  }

  /** The service whose on-call is meant: the only one that was spoken of, or the one of the project. */
  private serviceMeant(tool: Manifest): DraftValue | null {
    if (isRead(tool)) return null;
    const { catalogue } = this.text;
    const said = new Set(
      this.steps.map(({ args }) => args.get('service')).filter((one) => typeof one === 'string'),
    );
    if (said.size === 1) return [...said][0] ?? null;
    if (said.size > 1) return null;
    const projects = new Set(
      this.steps.map(({ args }) => args.get('project')).filter((one) => typeof one === 'string'),
    );
    const owned = [...projects]
      .map((key) => catalogue.projects.find((project) => project.key === key)?.service)
      .filter((one) => one !== undefined);
    if (projects.size === 1 && owned.length === 1) {
      this.assume(`On-call of ${owned[0]}, the service of ${[...projects][0]}.`);
      return owned[0] ?? null;
    }
    if (projects.size > 0 || !catalogue.defaults.service) return null;
    this.assume(`On-call of ${catalogue.defaults.service}, because no service was named.`);
    return catalogue.defaults.service;
  }

  private receiver(step: DraftStep, clause: Clause): void {
    const given = this.given.get('channel') ?? this.given.get('user') ?? this.given.get('audience');
    if (given) {
      step.args.set(given.startsWith('@') ? 'user' : 'channel', given);
      return;
    }
    const tokens = this.text.tokens.slice(clause.from, clause.to);
    const person = tokens.some((_token, at) =>
      this.text.phrases[clause.from + at]?.some(({ senses }) =>
        senses.some(({ role, of }) => role === 'pronoun' && of === 'person'),
      ),
    );
    const there = tokens.some(({ low }) => low === 'there');
    if (person && this.lastPerson !== null) step.args.set('user', this.lastPerson);
    else if (there && this.lastChannel) {
      for (const arg of ['channel', 'user']) {
        const value = this.lastChannel.get(arg);
        if (value !== undefined) step.args.set(arg, value);
      }
    } else this.need({ kind: 'missing', missing: 'channel', tool: step.tool.name });
  }

  /** What an order sends, with the look-ups that it needs. */
  private carried(carries: Carries, clause: Clause, frame: Frame): readonly DraftStep[] | string | null {
    switch (carries.kind) {
      case 'text':
        return carries.text;
      case 'result':
        this.listWanted(clause);
        return this.lastReads.length > 0 ? this.lastReads : null;
      case 'read':
        this.lastReads = this.reads(carries.frame, clause);
        return this.lastReads;
      case 'reads':
        this.lastReads = carries.frames.flatMap((one) => this.reads(one, clause));
        return this.lastReads;
      case 'made': {
        const inner = this.carried(carries.of, clause, carries.frame) ?? this.lastReads;
        const step: DraftStep = {
          tool: carries.frame.tool,
          args: new Map(),
          why: this.why(clause),
          when: this.condition,
          after: new Set(),
        };
        this.word(step, inner, clause);
        this.steps.push(step);
        this.lastReads = [step];
        return [step];
      }
      case 'oncall': {
        const [step] = this.reads(carries.frame, clause);
        this.lastPerson = step ? { step, field: 'user' } : null;
        this.oncallTarget = this.lastPerson;
        return null;
      }
      default:
        return null;
    }
  }

  /** "list them", "the list": what was counted has to be listed. */
  private listWanted(clause: Clause): void {
    const list = this.text.tokens
      .slice(clause.from, clause.to)
      .some(({ low }) => /^(?:list|lists|them|those|these|keys|tickets|which|they)$/u.test(low));
    if (list) this.toSearch();
    else if (
      this.text.tokens
        .slice(clause.from, clause.to)
        .some(({ low }) => /^(?:number|count|figure|total)$/u.test(low))
    )
      this.toCount();
  }

  private toCount(): void {
    const count = this.text.lexicon.tools.get('jira.count');
    if (count)
      for (const step of this.lastReads)
        if (step.tool.name === 'jira.search' && !step.args.has('order')) step.tool = count;
  }

  private toSearch(): void {
    const search = this.text.lexicon.tools.get('jira.search');
    if (search) for (const step of this.lastReads) if (step.tool.name === 'jira.count') step.tool = search;
  }

  private oncallTarget: DraftValue | null = null;

  private tells(step: DraftStep): FieldOf {
    return { step, field: step.tool.asked?.tells ?? step.tool.main ?? 'lines' };
  }

  private listed(steps: readonly DraftStep[]): (string | FieldOf)[] {
    return steps.flatMap((step, index) => [...(index > 0 ? ['\n'] : []), this.tells(step)]);
  }

  /** Gives a step its text: what was said, the result, or what the condition says. Never the order itself. */
  private word(step: DraftStep, carried: readonly DraftStep[] | string | null, _clause: Clause): void {
    const { tool, args } = step;
    if (this.oncallTarget !== null && 'user' in tool.args.shape) {
      args.set('user', this.oncallTarget);
      this.needs.splice(0, this.needs.length, ...this.needs.filter(({ missing }) => missing !== 'channel'));
      this.oncallTarget = null;
    }
    const arg = Object.keys(tool.args.shape).find((name) =>
      ['message', 'results'].includes(takesOf(tool, name)),
    );
    if (arg === undefined || args.has(arg)) return;
    const reads = typeof carried === 'string' ? null : carried;
    const topic = tool.name === 'jira.create' ? reads?.[0]?.args.get('text') : undefined;
    if (typeof topic === 'string') args.set(arg, topic);
    else if (typeof carried === 'string') args.set(arg, carried);
    else if (tool.name === 'jira.create' && reads !== null) this.waiting.push({ step, arg });
    else if (this.given.has('text')) args.set(arg, this.given.get('text') ?? '');
    else if (reads && reads.length > 0) args.set(arg, this.titled(tool, reads));
    else if (this.remark !== null) this.speak(step, arg);
    else this.unworded(step, arg);
  }

  private titled(tool: Manifest, reads: readonly DraftStep[]): DraftValue {
    return takesOf(tool, 'input') === 'results' || reads.length > 1
      ? this.listed(reads)
      : [this.tells(reads[0] as DraftStep)];
  }

  private speak(step: DraftStep, arg: string): void {
    step.args.set(arg, this.remark?.words ?? '');
    this.remark = null;
  }

  /** Nothing was said to be sent: the facts of the condition, or what was looked up before. */
  private unworded(step: DraftStep, arg: string): void {
    const facts = step.when?.parts.flatMap(({ left }) => left.map((one) => one.step)) ?? [];
    const sources = facts.length > 0 ? [...new Set(facts)] : this.lastReads;
    if (
      sources.length > 0 &&
      step.tool.name !== 'jira.create' &&
      (facts.length > 0 || step.tool.name !== 'pagerduty.page')
    )
      step.args.set(arg, this.listed(sources));
    else this.waiting.push({ step, arg });
  }

  /** Steps that still want a text when all clauses are read. */
  private readonly waiting: { step: DraftStep; arg: string }[] = [];

  /** "page ops … without paging anyone": the same act is ordered and ruled out. */
  private isRuledOut({ name, effect }: Manifest): boolean {
    if (effect === 'read') return false;
    const { phrases, tokens } = this.text;
    const says = (index: number, fits: (sense: Sense) => boolean): boolean =>
      phrases[index]?.some(({ senses }) => senses.some(fits)) ?? false;
    return tokens.some((_token, at) => {
      if (!says(at, ({ role }) => role === 'negation')) return false;
      const stop = tokens.findIndex(({ kind }, index) => index > at && kind !== 'word');
      const end = Math.min(at + 7, stop < 0 ? tokens.length : stop);
      return tokens
        .slice(at + 1, end)
        .some((_one, offset) =>
          says(at + 1 + offset, ({ role, of }) => of === name && (role === 'verb' || role === 'also')),
        );
    });
  }

  private takeRemark(clause: Clause & { kind: 'remark' }): void {
    const first = this.waiting.shift();
    if (first) {
      first.step.args.set(first.arg, clause.words);
      return;
    }
    const tokens = Array.from({ length: clause.to - clause.from }, (_one, at) => clause.from + at);
    if (this.remark === null) this.remark = { words: clause.words, tokens };
    else this.left.push(...tokens);
  }

  /** A step cannot wait for its own result. */
  private checkOrder(): void {
    const before = (step: DraftStep, seen: Set<DraftStep>): Set<DraftStep> => {
      for (const source of [...sourcesOf(step), ...step.after])
        if (!seen.has(source)) before(source, seen.add(source));
      return seen;
    };
    if (this.steps.some((step) => before(step, new Set()).has(step)))
      this.need({ kind: 'condition', missing: 'condition', tool: null });
  }

  private finish(): void {
    this.checkOrder();
    if (this.remark !== null) this.left.push(...this.remark.tokens);
    for (const { step, arg } of this.waiting) {
      if (
        step.when === null &&
        (step.tool.name === 'slack.post' ||
          step.tool.name === 'jira.comment' ||
          step.tool.name === 'pagerduty.note' ||
          step.tool.name === 'llm.summarize')
      )
        this.need({ kind: 'text', missing: 'text', tool: step.tool.name });
      else this.wordless.set(step, arg);
    }
    const clash = this.steps.find(
      (step) => this.forbidden.has(step.tool.name) || (step.when === null && this.isRuledOut(step.tool)),
    );
    if (clash) this.need({ kind: 'conflict', missing: 'goal', tool: clash.tool.name });
  }
}
