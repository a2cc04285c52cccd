import { parseArgs } from 'node:util';
import type { OperatorConfig } from '../config/schema.ts';
import { type StatisticsOf, statistics } from '../history/statistics.ts';
import { statisticsLines } from '../history/statistics-words.ts';
import { knownTeams } from '../store/teams.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';
import { offlineWorld } from './offline-world.ts';
import { readSince } from './since.ts';

/** `report`: how well requests were served, and at what cost. */
export const reportCommand: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      since: { type: 'string', default: '30d' },
    },
  });
  const since = readSince(values.since);
  const placeOf = placesIn(offlineWorld(context).config);
  return withDatabase(context.variables, async (db) => {
    const found = await statistics(db, { teamIds: await knownTeams(db), since, placeOf });
    if (values.json) context.out(JSON.stringify(found, null, 2));
    else for (const line of statisticsLines(found)) context.out(line);
    return 0;
  });
};

function placesIn({ channels, teams }: OperatorConfig): StatisticsOf['placeOf'] {
  const nameOf = new Map(Object.entries(channels).map(([name, { id }]) => [id, name]));
  const teamOf = new Map(
    Object.entries(teams).flatMap(([team, { channels: names }]) => names.map((name) => [name, team])),
  );
  return async (id) => {
    const name = nameOf.get(id);
    if (name === undefined) return { channel: id.startsWith('D') ? 'direct messages' : id, team: null };
    return { channel: `#${name}`, team: teamOf.get(name) ?? null };
  };
}
