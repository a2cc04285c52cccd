import { setTimeout as pause } from 'node:timers/promises';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Readiness } from './readiness.ts';

/** Milliseconds between looks at a system that did not answer. */
const lookMs = 60_000;
/** Looks between two questions to one that did. */
const looksBetween = 5;
/** Milliseconds that a start waits for them: it says what is wrong, and does not depend on it. */
const startMs = 3_000;

export interface System {
  readonly name: string;
  /** The smallest call that its token allows. */
  ask(): Promise<void>;
}

interface CareDeps {
  readonly readiness: Pick<Readiness, 'set'>;
  readonly repeat: (ms: number, round: () => Promise<void>) => void;
  readonly log: Log;
}

/**
 * Says at the start, and whenever it changes, what is wrong with the access to each system that is set up. The bot works
 * on without it: others can be asked, and what needs it says so.
 */
export async function careForSystems(
  systems: readonly System[],
  { readiness, repeat, log }: CareDeps,
): Promise<void> {
  const wrong = new Map<string, string | null>();
  for (const { name } of systems) {
    readiness.set(name, () => {
      const found = wrong.get(name);
      if (found === undefined) return { but: 'not asked yet' };
      return found === null ? null : { lacks: found };
    });
  }
  const first = Promise.withResolvers<void>();
  let looks = 0;
  repeat(lookMs, async () => {
    const asked = systems.filter(({ name }) => wrong.get(name) !== null || looks % looksBetween === 0);
    looks += 1;
    await Promise.all(asked.map((system) => look(system, wrong, log)));
    first.resolve();
  });
  await Promise.race([first.promise, pause(startMs, undefined, { ref: false })]);
}

async function look({ name, ask }: System, wrong: Map<string, string | null>, log: Log): Promise<void> {
  const error = await ask().then(
    () => null,
    (cause: unknown) => cause,
  );
  const before = wrong.get(name) ?? null;
  const now = error === null || isBusy(error) ? null : describeError(error).message;
  wrong.set(name, now);
  if (now === null && before !== null) log.info({ system: name }, 'The system answers again');
  if (now === null || now === before) return;
  const facts = { system: name, message: now };
  // A temporary failure needs no operator.
  if (error instanceof VendorError && error.retryable) log.warn(facts, cannotBeUsed);
  else log.error(facts, cannotBeUsed);
}

const cannotBeUsed = 'The system cannot be used';

/** It knows the token, and asks for a pause. */
function isBusy(error: unknown): boolean {
  return error instanceof VendorError && error.code === 'rate_limited';
}
