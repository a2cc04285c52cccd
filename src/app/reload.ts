import { readdirSync, statSync } from 'node:fs';
import type { Given } from '../config/process-role.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { every } from '../process/repeat.ts';
import { playbookFolder } from './installed.ts';
import { readSettings, type Settings, settingsFiles } from './settings.ts';
import type { App } from './start.ts';

/** Milliseconds between looks at the files. */
const lookMs = 2_000;

export interface Reloader {
  /** Takes over the settings as they are now, or logs why not. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Takes over changed settings while the bot works: the operator's file and the playbooks, when one of their files has
 * changed and was left alone since the last look. What cannot be used is refused as a whole. The environment stays as it
 * was at the start.
 */
export function takeChanges(
  app: Pick<App, 'renew' | 'refused'>,
  variables: Given,
  { current, hide, log }: { current: OperatorFile; hide(file: OperatorFile): void; log: Log },
): Reloader {
  let config = current;
  const stateNow = () => stateOf(variables, config);
  let [taken, seen] = [stateNow(), stateNow()];
  let underWay = Promise.resolve();

  async function takeOver(state: string): Promise<void> {
    try {
      const read = readSettings(variables);
      hide(read.config);
      await app.renew(renewed(read, log));
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

function renewed({ config, playbooks, warnings, inFile }: Settings, log: Log): Parameters<App['renew']>[0] {
  const warn = (warning: string) => log.warn({ warning }, 'A setting looks like a mistake');
  warnings.forEach(warn);
  return {
    config,
    workspaces: config.workspaces,
    playbooks,
    inDoubt: (complaint) => warn(inFile(complaint)),
  };
}

function changedSections(before: OperatorFile, now: OperatorFile): string[] {
  const entries = Object.entries(before);
  const old = new Map(entries.map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.entries(now).flatMap(([name, value]) =>
    old.get(name) === JSON.stringify(value) ? [] : name,
  );
}

/** Equal as long as nobody wrote to the files; a file that a link now points to counts as another one. */
function stateOf(variables: Given, config: OperatorFile): string {
  const folder =
    statSync(playbookFolder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(playbookFolder);
  const files = [...settingsFiles(variables, config), ...folder.map((name) => `${playbookFolder}/${name}`)];
  const states = files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return [file, found?.mtimeMs, found?.size, found?.ino];
  });
  return JSON.stringify(states);
}
