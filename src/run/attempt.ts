import { CountersignError, VendorError } from '../core/errors.ts';
import type { Manifest, ToolSystem } from '../core/manifest.ts';

const names: Partial<Record<ToolSystem, string>> = {
  jira: 'Jira',
  pagerduty: 'PagerDuty',
  slack: 'Slack',
  azure: 'Azure Monitor',
  splunk: 'Splunk',
  sql: 'The database',
};

/** How people call the system behind a tool. */
export function systemName(manifest: Manifest): string {
  return names[manifest.system] ?? manifest.name;
}

/**
 * Runs one call under the tool's time limit. When it is over the call is told by its signal and not waited for:
 * throws a VendorError `timeout`.
 */
export async function timed<T>(manifest: Manifest, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs } = manifest.limits;
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const limit = timeoutMs < 1_000 ? `${timeoutMs} ms` : `${Math.round(timeoutMs / 100) / 10} s`;
      const message = `${systemName(manifest)} did not answer within ${limit}.`;
      reject(
        new VendorError('timeout', message, {
          retryable: true,
          mayHaveHappened: manifest.effect === 'write',
        }),
      );
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([call(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

const firstDelayMs = 500;
const longestDelayMs = 15_000;
/** A vendor that asks for a longer pause than this is not waited for. */
export const patienceMs = 60_000;

/**
 * Milliseconds before the next attempt: doubled each time, spread over its upper half, and never less than the vendor
 * asked for. Null when another attempt makes no sense.
 */
export function delayAfter(error: unknown, attempt: number, random: () => number): number | null {
  if (!(error instanceof VendorError) || !error.retryable) return null;
  const asked = error.retryAfterMs ?? 0;
  if (asked > patienceMs) return null;
  const full = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
  return Math.max(asked, full * (0.5 + random() / 2));
}

const storeDelaysMs = [100, 400, 1_500, 4_000];

/**
 * Tries a call to the database again for about six seconds, so that its restart does not end a run. Our own errors
 * are answers and come through at once.
 */
export async function durably<T>(call: () => Promise<T>, sleep: (ms: number) => Promise<void>): Promise<T> {
  for (const delay of storeDelaysMs) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof CountersignError) throw error;
      await sleep(delay);
    }
  }
  return call();
}
