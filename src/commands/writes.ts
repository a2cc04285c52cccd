import { userInfo } from 'node:os';
import { killSwitchName } from '../core/run.ts';
import * as switches from '../store/switches.ts';
import { knownTeams } from '../store/teams.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

/**
 * `writes stop <team id> "<reason>"` stops every write of a workspace before it is made, including those of active
 * runs; `writes allow <team id>` allows them again.
 */
export const writesCommand: Command = async ([what, teamId, ...reason], context) => {
  if ((what !== 'stop' && what !== 'allow') || teamId === undefined) {
    throw new UsageError();
  }
  const isOn = what === 'stop';
  const why = reason.join(' ').trim();
  if (isOn && why === '') throw new UsageError('Give a reason; people will read it.');
  return withDatabase(context.variables, async (db) => {
    const known = await knownTeams(db);
    // A switch for a mistyped id would stop nothing, yet report that everything is stopped.
    if (known.length > 0 && !known.includes(teamId)) {
      throw new UsageError(
        `There is no workspace ${teamId} here; there is ${known.join(', ')}. Nothing was changed.`,
      );
    }
    const actor = `operator ${userInfo().username}`;
    await switches.set(db, { teamId, name: killSwitchName, isOn, actor, reason: why, at: new Date() });
    context.out(isOn ? 'All writes are stopped.' : 'Writes are allowed again.');
    if (known.length === 0)
      context.out(`No plan of ${teamId} is stored yet; make sure that the id is right.`);
    return 0;
  });
};
