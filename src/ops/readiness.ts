/**
 * Null when all is well, else what is wrong, in words. `but` and `lacks` are wrong as well and do not keep the process
 * from taking requests; what it `lacks` counts as not ready when each part is asked for.
 */
type Found = string | null | { readonly but: string } | { readonly lacks: string };
export type Check = () => Promise<Found> | Found;

export interface Readiness {
  /** How a part is looked at from now on. */
  set(part: string, check: Check): void;
  /** From now on nothing is ready: the process is on its way out. */
  stopping(): void;
  ask(): Promise<{ readonly ready: boolean; readonly parts: Readonly<Record<string, string>> }>;
  /** The same of each part, without the words. */
  askEach(): Promise<Readonly<Record<string, boolean>>>;
}

/** A look at one part that takes longer counts as a no. */
const patienceMs = 2_000;

/** Whether this process can serve, part by part. What nobody has said anything about yet is still starting. */
export function createReadiness(parts: readonly string[]): Readiness {
  const checks = new Map<string, Check>(parts.map((part) => [part, () => 'starting']));
  const askAll = () =>
    Promise.all([...checks].map(async ([part, check]) => [part, await look(check)] as const));
  return {
    set: (part, check) => void checks.set(part, check),
    stopping() {
      for (const part of checks.keys()) checks.set(part, () => 'stopping');
    },
    async ask() {
      const found = await askAll();
      const ready = found.every(([, wrong]) => typeof wrong !== 'string');
      return { ready, parts: Object.fromEntries(found.map(([part, wrong]) => [part, wordsOf(wrong)])) };
    },
    askEach: async () => Object.fromEntries((await askAll()).map(([part, wrong]) => [part, isFine(wrong)])),
  };
}

function isFine(found: Found): boolean {
  return found === null || (typeof found === 'object' && 'but' in found);
}

function wordsOf(found: Found): string {
  if (found === null) return 'ok';
  if (typeof found === 'string') return found;
  return 'lacks' in found ? found.lacks : `ok, but ${found.but}`;
}

async function look(check: Check): Promise<Found> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('no answer'), patienceMs);
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    // The reason stands in the log of whoever uses the part; an error text may hold an address.
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
