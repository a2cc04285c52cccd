import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { SandboxEnv } from '../journal.ts';
import { sandboxSnapshot, type Vendors } from './snapshot.ts';

const quietMs = 50;

/** Server-sent events: `state` with the whole snapshot, at once and after changes, at most every 50 ms. */
export function streamState(
  context: Context<SandboxEnv>,
  vendors: Vendors,
  as: string | undefined,
): Response {
  return streamSSE(context, async (stream) => {
    const { slack, jira, monitoring, pagerduty } = vendors;
    let changed = true;
    let wake = (): void => undefined;
    const onChange = (): void => {
      changed = true;
      wake();
    };
    const stops = [slack, jira, monitoring, pagerduty].map((vendor) => vendor.onChange(onChange));
    stream.onAbort(() => {
      for (const stop of stops) stop();
      wake();
    });
    while (!stream.aborted) {
      if (changed) {
        changed = false;
        await stream.writeSSE({ event: 'state', data: JSON.stringify(sandboxSnapshot(vendors, as)) });
        await stream.sleep(quietMs);
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  });
}
