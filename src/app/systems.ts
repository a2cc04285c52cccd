import { setTimeout as pause } from 'node:timers/promises';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Readiness } from '../ops/readiness.ts';
import { askAzure } from '../vendors/azure/logs.ts';
import { askConfluence } from '../vendors/confluence/search.ts';
import { askJira } from '../vendors/jira/probe.ts';
import { askPagerDuty } from '../vendors/pagerduty/probe.ts';
import { askPrometheus } from '../vendors/prometheus/query.ts';
import { askSplunk } from '../vendors/splunk/search.ts';
import { azureOptions, prometheusOptions, splunkOptions, wikiOptions } from './data-sources.ts';
import type { Repeat } from './process-context.ts';
import { jiraAccess } from './vendors.ts';

/** Milliseconds between looks at a system that did not answer. */
const lookMs = 60_000;
/** Looks between two questions to one that did. */
const looksBetween = 5;
/** Milliseconds that a start waits for them: it says what is wrong, and does not depend on it. */
const patienceMs = 3_000;

interface System {
  readonly name: string;
  /** The smallest call that its token allows. */
  ask(): Promise<void>;
}

interface Asking {
  readonly env: Env;
  readonly config: OperatorConfig;
  readonly now: () => Date;
}

interface CareDeps {
  readonly options: Asking & { readonly log: Log };
  readonly readiness: Pick<Readiness, 'set'>;
  readonly repeat: Repeat;
}

/**
 * Says at the start, and whenever it changes, what is wrong with the access to each system that is set up. The bot works
 * on without it: others can be asked, and what needs it says so.
 */
export async function careForSystems({ options, readiness, repeat }: CareDeps): Promise<void> {
  const systems = systemsIn(options);
  const wrong = new Map<string, string | null>();
  for (const { name } of systems) {
    readiness.set(name, () => {
      const found = wrong.get(name);
      if (found === undefined) return { but: 'not asked yet' };
      return found === null ? null : { lacks: found };
    });
  }
  const first = Promise.withResolvers<void>();
  let looks = 0;
  repeat(lookMs, async () => {
    const asked = systems.filter(({ name }) => wrong.get(name) !== null || looks % looksBetween === 0);
    looks += 1;
    await Promise.all(asked.map((system) => look(system, wrong, options.log)));
    first.resolve();
  });
  await Promise.race([first.promise, pause(patienceMs, undefined, { ref: false })]);
}

async function look({ name, ask }: System, wrong: Map<string, string | null>, log: Log): Promise<void> {
  const error = await ask().then(
    () => null,
    (cause: unknown) => cause,
  );
  const before = wrong.get(name) ?? null;
  const now = error === null || isBusy(error) ? null : describeError(error).message;
  wrong.set(name, now);
  if (now === null && before !== null) log.info({ system: name }, 'The system answers again');
  if (now === null || now === before) return;
  const facts = { system: name, message: now };
  // A trouble that passes by itself needs nobody.
  if (error instanceof VendorError && error.retryable) log.warn(facts, cannotBeUsed);
  else log.error(facts, cannotBeUsed);
}

const cannotBeUsed = 'The system cannot be used';

/** It knows the token, and asks for a pause. */
function isBusy(error: unknown): boolean {
  return error instanceof VendorError && error.code === 'rate_limited';
}

function systemsIn({ env, config, now }: Asking): System[] {
  const { PAGERDUTY_API_TOKEN: token, PAGERDUTY_API_URL: apiUrl } = env;
  const jira = jiraAccess(env, now);
  return [
    ...(jira === null ? [] : [{ name: 'jira', ask: () => askJira(jira) }]),
    ...(token === undefined ? [] : [{ name: 'pagerduty', ask: () => askPagerDuty({ apiUrl, token, now }) }]),
    ...(env.COUNTERSIGN_ROLE === 'front' ? [] : sourcesIn({ env, config, now })),
  ];
}

/** The systems that steps read from, without databases and models: those are looked at by other means, and a question costs money. */
function sourcesIn({ env, config, now }: Asking): System[] {
  const confluence = wikiOptions({ env, config, now });
  const azure = azureOptions({ env, config });
  const splunk = splunkOptions({ env, now });
  const prometheus = prometheusOptions({ env, now });
  return [
    ...(confluence === null ? [] : [{ name: 'confluence', ask: () => askConfluence(confluence) }]),
    ...(azure === null ? [] : [{ name: 'azure', ask: () => askAzure(azure, now) }]),
    ...(splunk === null ? [] : [{ name: 'splunk', ask: () => askSplunk(splunk) }]),
    ...(prometheus === null ? [] : [{ name: 'prometheus', ask: () => askPrometheus(prometheus) }]),
  ];
}
