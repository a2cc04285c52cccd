/** A call that may have to wait for its turn. */
export interface CallTurn {
  /** Each system has its own turns; empty where a vendor is one system. */
  readonly system: string;
  readonly signal: AbortSignal | undefined;
}

/** A queue for work, fair among its owners. */
export interface Turns {
  /** Settles like `work`, which starts when its turn comes. */
  take<T>(owner: string, work: () => Promise<T>): Promise<T>;
  /** True when work would start at once. */
  isFree(owner: string): boolean;
}

/**
 * At most `max` pieces of work at a time, at most `maxEach` of them for one owner. Owners take turns, and each owner's
 * work starts in order of arrival: one owner's flood cannot delay another's first request.
 */
export function fairTurns({ max, maxEach = max }: { max: number; maxEach?: number }): Turns {
  const waiting = new Map<string, (() => void)[]>();
  const busy = new Map<string, number>();
  let running = 0;

  /** The first in line may be at its limit; an owner that got a turn goes to the back. */
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
    isFree: (owner) => running < max && (busy.get(owner) ?? 0) < maxEach && !waiting.has(owner),
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
