import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { toolSwitchedOff } from '../report/operator-words.ts';
import * as outbox from '../store/outbox.ts';
import type { PinState } from '../vendors/mcp/pins.ts';
import type { Mcp } from '../vendors/mcp/servers.ts';
import type { Reporting } from './reporting.ts';
import type { Books } from './stored-requests.ts';

export interface McpWatchDeps extends Books {
  readonly mcp: Mcp;
  readonly reporting: Pick<Reporting, 'send'>;
  /** Channel for telling the operator; null for the log only. */
  readonly channel: string | null;
  readonly log: Log;
}

/** Time limit for all servers to list their tools, in milliseconds. */
const lookMs = 30_000;

/** Regularly checks every pinned tool, and reports each change from its pin once. */
export function mcpWatch(deps: McpWatchDeps): () => Promise<void> {
  const { mcp, log } = deps;
  // A call may notice it before the next check.
  mcp.onOff((state) => {
    tell(deps, state).catch((error: unknown) =>
      log.warn(
        { ...describeError(error), tool: state.pin.name },
        'Could not notify anybody that a tool was switched off',
      ),
    );
  });
  return async () => {
    for (const { pin, state, message } of await mcp.look(AbortSignal.timeout(lookMs))) {
      if (state === 'unreachable') log.warn({ tool: pin.name, message }, 'An MCP server does not answer');
    }
  };
}

async function tell({ db, teamId, reporting, channel, log }: McpWatchDeps, state: PinState): Promise<void> {
  const { pin, message, seen } = state;
  log.warn({ tool: pin.name, message }, 'An MCP tool is switched off');
  if (channel === null) return;
  const key = `mcp:${pin.name}:${pin.pinned.sha256.slice(0, 16)}:${seen.slice(0, 16)}`;
  if ((await outbox.byKey(db, teamId, key)) !== null) return;
  const place = { kind: 'channel', channel, threadTs: null } as const;
  await reporting.send(teamId, place, key, toolSwitchedOff(message));
}
