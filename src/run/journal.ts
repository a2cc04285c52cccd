import type { AuditEntry } from '../audit/chain.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent, RunMode, StepResult } from '../core/run.ts';
import {
  type Commit,
  commit,
  type IntendResult,
  type Intent,
  intend,
  type StoredProgress,
} from '../store/run-progress.ts';
import type { RunKey } from '../store/runs.ts';
import type { StepNow } from '../store/steps.ts';
import type { WriteFacts } from '../store/write-facts.ts';
import type { EndedWrite } from '../store/writes.ts';
import type { WorkDeps } from './context.ts';
import { askInTime, retryStore } from './retry.ts';

/** The run belongs to another process, or is over: this one may neither act nor report. */
export class LostRunError extends CountersignError {
  constructor(runId: string) {
    super('run_lost', 'Another process has this run, or it is over.', { runId });
  }
}

/** Identifies a run in everything recorded and reported about it. */
export interface RunFacts extends RunKey {
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
}

type EventFacts<E> = E extends RunEvent ? Omit<E, keyof RunFacts | 'at'> : never;

interface Pending {
  steps: Map<string, StepNow>;
  lines: AuditEntry[];
  writes: EndedWrite[];
  events: RunEvent[];
}

const nothing = (): Pending => ({ steps: new Map(), lines: [], writes: [], events: [] });

/** Milliseconds after which a slow run stores its progress, for its card and its thread. */
const progressMs = 400;

/**
 * Collects a run's progress and stores it where it must be on disk: before a write, after it, and at the end. Nothing
 * is reported before it is stored. One operation at a time, in order.
 */
export class Journal {
  readonly #deps: WorkDeps;
  readonly #executor: string | null;
  readonly #owned: () => Promise<void>;
  readonly #facts: RunFacts;
  readonly #revision: Revision | null;
  #pending = nothing();
  #order: readonly string[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** `executor`: the holder of the run; null for one without rows, of which nothing is stored or reported. */
  constructor(
    deps: WorkDeps,
    executor: string | null,
    owned: () => Promise<void>,
    facts: RunFacts,
    revision: Revision | null = null,
  ) {
    this.#deps = deps;
    this.#executor = executor;
    this.#owned = owned;
    this.#facts = facts;
    this.#revision = revision;
  }

  /** An audit line, stored with the next commit. */
  line(kind: string, actor: string, data: Json): AuditEntry {
    const { teamId, runId, ...about } = this.#facts;
    return { teamId, at: this.#deps.now(), kind, actor, subject: `run:${runId}`, data, about };
  }

  note(kind: string, actor: string, data: Json): void {
    this.#pending.lines.push(this.line(kind, actor, data));
  }

  /** The approved plan was tampered with after the run began: the log keeps that, even if the row is restored. */
  noteTampering(data: Json): void {
    const { requestId, number } = this.#facts;
    const subject = `revision:${requestId}/${number}`;
    this.#pending.lines.push({ ...this.line('revision.tampered', 'system', data), subject });
  }

  /** Step results stored together are reported in this order, whichever step was faster. */
  tellInOrder(stepIds: readonly string[]): void {
    this.#order = stepIds;
  }

  tell(event: EventFacts<RunEvent>): void {
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

  /** A write's outcome is stored at once; together with the end of the run if that comes in the same turn. */
  writeEnds(key: string, state: EndedWrite['state'], evidence: Json): void {
    const line = this.line(`write.${state}`, 'system', { key, evidence });
    this.#endWrite({ key, state, evidence, line });
  }

  /** Like `writeEnds`, for an addition to a completed write; `evidence` replaces the earlier one. */
  writeGrows(key: string, evidence: Json): void {
    const line = this.line('write.completed', 'system', { key, evidence });
    this.#endWrite({ key, state: 'made', evidence, adds: true, line });
  }

  #endWrite(ended: Omit<EndedWrite, 'at'>): void {
    this.#pending.writes.push({ ...ended, at: this.#deps.now() });
    setImmediate(() => this.#keepUp());
  }

  /** Resolves with `intended` when the write and everything leading up to it are on disk and it may be made right now. */
  intend<R>(
    write: Omit<Intent, keyof StoredProgress | 'at'>,
    refusal: (facts: WriteFacts) => R | null,
  ): Promise<IntendResult<R>> {
    return this.#inTurn(async () => {
      const key = this.#key();
      if (key === null) throw new LostRunError(this.#facts.runId);
      const { steps, lines } = this.#pending;
      Object.assign(this.#pending, { steps: new Map(), lines: [] });
      try {
        const progress = { ...key, steps: [...steps.values()], lines };
        const { db, now, sleep } = this.#deps;
        const ask = () => intend(db, { ...write, ...progress, at: now() }, refusal);
        const result = await askInTime(ask, this.#owned, sleep);
        if (result.kind === 'lost') throw new LostRunError(this.#facts.runId);
        return result;
      } catch (error) {
        this.#putBack({ ...nothing(), steps, lines });
        throw error;
      }
    });
  }

  /** Stores and reports pending progress, and ends the run if `end` is given. */
  flush(end: Commit['end'] = null): Promise<void> {
    return this.#inTurn(async () => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      const key = this.#key();
      if (key === null) return this.drop();
      const pending = this.#pending;
      const { steps, lines, writes } = pending;
      const events = inOrder(pending.events, this.#order);
      if (end === null && steps.size + lines.length + writes.length + events.length === 0) return;
      this.#pending = nothing();
      try {
        await this.#commit({ ...key, steps: [...steps.values()], lines, writes, end }, events);
      } catch (error) {
        this.#putBack(pending);
        throw error;
      }
      for (const event of events) await this.#reported(event, () => this.#deps.emit(event));
    });
  }

  /** Discards progress that could not be stored. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#pending = nothing();
  }

  async #commit(progress: Omit<Commit, 'messages'>, events: readonly RunEvent[]): Promise<void> {
    const { db, sleep, claim, messagesFor } = this.#deps;
    const drawn = events.map((event) => this.#reported(event, () => messagesFor(event, this.#revision)));
    const messages = (await Promise.all(drawn)).flatMap((all) => all ?? []);
    const behind = messages.length === 0 ? undefined : claim;
    const held = await retryStore(() => commit(db, { ...progress, messages }, behind), sleep);
    if (!held) throw new LostRunError(this.#facts.runId);
  }

  /** A run must not fail because it cannot be reported. */
  async #reported<T>({ teamId, runId, type }: RunEvent, report: () => T): Promise<Awaited<T> | null> {
    try {
      return await report();
    } catch (error) {
      const reason = describeError(error).message;
      this.#deps.log.warn({ teamId, runId, event: type, reason }, 'an event was not taken');
      return null;
    }
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

  #key(): (RunKey & { executor: string }) | null {
    const { teamId, runId } = this.#facts;
    return this.#executor === null ? null : { teamId, runId, executor: this.#executor };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}

/** Reorders step results among themselves; everything else keeps its place. */
function inOrder(events: readonly RunEvent[], order: readonly string[]): RunEvent[] {
  const placeOf = (event: RunEvent) => ('stepId' in event ? order.indexOf(event.stepId) : -1);
  const ends = events
    .filter(({ type }) => type === 'step_finished')
    .sort((one, other) => placeOf(one) - placeOf(other))
    .values();
  return events.map((event) => (event.type === 'step_finished' ? (ends.next().value ?? event) : event));
}
