import { parseArgs } from 'node:util';
import { playbookFolder } from '../app/installed.ts';
import { lineDiff } from '../config/edit-yaml.ts';
import { type PlannedRequest, readPlanned } from '../core/planned-request.ts';
import { lessonsOf } from '../learn/lessons.ts';
import { report } from '../learn/report.ts';
import { type Suggestion, suggestions } from '../learn/suggest.ts';
import { recordedRequests } from '../store/learning-data.ts';
import { knownTeams } from '../store/teams.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { openWorkshop, type Workshop } from './learn-workshop.ts';
import { readSince } from './since.ts';

/**
 * `learn` reports what people edited and rejected, by playbook and phrase, and what would have avoided it; `learn apply
 * N` makes that change in `countersign.yml` or `playbooks/`, after showing it. Nothing else ever makes such a change.
 */
export const learnCommand: Command = async (args, { variables, out }) => {
  const { values, positionals } = parseArgs({
    ...{ args: [...args], allowPositionals: true },
    options: {
      json: { type: 'boolean', default: false },
      playbooks: { type: 'string', default: playbookFolder },
      since: { type: 'string', default: '1970-01-01' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [what, given, ...more] = positionals;
  if ((what !== undefined && what !== 'apply') || more.length > 0) throw new UsageError();
  const since = readSince(values.since);
  const workshop = openWorkshop(variables, values.playbooks);
  const asked: PlannedRequest[] = [];
  await withDatabase(variables, async (db) => {
    for (const teamId of await knownTeams(db)) {
      for await (const one of recordedRequests(db, {
        teamId,
        since,
        except: ['schedule', 'alert', 'agent'],
      })) {
        const read = readPlanned(one, workshop.playbookOf);
        if (read !== null) asked.push(read);
      }
    }
    return 0;
  });
  const found = await suggestions(asked, workshop);
  if (what === 'apply') return apply(found, given, { workshop, isDry: values['dry-run'], out });
  const lessons = lessonsOf(asked);
  if (values.json) out(JSON.stringify({ asked: asked.length, lessons, suggestions: found }, null, 2));
  else for (const line of report(asked, lessons, found)) out(line);
  return 0;
};

function apply(
  found: readonly Suggestion[],
  given: string | undefined,
  { workshop, isDry, out }: { workshop: Workshop; isDry: boolean; out: (line: string) => void },
): number {
  const chosen = /^\d+$/.test(given ?? '') ? found[Number(given) - 1] : undefined;
  if (chosen === undefined) {
    const there = found.length === 0 ? 'There is none now' : `There are 1 to ${found.length}`;
    throw new UsageError(`Say the number of a suggestion. ${there}; \`learn\` lists them.`);
  }
  const { file, before, after } = workshop.change(chosen);
  out(file);
  for (const line of lineDiff(before, after)) out(line);
  if (isDry) return 0;
  workshop.write(file, after);
  out('Written. The bot reads it at its next start; `config check` and `playbooks check` look at it now.');
  return 0;
}
