import { describeError } from '../core/errors.ts';
import type { CallTurn } from '../core/fair-queue.ts';

/** Called after every call: `code` says why it failed, null when it did not. */
export type TellCall = (call: string, seconds: number, code: string | null) => void;

/** Makes a call and reports its duration and outcome. With a turn, a busy system may make it wait. */
export type Meter = <T>(call: string, make: () => Promise<T>, turn?: CallTurn) => Promise<T>;

export function createMeter(tell: TellCall): Meter {
  return async (call, make) => {
    const began = performance.now();
    const end = (code: string | null) => tell(call, (performance.now() - began) / 1_000, code);
    try {
      const answer = await make();
      end(null);
      return answer;
    } catch (error) {
      end(describeError(error).code);
      throw error;
    }
  };
}

/** A port with every method measured under its own name. Calls with a turn may have to wait for it. */
export function metered<T extends object>(
  port: T,
  meter: Meter,
  turnOf?: (args: readonly unknown[]) => CallTurn,
): T {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...args: unknown[]) => meter(name, async () => value.apply(target, args), turnOf?.(args));
    },
  });
}
