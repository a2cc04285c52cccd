import type { Readers } from '../core/ports.ts';

/**
 * Readers that ask a vendor only once for repeated calls while one card is made, never longer. Calls are equal when
 * their arguments are, whatever their signals.
 */
export function sharedReads(readers: Readers): Readers {
  const answers = new Map<string, unknown>();
  const ports = Object.entries(readers).map(([name, port]) => [name, shared(port, `${name}.`, answers)]);
  return Object.fromEntries(ports) as unknown as Readers;
}

function shared(port: object, prefix: string, answers: Map<string, unknown>): object {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...args: unknown[]): unknown => {
        const what = args.filter((arg) => !(arg instanceof AbortSignal));
        const key = `${prefix}${name}${JSON.stringify(what)}`;
        if (!answers.has(key)) answers.set(key, value.apply(target, args));
        return answers.get(key);
      };
    },
  });
}
