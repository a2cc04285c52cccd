/**
 * Null when all is well, else the problem in words. With `but` and `lacks` the process can still take requests; `lacks`
 * counts as not ready when parts are reported individually.
 */
type Found = string | null | { readonly but: string } | { readonly lacks: string };
export type Check = () => Promise<Found> | Found;

export interface Readiness {
  /** Sets the check of a part. */
  set(part: string, check: Check): void;
  /** From now on nothing is ready: the process is shutting down. */
  stopping(): void;
  ask(): Promise<{ readonly ready: boolean; readonly parts: Readonly<Record<string, string>> }>;
  /** The readiness of each part, without words. */
  askEach(): Promise<Readonly<Record<string, boolean>>>;
}

/** A check of one part that takes longer counts as failed. */
const answerMs = 2_000;

/** Whether this process can serve, part by part. A part without a check is still starting. */
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
  const timer = setTimeout(() => late.resolve('no answer'), answerMs);
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    // The user of the part logs the reason; an error text may contain an address.
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
