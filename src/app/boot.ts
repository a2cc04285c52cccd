import { existsSync, readdirSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { ConfigError, type Env, type processVariables, secretsIn } from '../config/env.ts';
import { stateOf } from '../config/file.ts';
import { namedVariables } from '../config/misspelt.ts';
import { changedSections } from '../config/operator.ts';
import { version } from '../config/version.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import { CountersignError, describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { createLog } from '../ops/log.ts';
import { noTracing, type Tracing } from '../ops/tracing.ts';
import { PlaybookError } from '../plan/playbooks/load.ts';
import { every } from '../process/repeat.ts';
import { installProxy, proxyHost } from '../vendors/http/proxy.ts';
import { playbookFolder } from './installed.ts';
import { readSettings, type Settings, settingsFiles } from './settings.ts';
import type { App, Changeable } from './start.ts';

type Variables = ReturnType<typeof processVariables>;

/** A bot that works. */
type Running = Pick<App, 'stop'> & Pick<Reloader, 'reload'>;

export interface Booting {
  readonly log: ReturnType<typeof createLog>;
  readonly starting: Promise<Running>;
}

/** The time by a clock that nobody can set: a jump would end whatever waits, before the database's is asked again. */
function steadyNow(): Date {
  return new Date(performance.timeOrigin + performance.now());
}

/**
 * Reads all settings and starts the app they describe. `onLost` is called when other processes may take over this one's
 * runs, so it may do nothing more. The log goes to `out`, by default standard output. A database that is away is waited
 * for at most `waitMs`.
 */
export async function boot(
  variables: Variables,
  { onLost, out, waitMs = 0 }: { onLost: () => void; out?: DestinationStream; waitMs?: number },
): Promise<Booting> {
  const settings = readSettings(variables);
  const { env, config } = settings;
  const tracing = await openTracing(env);
  const secrets = new Set<string>();
  const hide = (file: OperatorFile) => {
    const named = [file, ...Object.values(file.workspaces)].flatMap(namedVariables);
    for (const name of named) if (variables[name]) secrets.add(variables[name]);
  };
  hide(config);
  const log = createLog({ level: env.LOG_LEVEL, secrets: secretsIn(env), named: secrets, tracing, out });
  installProxy(env);
  const proxy = proxyHost(env);
  if (proxy !== null) log.info({ proxy, except: env.NO_PROXY ?? '' }, 'Everything leaves through a proxy');
  const given = changeable(settings, log);
  const lost = (reason: Error) => {
    log.error(
      { ...describeError(reason) },
      'The lock of this process is lost, so others may go on with its runs; it ends',
    );
    onLost();
  };
  // Loaded once the settings are valid: a start that cannot work fails at once.
  const starting = import('./start.ts').then(async ({ startApp }) => {
    const app = await startApp({
      ...given,
      ...{ env, variables, log, tracing, onLost: lost, waitMs },
      now: steadyNow,
    });
    log.info({ role: env.COUNTERSIGN_ROLE, process: app.id, port: app.port }, 'Countersign is ready');
    const changes = takeChanges(app, variables, { current: config, hide, log });
    return {
      reload: changes.reload,
      async stop() {
        await changes.stop();
        await app.stop();
      },
    };
  });
  return { log, starting };
}

/** The settings that may change while the bot works; logs what looks like a mistake in them. */
function changeable({ config, playbooks, warnings, inFile }: Settings, log: Log): Changeable {
  const warn = (warning: string) => log.warn({ warning }, 'A setting looks like a mistake');
  warnings.forEach(warn);
  return {
    config,
    workspaces: config.workspaces,
    playbooks,
    inDoubt: (complaint) => warn(inFile(complaint)),
  };
}

/** Milliseconds between looks at the files. */
const lookMs = 2_000;

interface Reloader {
  /** Takes over the settings as they are now, or logs why not. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Takes over changed settings while the bot works: the operator's file and the playbooks, when one of their files has
 * changed and was left alone since the last look. What cannot be used is refused as a whole. The environment stays as it
 * was at the start.
 */
function takeChanges(
  app: Pick<App, 'renew' | 'refused'>,
  variables: Variables,
  { current, hide, log }: { current: OperatorFile; hide(file: OperatorFile): void; log: Log },
): Reloader {
  let config = current;
  const stateNow = () => stateOf([...settingsFiles(variables, config), ...playbookFiles()]);
  let [taken, seen] = [stateNow(), stateNow()];
  let underWay = Promise.resolve();

  async function takeOver(state: string): Promise<void> {
    try {
      const read = readSettings(variables);
      hide(read.config);
      await app.renew(changeable(read, log));
      log.info({ changed: changedSections(config, read.config) }, 'The changed settings are taken over');
      ({ config } = read);
      app.refused(null);
    } catch (error) {
      const { message } = describeError(error);
      app.refused(message);
      log.error({ ...describeError(error) }, refusedWords);
      // The database may be away, for example: tried again at the next look.
      if (!(error instanceof CountersignError)) return;
    }
    taken = state;
  }

  const reload = (): Promise<void> => {
    underWay = underWay.then(() => takeOver(stateNow()));
    return underWay;
  };
  const loop = every(
    lookMs,
    async () => {
      const [before, now] = [seen, stateNow()];
      seen = now;
      if (now !== taken && now === before) await reload();
    },
    log,
  );
  return {
    reload,
    async stop() {
      await loop.stop();
      await underWay;
    },
  };
}

const refusedWords = 'A changed countersign.yml is refused; the settings from before go on';

/** The files of the playbooks, which somebody may have removed. */
function playbookFiles(): string[] {
  return existsSync(playbookFolder)
    ? readdirSync(playbookFolder).map((name) => `${playbookFolder}/${name}`)
    : [];
}

/** Every trace begins here, so there is no decision of others that `parentbased` could follow. */
function shareOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share }: Env): number {
  if (sampler.endsWith('traceidratio')) return share;
  return sampler.endsWith('always_off') ? 0 : 1;
}

/** Sends traces and logs where the settings say; without such settings, nothing is loaded. */
async function openTracing(env: Env): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = env;
  if (endpoint === undefined) return noTracing;
  const { openOtlp } = await import('../ops/otlp.ts');
  const { OTEL_RESOURCE_ATTRIBUTES: attributes = '', COUNTERSIGN_ROLE: role } = env;
  const about = { service: env.OTEL_SERVICE_NAME, version: version(), role, attributes };
  return openOtlp({ endpoint, headers, ...about, share: shareOf(env) });
}

/** Error codes that persist until somebody changes a setting, a folder or the version. */
const lasting = new Set([
  'audit_key_missing',
  'audit_key_unusable',
  'data_dir_not_writable',
  'data_dir_unreachable',
  'database_newer',
  'database_pooled',
  'slack_missing_scope',
  'slack_not_allowed_token_type',
]);

/** EX_CONFIG of sysexits.h: wrong settings, which no restart fixes. The systemd units do not restart a process with this code. */
const misconfigured = 78;

/** The final message and exit code of a process whose start failed. */
export function lastWords(error: unknown): { readonly said: unknown; readonly code: number } {
  // An error an operator can fix is one message; any other keeps its stack.
  const said = error instanceof CountersignError ? error.message : error;
  return { said, code: isLasting(error) ? misconfigured : 1 };
}

/** True if restarting would fail the same way. A port that is taken may be free by then. */
function isLasting(error: unknown): boolean {
  if (error instanceof ConfigError || error instanceof PlaybookError) return true;
  if (error instanceof VendorError && error.refusesUs) return true;
  return error instanceof CountersignError && lasting.has(error.code);
}
