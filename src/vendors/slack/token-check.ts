import type { Log } from '../../core/log.ts';
import type { SlackGateway } from './gateway.ts';

/** Milliseconds between checks of recent Slack calls. */
const lookMs = 10_000;
/** Milliseconds after which Slack is asked directly, so that an idle bot notices as well. */
const askMs = 300_000;

interface Served {
  readonly teamId: string;
  readonly gateway: Pick<SlackGateway, 'refusal' | 'isInstalled'>;
}

/** The workspaces in which Slack rejects us, and why; null if there are none. */
export function refusedBy(teams: readonly Served[]): string | null {
  const refusals = teams.flatMap(({ gateway }) => gateway.refusal() ?? []);
  return refusals.length === 0 ? null : refusals.join(' ');
}

/** Reports once when Slack no longer accepts a token, and when it does again; a rejected one is retried at every check. */
export function watchTokens(
  served: () => readonly Served[],
  { log, repeat }: { log: Log; repeat: (ms: number, round: () => Promise<void>) => void },
): void {
  const reported = new Map<string, string>();
  repeat(lookMs, async () => {
    for (const { teamId, gateway } of served()) {
      if (reported.has(teamId)) await ask(gateway);
      const now = gateway.refusal();
      if (now !== null && reported.get(teamId) !== now) log.error({ teamId, message: now }, refused);
      if (now === null && reported.has(teamId)) log.info({ teamId }, 'Slack accepts the token again');
      if (now === null) reported.delete(teamId);
      else reported.set(teamId, now);
    }
  });
  repeat(askMs, async () => {
    for (const { gateway } of served()) await ask(gateway);
  });
}

/** The gateway keeps the result; a Slack outage says nothing about a token. */
async function ask(gateway: Served['gateway']): Promise<void> {
  await gateway.isInstalled().catch(() => false);
}

const refused =
  'Slack does not accept the token of a workspace. Nothing is lost: what is to be said waits for a day';
