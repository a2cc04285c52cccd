import { CountersignError, describeError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { RunEvent, RunMode, StepResult } from '../core/run.ts';
import { durably } from './attempt.ts';
import type {
  AuditEntry,
  Commit,
  IntendResult,
  Intent,
  Message,
  Progress,
  RunKey,
  Settled,
  StepNow,
  WorkDeps,
  WriteFacts,
} from './ports.ts';

/** The run is in the hands of another process, or over: this one may neither act nor tell. */
export class LostRunError extends CountersignError {
  constructor(runId: string) {
    super('run_lost', 'Another process has this run, or it is over.', { runId });
  }
}

/** What a run is about, for everything that is noted and told of it. */
export interface RunFacts extends RunKey {
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
}

type Told<E> = E extends RunEvent ? Omit<E, keyof RunFacts | 'at'> : never;

interface Pending {
  steps: Map<string, StepNow>;
  lines: AuditEntry[];
  writes: Settled[];
  events: RunEvent[];
}

const nothing = (): Pending => ({ steps: new Map(), lines: [], writes: [], events: [] });

/** Milliseconds after which a run that is slow stores how far it came, for its card and its thread. */
const progressMs = 400;
/** A permission that took longer to arrive may have been overtaken by another process, so it is asked for again. */
export const freshMs = 2_000;
const maxAsks = 5;

/**
 * What a run has found out: gathered, and stored where it has to be on disk, which is before a write, after it, and at
 * the end. Nothing is told before it is stored. One thing at a time, in the order in which it was found out.
 */
export class Journal {
  readonly #deps: WorkDeps;
  readonly #executor: string;
  readonly #ours: () => Promise<void>;
  readonly #facts: RunFacts;
  #pending = nothing();
  #order: readonly string[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: WorkDeps, executor: string, ours: () => Promise<void>, facts: RunFacts) {
    this.#deps = deps;
    this.#executor = executor;
    this.#ours = ours;
    this.#facts = facts;
  }

  /** An audit line, stored with what is stored next. */
  line(kind: string, actor: string, data: Json): AuditEntry {
    const { teamId, runId } = this.#facts;
    return { teamId, at: this.#deps.now(), kind, actor, subject: `run:${runId}`, data };
  }

  note(kind: string, actor: string, data: Json): void {
    this.#pending.lines.push(this.line(kind, actor, data));
  }

  /** Somebody changed what was approved after the run had begun: the log says so, also when the row is put back. */
  noteTampering(data: Json): void {
    const { requestId, number } = this.#facts;
    const subject = `revision:${requestId}/${number}`;
    this.#pending.lines.push({ ...this.line('revision.tampered', 'system', data), subject });
  }

  /** Ends that are stored together are told in this order, whichever step was quicker. */
  tellInOrder(stepIds: readonly string[]): void {
    this.#order = stepIds;
  }

  tell(event: Told<RunEvent>): void {
    const at = this.#deps.now().toISOString();
    this.#pending.events.push({ ...this.#facts, at, ...event });
    this.#timer ??= setTimeout(() => this.#keepUp(), progressMs);
  }

  stepBegins(step: Omit<StepNow, 'result'>): void {
    this.#pending.steps.set(step.stepId, { ...step, result: null });
    this.tell({ type: 'step_started', stepId: step.stepId });
  }

  stepEnds(result: StepResult, preview?: string): void {
    const { stepId, tool, startedAt } = result;
    this.#pending.steps.set(stepId, { stepId, tool, startedAt, result });
    this.tell({ type: 'step_finished', stepId, result, ...(preview === undefined ? {} : { preview }) });
  }

  /** What became of a write goes to disk at once; with the end of the run when that is reached in the same turn. */
  writeEnds(key: string, state: Settled['state'], evidence: Json): void {
    const line = this.line(`write.${state}`, 'system', { key, evidence });
    this.#settle({ key, state, evidence, line });
  }

  /** The same of what was added to a write that was made; `evidence` stands for all of it from now on. */
  writeGrows(key: string, evidence: Json): void {
    const line = this.line('write.completed', 'system', { key, evidence });
    this.#settle({ key, state: 'made', evidence, adds: true, line });
  }

  #settle(settled: Omit<Settled, 'at'>): void {
    this.#pending.writes.push({ ...settled, at: this.#deps.now() });
    setImmediate(() => this.#keepUp());
  }

  /** Resolves with `intended` when the write and all that led to it are on disk and it may be made this very moment. */
  intend<R>(
    intent: Omit<Intent, keyof Progress | 'at'>,
    refusal: (facts: WriteFacts) => R | null,
  ): Promise<IntendResult<R>> {
    return this.#inTurn(async () => {
      const { steps, lines } = this.#pending;
      Object.assign(this.#pending, { steps: new Map(), lines: [] });
      try {
        const progress = { ...this.#key(), steps: [...steps.values()], lines };
        const result = await this.#freshly(() =>
          this.#deps.store.intend({ ...intent, ...progress, at: this.#deps.now() }, refusal),
        );
        if (result.kind === 'lost') throw new LostRunError(this.#facts.runId);
        return result;
      } catch (error) {
        this.#putBack({ ...nothing(), steps, lines });
        throw error;
      }
    });
  }

  /** Stores what is pending, tells it, and with `end` ends the run. */
  flush(end: Commit['end'] = null): Promise<void> {
    return this.#inTurn(async () => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      const pending = this.#pending;
      const { steps, lines, writes } = pending;
      const events = inOrder(pending.events, this.#order);
      if (end === null && steps.size + lines.length + writes.length + events.length === 0) return;
      this.#pending = nothing();
      try {
        await this.#commit({ ...this.#key(), steps: [...steps.values()], lines, writes, end }, events);
      } catch (error) {
        this.#putBack(pending);
        throw error;
      }
      for (const event of events) await this.#emit(event);
    });
  }

  /** Forgets what could not be stored. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#pending = nothing();
  }

  async #commit(commit: Omit<Commit, 'messages'>, events: readonly RunEvent[]): Promise<void> {
    const { store, sleep } = this.#deps;
    const messages = (await Promise.all(events.map((event) => this.#messagesFor(event)))).flat();
    const held = await durably(() => store.commit({ ...commit, messages }), sleep);
    if (!held) throw new LostRunError(this.#facts.runId);
  }

  /** A run must not fail because it cannot be reported. */
  async #messagesFor(event: RunEvent): Promise<readonly Message[]> {
    try {
      return await this.#deps.messagesFor(event);
    } catch (error) {
      this.#untold(event, error);
      return [];
    }
  }

  async #emit(event: RunEvent): Promise<void> {
    try {
      await this.#deps.emit(event);
    } catch (error) {
      this.#untold(event, error);
    }
  }

  #untold({ teamId, runId, type }: RunEvent, error: unknown): void {
    const reason = describeError(error).message;
    this.#deps.log.warn({ teamId, runId, event: type, reason }, 'an event was not taken');
  }

  async #freshly<T>(ask: () => Promise<T>): Promise<T> {
    const { sleep } = this.#deps;
    for (let asks = 0; asks < maxAsks; asks += 1) {
      let askedAt = 0;
      await this.#ours();
      const answer = await durably(() => {
        askedAt = performance.now();
        return ask();
      }, sleep);
      await this.#ours();
      if (performance.now() - askedAt < freshMs) return answer;
    }
    throw new CountersignError('slow_database', 'The database answers too slowly to act safely.');
  }

  #keepUp(): void {
    this.flush().catch((error: unknown) => {
      const { teamId, runId } = this.#facts;
      const reason = describeError(error).message;
      this.#deps.log.warn({ teamId, runId, reason }, 'progress was not stored; the next attempt does it');
    });
  }

  #putBack({ steps, lines, writes, events }: Pending): void {
    const now = this.#pending;
    this.#pending = {
      steps: new Map([...steps, ...now.steps]),
      lines: [...lines, ...now.lines],
      writes: [...writes, ...now.writes],
      events: [...events, ...now.events],
    };
  }

  #key(): RunKey & { executor: string } {
    const { teamId, runId } = this.#facts;
    return { teamId, runId, executor: this.#executor };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}

/** The ends of steps change places among themselves; everything else stays where it is. */
function inOrder(events: readonly RunEvent[], order: readonly string[]): RunEvent[] {
  const placeOf = (event: RunEvent) => ('stepId' in event ? order.indexOf(event.stepId) : -1);
  const ends = events
    .filter(({ type }) => type === 'step_finished')
    .sort((one, other) => placeOf(one) - placeOf(other))
    .values();
  return events.map((event) => (event.type === 'step_finished' ? (ends.next().value ?? event) : event));
}
