/** Work that waits for its turn, fairly among those for whom it is done. */
export interface Turns {
  /** Resolves or rejects as `work` does, which begins when it is its turn. */
  take<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

/**
 * At most `max` pieces of work at a time, of which `maxEach` may be for one owner. Owners take turns, and each one's
 * work begins in the order in which it came: a storm of one waits behind the first word of another.
 */
export function fairTurns({ max, maxEach = max }: { max: number; maxEach?: number }): Turns {
  const waiting = new Map<string, (() => void)[]>();
  const busy = new Map<string, number>();
  let running = 0;

  /** The first in line may be at its limit; who began goes to the end of the line. */
  function begin(): void {
    for (const [owner, line] of waiting) {
      if (running >= max) return;
      if ((busy.get(owner) ?? 0) >= maxEach) continue;
      const next = line.shift();
      waiting.delete(owner);
      if (line.length > 0) waiting.set(owner, line);
      busy.set(owner, (busy.get(owner) ?? 0) + 1);
      running += 1;
      next?.();
    }
  }

  function end(owner: string): void {
    const left = (busy.get(owner) ?? 1) - 1;
    if (left === 0) busy.delete(owner);
    else busy.set(owner, left);
    running -= 1;
    begin();
  }

  return {
    take: (owner, work) =>
      new Promise((resolve, reject) => {
        const turn = async () => {
          try {
            return await work();
          } finally {
            end(owner);
          }
        };
        const line = waiting.get(owner) ?? [];
        line.push(() => void turn().then(resolve, reject));
        waiting.set(owner, line);
        begin();
      }),
  };
}
