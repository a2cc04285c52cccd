import { setTimeout as pause } from 'node:timers/promises';
import type { Env } from '../config/env.ts';
import { describeError, VendorError } from '../core/errors.ts';
import { plainFetch } from '../vendors/http/plain-fetch.ts';
import { askJira } from '../vendors/jira/probe.ts';
import { askPagerDuty } from '../vendors/pagerduty/probe.ts';
import type { ProcessParts } from './process-parts.ts';

/** Milliseconds between looks at whether the systems take their tokens. */
const lookMs = 60_000;
/** Milliseconds that a start waits for them: it says what is wrong, and does not depend on it. */
const patienceMs = 3_000;

interface System {
  readonly name: string;
  /** The smallest call that its token allows. */
  ask(): Promise<void>;
}

/**
 * Says at the start, and whenever it changes, what is wrong with the access to each system that is set up. The bot works
 * on without it: others can be asked, and what needs it says so.
 */
export async function careForSystems({
  options,
  ops,
  repeat,
}: Pick<ProcessParts, 'options' | 'ops' | 'repeat'>) {
  const { log } = options;
  const wrong = new Map<string, string | null>();
  const look = async ({ name, ask }: System): Promise<void> => {
    const error = await ask().then(
      () => null,
      (cause: unknown) => cause,
    );
    const { message } = describeError(error);
    const [before, now] = [wrong.get(name) ?? null, error === null || isBusy(error) ? null : message];
    wrong.set(name, now);
    if (now === null && before !== null) log.info({ system: name }, 'The system answers again');
    if (now === null || now === before) return;
    const say = error instanceof VendorError && error.retryable ? log.warn : log.error;
    say.call(log, { system: name, message: now }, 'The system cannot be used');
  };
  const systems = systemsIn(options);
  for (const { name } of systems) {
    ops.readiness.set(name, () => {
      const found = wrong.get(name);
      if (found === undefined) return { but: 'not asked yet' };
      return found === null ? null : { lacks: found };
    });
  }
  const first = Promise.withResolvers<void>();
  repeat(lookMs, async () => {
    await Promise.all(systems.map(look));
    first.resolve();
  });
  await Promise.race([first.promise, pause(patienceMs, undefined, { ref: false })]);
}

/** It knows the token, and asks for a pause. */
function isBusy(error: unknown): boolean {
  return error instanceof VendorError && error.code === 'rate_limited';
}

function systemsIn({ env, now }: { readonly env: Env; readonly now: () => Date }): System[] {
  const { JIRA_HOST: host, JIRA_EMAIL: email, JIRA_API_TOKEN: apiToken } = env;
  const { PAGERDUTY_API_TOKEN: token, PAGERDUTY_API_URL: apiUrl } = env;
  const jira = host && email && apiToken ? { host, email, apiToken, fetch: plainFetch, now } : null;
  return [
    ...(jira === null ? [] : [{ name: 'jira', ask: () => askJira(jira) }]),
    ...(token === undefined ? [] : [{ name: 'pagerduty', ask: () => askPagerDuty({ apiUrl, token, now }) }]),
  ];
}
