import { parseArgs } from 'node:util';
import { readSettings } from '../app/settings.ts';
import { accountServices } from '../vendors/pagerduty/services.ts';
import { type Command, UsageError } from './command.ts';

const timeoutMs = 120_000;

/**
 * `services import [--team ID]` prints an entry for each PagerDuty service that countersign.yml does not have yet, to be
 * pasted below `services`. Their routing keys are looked up when the bot starts.
 */
export const servicesCommand: Command = async (args, { variables, out, error }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { team: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  if (positionals.length !== 1 || positionals[0] !== 'import') throw new UsageError();
  const { env, config } = readSettings(variables);
  const { PAGERDUTY_API_TOKEN: token, PAGERDUTY_API_URL: apiUrl } = env;
  if (!token) {
    error('PAGERDUTY_API_TOKEN is not set.');
    return 2;
  }
  const access = { token, apiUrl, now: () => new Date() };
  const found = await accountServices(access, AbortSignal.timeout(timeoutMs), values.team);
  const listed = new Set(Object.values(config.services).map(({ pagerduty }) => pagerduty));
  const taken = new Set(Object.keys(config.services));
  const fresh = found.filter(({ id, status }) => !listed.has(id) && status !== 'disabled');
  for (const { id, name } of fresh)
    out(`  ${newName(name ?? id, taken)}: { pagerduty: ${id} }  # ${name ?? id}`);
  error(`${fresh.length} of ${found.length} services are not in countersign.yml yet.`);
  return 0;
};

/** A name as people type it: `Checkout API (EU)` becomes `checkout-api-eu`. */
function newName(title: string, taken: Set<string>): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  const stem = /^[a-z]/.test(plain) ? plain : `service-${plain}`;
  let name = stem;
  for (let count = 2; taken.has(name); count += 1) name = `${stem}-${count}`;
  taken.add(name);
  return name;
}
