import { parseArgs } from 'node:util';
import { exportRequests } from '../store/export.ts';
import { removeOld } from '../store/retention.ts';
import { knownTeams } from '../store/teams.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { readSince } from './since.ts';

/** `export` prints every request with its outcome, one line of JSON each. */
export const exportCommand: Command = async (args, { variables, out }) => {
  const { values } = parseArgs({ args: [...args], options: { since: { type: 'string' } } });
  const since = readSince(values.since ?? '1970-01-01');
  return withDatabase(variables, async (db) => {
    for (const teamId of await knownTeams(db)) await exportRequests(db, { teamId, since }, out);
    return 0;
  });
};

/** `prune --days N` removes data unchanged for that long, as the bot does by itself after retention.days. */
export const pruneCommand: Command = async (args, { variables, out }) => {
  const { values } = parseArgs({ args: [...args], options: { days: { type: 'string' } } });
  const days = Number(values.days);
  if (values.days === undefined || !Number.isInteger(days) || days < 1) {
    throw new UsageError('--days must be 1 or more.');
  }
  return withDatabase(variables, async (db) => {
    for (const teamId of await knownTeams(db)) {
      const removed = await removeOld(db, { teamId, days, now: new Date() });
      out(
        `${teamId}: removed ${removed} ${removed === 1 ? 'request' : 'requests'} that had not changed for ${days} days`,
      );
    }
    return 0;
  });
};
